"""Reads YAML documents for golden/oracle/strings.rs: `python3 strings.py READER`.

Standard input holds one document a line, as a JSON string; standard output one line a document, in
JSON: {"value": …} or {"error": "…"}. Ends with 3 where the reader's module is not installed.
"""

import json
import sys


def pyyaml(name):
    import yaml

    loader = getattr(yaml, name)
    return lambda text: yaml.load(text, Loader=loader)


def ruamel():
    from ruamel.yaml import YAML

    def read(text):
        reader = YAML(typ="safe", pure=True)
        reader.version = (1, 2)
        return reader.load(text)

    return read


READERS = {
    "pyyaml-pure": lambda: pyyaml("SafeLoader"),
    "pyyaml-c": lambda: pyyaml("CSafeLoader"),
    "ruamel-1.2": ruamel,
}


def answer(read, line):
    try:
        return json.dumps({"value": read(json.loads(line))}, default=repr)
    except Exception as error:  # whatever a reader throws is its answer
        return json.dumps({"error": f"{type(error).__name__}: {error}"[:2000]})


def main():
    try:
        read = READERS[sys.argv[1]]()
    except (ImportError, AttributeError) as error:
        print(error, file=sys.stderr)
        sys.exit(3)
    for line in sys.stdin:
        print(answer(read, line), flush=True)


main()
