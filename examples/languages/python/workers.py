"""Runs 4 workers, each with a sandbox of its own: Python 3.9 or later, its standard library alone.

With pytest, a fixture with scope="session" that yields what sandbox() does makes one in each worker of pytest-xdist."""
import contextlib, json, multiprocessing, os, subprocess, urllib.request, uuid

WORKERS = 4


@contextlib.contextmanager
def sandbox(*options):
    """Runs a sandbox on a free port, with the variables that client.py reads, and ends it."""
    command = ["partner-sandbox", "--port", "0", "--json", "--quiet", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            started = json.loads(process.stdout.readline())
            os.environ["PARTNER_BASE_URL"] = started["url"]
            os.environ["PARTNER_API_KEY"] = started["credentials"]["apiKey"]
            os.environ["PARTNER_API_SECRET"] = started["credentials"]["apiSecret"]
            yield started
        finally:
            process.terminate()


def control(url, method, *args):
    """Calls a method of the sandbox, or reads a member."""
    request = urllib.request.Request(f"{url}/_sandbox/{method}", json.dumps(args).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


def buy(started):
    """A test. It has the account, the clock and the journal to itself."""
    from client import call  # signs with the API key of the worker's sandbox: sandbox() has set the variables

    url, account = started["url"], started["fixtures"]["accountId"]
    control(url, "reset")  # the same data for each test
    control(url, "accounts/setBalance", account, {"symbol": "USD", "total": "1000.00"})
    side = {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}
    quote = call("POST", f"/v1/accounts/{account}/quotes", side, str(uuid.uuid4()))
    call("POST", f"/v1/accounts/{account}/quotes/{quote['id']}/execute", key=str(uuid.uuid4()))
    control(url, "clock/advance", 60_000)
    assert call("GET", f"/v1/accounts/{account}/quotes/{quote['id']}")["status"] == "executed"
    assert control(url, "books/check")["isBalanced"]
    assert len(control(url, "journal")) == 3
    return quote["id"]


def work(_):
    with sandbox("--still") as started:
        return [buy(started) for _ in range(3)]


if __name__ == "__main__":
    with multiprocessing.Pool(WORKERS, maxtasksperchild=1) as pool:
        found = pool.map(work, range(WORKERS), chunksize=1)
    ids = {quote for quotes in found for quote in quotes}
    print(f"{len(found)} workers, {sum(map(len, found))} tests, same ids in all: {len(ids) == 1}")
