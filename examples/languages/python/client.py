"""Signs requests and calls the API: Python 3.9 or later, its standard library alone.

Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature."""
import base64, email.utils, hashlib, hmac, http.client, json, os, random, sys, time, urllib.parse, uuid

BASE_URL, API_KEY = urllib.parse.urlsplit(os.environ["PARTNER_BASE_URL"]), os.environ["PARTNER_API_KEY"]
SECRET = base64.b64decode(os.environ["PARTNER_API_SECRET"])
TIME_LIMIT_S = float(os.environ.get("PARTNER_TIME_LIMIT_S", "30"))  # of an attempt: how long the service may be silent
ATTEMPTS = 3
last_nonce = 0


class CallFailed(Exception):
    """`outcome` of a write: not_applied, applied or unknown. If unknown, look, or retry with its idempotency key."""

    def __init__(self, what, status, outcome, key):
        super().__init__(f"{what}: {outcome}, key {key}" if outcome else what)
        self.status, self.outcome, self.key = status, outcome, key


def sign(path, nonce, body):
    inner = hashlib.sha256(nonce.encode() + body).digest()
    return base64.b64encode(hmac.new(SECRET, path.encode() + inner, hashlib.sha512).digest()).decode()


def send(method, path, body, key):
    """Makes one attempt. Returns status, Retry-After and body. Status 0: no complete response arrived."""
    global last_nonce
    last_nonce = max(time.time_ns(), last_nonce + 1)  # rises with every request, also with a retry
    nonce = str(last_nonce)
    headers = {"API-Key": API_KEY, "API-Nonce": nonce, "API-Sign": sign(path, nonce, body)}
    if body:
        headers["Content-Type"] = "application/json"
    if key:
        headers["Idempotency-Key"] = key
    kind = http.client.HTTPSConnection if BASE_URL.scheme == "https" else http.client.HTTPConnection
    connection = kind(BASE_URL.netloc, timeout=TIME_LIMIT_S)
    try:
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        return response.status, response.headers.get("Retry-After"), response.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as lost:
        return 0, None, f"no response ({lost!r})"
    finally:
        connection.close()


def parse(text):
    """Returns the object of a body, or None: a gateway may respond in HTML."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def judge(method, key, status, code):
    """Says whether to retry, and the outcome of a write, by the table of retries in docs/reference/protocol.md."""
    if status // 100 == 2:  # damaged on its way
        return method == "GET", "applied"
    if status == 429:
        return True, "not_applied"
    if (status // 100 == 4 and status != 408) or (status == 501 and code):
        return False, "not_applied"
    is_safe = key is not None or method in ("GET", "DELETE")
    return is_safe and (status in (0, 502, 503, 504) or (status >= 500 and not code)), "unknown"


def wait_s(retry_after, attempt):
    """Returns how long to wait: what Retry-After says (seconds or a date), or a random time with a growing limit."""
    if retry_after and retry_after.isdigit():
        return int(retry_after)
    try:
        return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return random.random() * attempt


def call(method, path, value=None, key=None):
    """Returns the response's data. Store a write's idempotency key before: a retry with it has no second effect."""
    body = b"" if value is None else json.dumps(value).encode()  # these bytes are signed and sent
    outcome = None
    for attempt in range(1, ATTEMPTS + 1):
        status, retry_after, text = send(method, path, body, key)
        answer = parse(text)
        if status // 100 == 2 and (answer is not None or (method != "GET" and not text)):
            return answer and answer.get("data", answer)
        error = (answer or {}).get("error")
        code = error.get("code") if isinstance(error, dict) else None
        may_retry, now = judge(method, key, status, code)
        if method != "GET" and (outcome != "unknown" or now == "applied"):  # no later rejection settles an unknown
            outcome = now
        if attempt == ATTEMPTS or not may_retry:
            shown = f"{code} {error.get('instance')}" if code else text[:80]
            raise CallFailed(f"{status} {shown}" if status else shown, status, outcome, key)
        time.sleep(wait_s(retry_after, attempt))


def main():
    account = "/v1/accounts/" + os.environ["PARTNER_ACCOUNT_ID"]
    print("conversions", len(call("GET", account + "/on-demand-conversions?page_size=2")))
    sides = {"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"}, "to": {"symbol": "BTC", "type": "crypto"}}
    key = str(uuid.uuid4())
    print("key", key, flush=True)  # a product stores it together with its purpose
    quote = call("POST", account + "/quotes", sides, key)
    print("quote", quote["status"], call("GET", account + "/quotes/" + quote["id"])["to"]["amount"])
    try:
        call("GET", account + "/quotes/none")
    except CallFailed as error:
        print("error", error)


if __name__ == "__main__":
    try:
        main()
    except CallFailed as failure:
        sys.exit(f"failed {failure}")
