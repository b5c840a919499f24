"""Reads answers with Python's http.client. In: a line of hex for each. Out: a line of JSON for each."""

import http.client
import io
import json
import sys


class Kept(io.BytesIO):
    """Bytes that several answers are read from, each of which closes them."""

    def close(self):
        pass


class Connection:
    def __init__(self, data):
        self.file = Kept(data)

    def makefile(self, *_):
        return self.file


# It reads 100 headers otherwise.
http.client._MAXHEADERS = 100_000


def skip_blank_lines(file):
    """A reader may pass over them before an answer."""
    while True:
        place = file.tell()
        if file.read(1) not in (b"\r", b"\n"):
            file.seek(place)
            return


def final_answer(connection):
    """The first answer that is not an interim one, as `102` and `103` are: http.client knows `100` alone."""
    while True:
        skip_blank_lines(connection.file)
        answer = http.client.HTTPResponse(connection, method="GET")
        answer.begin()
        if answer.status == 101 or answer.status >= 200:
            return answer


def reading_of(data):
    try:
        answer = final_answer(Connection(data))
    except http.client.UnknownProtocol:
        return "abstains"
    except (http.client.HTTPException, ValueError, OSError, OverflowError):
        return None
    try:
        return {"status": answer.status, "body": answer.read().hex(), "isComplete": True}
    except (http.client.HTTPException, ValueError, OSError, OverflowError):
        return {"status": answer.status, "body": "", "isComplete": False}


for line in sys.stdin:
    print(json.dumps(reading_of(bytes.fromhex(line))), flush=True)
