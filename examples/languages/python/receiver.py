"""Receives webhooks and verifies who sent them: Python 3.9 or later, its standard library alone."""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["PARTNER_WEBHOOK_SECRET"])
handled = set()  # if a second effect would do harm, store the ids in a database, together with the effect


def is_verified(header, body):
    parts = [part.split("=", 1) for part in (header or "").split(",") if "=" in part]
    times = [value for name, value in parts if name == "t" and value.isdigit()]
    if len(times) != 1 or abs(time.time() - int(times[0])) > 300:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    # While secrets are rotated, a delivery has a v1 for each of them.
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


def identify(body, header_kind):
    """Returns the kind of an event, and the id by which a duplicate of its delivery is known.

    Only an envelope, {"id": …, "type": …, "data": {…}}, has an id of its own. The `id` of the flat form, {"event_type": …},
    is that of the resource, and X-Webhook-ID is that of the subscription. Other events have the same ids.
    """
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    event = event if isinstance(event, dict) else {}
    members = (event.get(name) for name in ("event_type", "type", "id"))
    flat, kind, own_id = (member if isinstance(member, str) else "" for member in members)
    if not flat and kind and own_id and isinstance(event.get("data"), dict):
        return kind, own_id
    if flat or kind:
        return flat or kind, hashlib.sha256(body).hexdigest()
    # X-Webhook-Event isn't signed, so under another kind the same bytes are another event.
    signed = header_kind.encode() + b"\n" + body if header_kind else body
    return header_kind or "unknown", hashlib.sha256(signed).hexdigest()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))  # the raw bytes
        verified = is_verified(self.headers.get("X-Signature"), body)
        if verified:
            kind, delivery_id = identify(body, self.headers.get("X-Webhook-Event"))
            if delivery_id not in handled:  # the service may deliver an event more than once
                print("event", kind, delivery_id, flush=True)
                handled.add(delivery_id)
        self.send_response(200 if verified else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print("listening", server.server_port, flush=True)
    server.serve_forever()
