"""Runs 20 workers against one sandbox, each in a world of its own: Python 3.9 or later, its standard library alone."""
import json, multiprocessing, os, urllib.request, uuid

SANDBOX = os.environ["PARTNER_SANDBOX_URL"]  # npx partner-sandbox prints it
WORKERS = 20


def control(method, url, *args):
    body = json.dumps(args).encode() if method == "POST" else None
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


def buy(world):
    """A test. It has the account, the clock and the journal to itself."""
    from client import call  # signs with the API key of the world: work() has set the variables

    control("POST", world["url"] + "/reset")  # the same data for each test
    account = world["fixtures"]["accountId"]
    control("POST", world["url"] + "/accounts/setBalance", account, {"symbol": "USD", "total": "1000.00"})
    side = {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}
    quote = call("POST", f"/v1/accounts/{account}/quotes", side, str(uuid.uuid4()))
    call("POST", f"/v1/accounts/{account}/quotes/{quote['id']}/execute", key=str(uuid.uuid4()))
    control("POST", world["url"] + "/clock/advance", 60_000)
    assert call("GET", f"/v1/accounts/{account}/quotes/{quote['id']}")["status"] == "executed"
    assert control("GET", world["url"] + "/books/check")["isBalanced"]
    assert len(control("GET", world["url"] + "/journal")) == 3
    return quote["id"]


def work(_):
    world = control("POST", SANDBOX + "/_sandbox/worlds", {"seed": 1})
    os.environ["PARTNER_API_KEY"] = world["credentials"]["apiKey"]
    os.environ["PARTNER_API_SECRET"] = world["credentials"]["apiSecret"]
    os.environ["PARTNER_BASE_URL"] = SANDBOX
    try:
        return [buy(world) for _ in range(3)]
    finally:
        control("DELETE", world["url"])


if __name__ == "__main__":
    with multiprocessing.Pool(WORKERS, maxtasksperchild=1) as pool:
        found = pool.map(work, range(WORKERS), chunksize=1)
    ids = {quote for quotes in found for quote in quotes}
    print(f"{len(found)} workers, {sum(map(len, found))} tests, same ids in all: {len(ids) == 1}")
