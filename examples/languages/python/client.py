"""Signs requests and calls the API: Python 3.9 or later, its standard library alone."""
import base64, hashlib, hmac, json, os, time, urllib.error, urllib.request, uuid

BASE_URL, API_KEY = os.environ["PARTNER_BASE_URL"], os.environ["PARTNER_API_KEY"]
SECRET = base64.b64decode(os.environ["PARTNER_API_SECRET"])
last_nonce = 0


def sign(path, nonce, body):
    inner = hashlib.sha256(nonce.encode() + body).digest()
    return base64.b64encode(hmac.new(SECRET, path.encode() + inner, hashlib.sha512).digest()).decode()


def call(method, path, value=None):
    global last_nonce
    body = b"" if value is None else json.dumps(value).encode()  # these bytes are signed and sent
    key = str(uuid.uuid4())  # one for all attempts: a repeat has no second effect
    for attempt in range(1, 4):
        last_nonce = max(time.time_ns(), last_nonce + 1)  # rises with every request, repeats too
        nonce = str(last_nonce)
        headers = {"API-Key": API_KEY, "API-Nonce": nonce, "API-Sign": sign(path, nonce, body)}
        if method == "POST":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key}
        request = urllib.request.Request(BASE_URL + path, body or None, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as failure:
            if failure.code not in (429, 503, 504) or attempt == 3:
                error = json.load(failure)["error"]
                raise RuntimeError(f"{failure.code} {error['code']} {error['instance']}") from None
            time.sleep(float(failure.headers.get("Retry-After") or attempt))


if __name__ == "__main__":
    account = "/v1/accounts/" + os.environ["PARTNER_ACCOUNT_ID"]
    print("conversions", len(call("GET", account + "/on-demand-conversions?page_size=2")))
    side = {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}
    quote = call("POST", account + "/quotes", side)
    print("quote", quote["status"], call("GET", account + "/quotes/" + quote["id"])["to"]["amount"])
    try:
        call("GET", account + "/quotes/none")
    except RuntimeError as error:
        print("error", error)
