"""Receives webhooks and proves who sent them: Python 3.9 or later, its standard library alone."""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["PARTNER_WEBHOOK_SECRET"])
handled = set()  # in a database, together with the effect, if a second one would do harm


def is_proven(header, body):
    parts = [part.split("=", 1) for part in (header or "").split(",") if "=" in part]
    times = [value for name, value in parts if name == "t" and value.isdigit()]
    if len(times) != 1 or abs(time.time() - int(times[0])) > 300:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    # While secrets are rotated, a delivery has a v1 for each of them.
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


def kind_of(body):
    """Takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked."""
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    event = event if isinstance(event, dict) else {}
    return event.get("event_type") or event.get("type") or "unknown"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))  # the raw bytes
        proven = is_proven(self.headers.get("X-Signature"), body)
        event = self.headers.get("X-Webhook-ID")
        if proven and event not in handled:  # the same event may come more than once
            print("event", kind_of(body), flush=True)
            handled.add(event)
        self.send_response(200 if proven else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print("listening", server.server_port, flush=True)
    server.serve_forever()
