"""A proxy that keeps the requests it forwards."""
import re
import socket
import threading


class Recorder:
    """Listens on a free port and forwards to another, byte by byte."""

    def __init__(self, server_port):
        self.server_port = server_port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sent = []  # by clients, one for each connection
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.server_port))
            sent = bytearray()
            self.sent.append(sent)
            threading.Thread(target=forward, args=(client, server, sent), daemon=True).start()
            threading.Thread(target=forward, args=(server, client), daemon=True).start()

    def save(self, folder, name):
        """Writes what clients sent since the last time: NAME.http, NAME-2.http and so on."""
        requests = [request for sent in self.sent for request in split(bytes(sent))]
        self.sent.clear()
        for number, request in enumerate(requests, 1):
            suffix = f"-{number}" if number > 1 else ""
            (folder / f"{name}{suffix}.http").write_bytes(normalised(request, self.port))


def forward(source, target, copy=None):
    try:
        while data := source.recv(1 << 16):
            if copy is not None:
                copy += data
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:  # one of them has left
        source.close()
        target.close()


def split(sent):
    """The requests of a connection; none of these clients sends chunks."""
    requests = []
    while sent:
        head, _, rest = sent.partition(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: *(\d+)", head.lower())
        end = len(head) + 4 + (int(length[1]) if length else 0)
        assert b"\r\ntransfer-encoding:" not in head.lower() and end <= len(sent), head
        requests.append(sent[:end])
        sent = sent[end:]
    return requests


def normalised(request, port):
    """Without what differs from run to run, or tells of the machine."""
    head, _, body = request.partition(b"\r\n\r\n")
    head = head.replace(b"127.0.0.1:%d" % port, b"127.0.0.1:8080")
    head = re.sub(rb"\((Linux|linux)[^)]*\)", rb"(\1)", head)
    return head + b"\r\n\r\n" + body
