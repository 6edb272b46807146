"""A server for tests that shares no line with the client: Python's http.server, email and gzip.

It prints its port as its first line and runs until it is killed. It listens on loopback alone.
"""

import email.parser
import email.policy
import gzip
import hashlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PATTERN = bytes(range(251)) * 4178  # a bit more than a MiB, and of a length that is no power of two
DOUBLED = PATTERN + PATTERN

lock = threading.Lock()
counters = {}  # guarded by lock


def count(key):
    with lock:
        counters[key] = counters.get(key, 0) + 1
        return counters[key]


def generated(start, end):
    """The bytes of the endless file from start to before end."""
    while start < end:
        offset = start % len(PATTERN)
        piece = DOUBLED[offset : offset + min(len(PATTERN), end - start)]
        yield piece
        start += len(piece)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 0
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def pieces(self):
        """The body of the request, without its framing."""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                if size == 0:
                    while self.rfile.readline().strip():
                        pass
                    return
                yield self.rfile.read(size)
                self.rfile.readline()
        else:
            rest = int(self.headers.get("Content-Length", 0))
            while rest:
                piece = self.rfile.read(min(rest, 1 << 20))
                if not piece:
                    return
                rest -= len(piece)
                yield piece

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer_json(self, value, status=200, headers=()):
        body = json.dumps(value).encode()
        self.answer(status, body, [("Content-Type", "application/json"), *headers])

    def handle_any(self):
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        route = getattr(self, "do_" + parts.path.strip("/").replace("/", "_"), None)
        if route is None:
            b"".join(self.pieces())
            return self.answer_json({"error": "no such path"}, 404)
        route(query)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

    def do_echo(self, query):
        body = b"".join(self.pieces())
        self.answer_json(
            {
                "method": self.command,
                "path": self.path,
                "headers": [[name.lower(), value] for name, value in self.headers.items()],
                "length": len(body),
                "sha256": hashlib.sha256(body).hexdigest(),
                "text": body[:4096].decode("utf-8", "replace"),
                "port": self.client_address[1],
            }
        )

    def do_multipart(self, query):
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(
            head + b"".join(self.pieces())
        )
        self.answer_json(
            [
                {
                    "name": part.get_param("name", header="content-disposition"),
                    "filename": part.get_filename(),
                    "type": part.get_content_type(),
                    "length": len(part.get_payload(decode=True)),
                    "sha256": hashlib.sha256(part.get_payload(decode=True)).hexdigest(),
                }
                for part in message.iter_parts()
            ]
        )

    def do_gunzip(self, query):
        body = b"".join(self.pieces())
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.answer(200, body, [("Content-Type", self.headers.get("Content-Type", "text/plain"))])

    def do_gzip(self, query):
        body = gzip.compress(json.dumps({"name": "a" * int(query.get("size", 10))}).encode())
        self.answer(
            200, body, [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
        )

    def do_statuses(self, query):
        """Answers with the given statuses in turn, then with the last of them."""
        b"".join(self.pieces())
        codes = query["codes"].split(",")
        turn = count(query["key"])
        code = int(codes[min(turn, len(codes)) - 1])
        headers = [("Retry-After", query["after"])] if code in (429, 503) and "after" in query else []
        if code == 401:
            headers.append(("WWW-Authenticate", "Bearer"))
        self.answer_json({"turn": turn, "authorization": self.headers.get("Authorization")}, code, headers)

    def do_file(self, query):
        """A file of generated bytes with ranges; its first answer is cut off where `cut` says."""
        size = int(query["size"])
        tag = '"%s"' % query.get("tag", "one")
        start, status = 0, 200
        asked = self.headers.get("Range")
        if asked and self.headers.get("If-Range", tag) == tag:
            start, status = int(asked.removeprefix("bytes=").split("-")[0]), 206
            if start >= size:
                return self.answer(416, b"", [("Content-Range", f"bytes */{size}")])
        end = size
        if "cut" in query and count(query["key"]) == 1:
            end = int(query["cut"])
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(size - start))
        self.send_header("ETag", tag)
        self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.end_headers()
        for piece in generated(start, end):
            self.wfile.write(piece)
        if end != size:
            self.close_connection = True

    def do_compare(self, query):
        """Compares what is uploaded with the generated bytes while it comes."""
        position, same = 0, True
        for piece in self.pieces():
            offset = position % len(PATTERN)
            expected = DOUBLED[offset : offset + len(piece)]
            if len(expected) < len(piece):
                expected = b"".join(generated(position, position + len(piece)))
            same = same and piece == expected
            position += len(piece)
        self.answer_json({"count": position, "same": same})

    def do_early(self, query):
        """Refuses an upload before it is read, and reads no more than it must."""
        self.answer(413, b"too large", [("Connection", "close")])
        self.close_connection = True
        self.connection.shutdown(1)
        while self.rfile.read(1 << 16):
            pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
