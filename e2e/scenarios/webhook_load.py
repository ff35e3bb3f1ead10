"""The conversion webhook while the API server asks it for much, and while it comes and goes."""

import concurrent.futures
import os
import signal
import time

from api import ApiError, until
from ground import check, scenario
from scenarios.traffic_split import served
from splits import GROUP, Webhook, shares, split

OBJECTS = 5000
READERS = 4


def fill(ground, count):
    """Objects at v1alpha1, the stored version: none of these writes needs the webhook."""
    def one(i):
        ground.api.create(split(f"split-{i:04}", "v1alpha1", [("a", "500m"), ("b", str(i + 1))]))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(count)))


def expected(i):
    return shares(split("x", "v1alpha1", [("a", "500m"), ("b", str(i + 1))]))


@scenario("7.1", f"{OBJECTS} objects listed at another version, the webhook killed and restarted in between", ["plane", "webhook"])
def load(ground):
    with Webhook(ground) as webhook:
        served(ground, webhook, ["v1alpha1", "v1alpha2"], "v1alpha1")
        start = time.monotonic()
        fill(ground, OBJECTS)
        filled = time.monotonic() - start
        wrong, refused, times = [], [], []

        def read(deadline):
            while time.monotonic() < deadline:
                begin = time.monotonic()
                try:
                    items = ground.api.request("GET", f"/apis/{GROUP}/v1alpha2/trafficsplits", timeout=120)["items"]
                except ApiError as error:
                    refused.append((begin, time.monotonic(), error))
                    time.sleep(0.2)
                    continue
                times.append((begin, time.monotonic() - begin))
                if len(items) != OBJECTS:
                    wrong.append(f"{len(items)} objects")
                bad = [o for i, o in enumerate(items) if shares(o) != expected(i) or not isinstance(o["spec"]["backends"][0]["weight"], int)]
                wrong.extend(o["metadata"]["name"] for o in bad[:3])

        deadline = time.monotonic() + 40
        with concurrent.futures.ThreadPoolExecutor(READERS) as pool:
            readers = [pool.submit(read, deadline) for _ in range(READERS)]
            time.sleep(12)
            os.killpg(webhook.process.pid, signal.SIGKILL)
            killed = time.monotonic()
            webhook.stop()
            time.sleep(5)
            webhook.start()
            back = time.monotonic()
            for reader in readers:
                reader.result()
        check(not wrong, f"wrong objects: {wrong[:5]}")
        early = [error for _, ended, error in refused if ended < killed]
        check(not early, f"a list failed while the webhook ran: {early[:2]}")
        check(refused, "no list failed while the webhook was dead: then it was not asked")
        after = [t for t, _ in times if t > back]
        check(after, "no list succeeded after the restart")
        late = [error for begun, _, error in refused if begun > back + 1]
        check(not late, f"a list that began after the restart failed: {late[:2]}")
        rate = OBJECTS * len(times) / sum(took for _, took in times)
        code = webhook.stop()
        check(code == 0, f"SIGTERM ends the webhook with {code}")
        ground.clean()
    return (f"{len(times)} lists, {rate:.0f} objects/s a reader, {len(refused)} refused while it was dead, "
            f"first answer {after[0] - back:.1f} s after the restart; filled in {filled:.0f} s")
