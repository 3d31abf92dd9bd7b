"""dhyan serve answers on the sockets that systemd hands over: python3 socket_activation_test.py DHYAN"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

DHYAN = sys.argv.pop(1)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Activation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.folder.name, "model")
        pairs = os.path.join(cls.folder.name, "pairs.tsv")
        with open(pairs, "w") as file:
            file.write("एक\tone\nदो\ttwo\n" * 10)
        subprocess.run([DHYAN, "train", "--train", pairs, "--max-steps", "1", "--hidden", "8", "--embedding", "8", "--tokenizer",
                        "word", "--threads", "1", "-o", cls.model], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, listeners, process=None):
        """Starts the server as systemd does: sockets from descriptor 3 on, and their number in the environment."""
        log = open(os.path.join(self.folder.name, "log"), "w+")
        child = os.fork()
        if child == 0:
            high = [os.dup2(listener.fileno(), 100 + i) for i, listener in enumerate(listeners)]
            for i, descriptor in enumerate(high):
                os.dup2(descriptor, 3 + i)
            os.dup2(log.fileno(), 2)
            environment = dict(os.environ, LISTEN_PID=str(process or os.getpid()), LISTEN_FDS=str(len(listeners)))
            os.execve(DHYAN, [DHYAN, "serve", "-m", self.model, "--port", "0"], environment)
        self.addCleanup(self.end, child, log)
        return child, log

    def end(self, child, log):
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        log.close()

    def text(self, log):
        log.seek(0)
        return log.read()

    def wait_for(self, log, text):
        for _ in range(600):
            if text in self.text(log):
                return
            time.sleep(0.05)
        self.fail(f"{text!r} is not in the log: {self.text(log)}")

    def test_it_serves_on_tcp_and_unix_sockets_that_it_is_given(self):
        tcp = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(tcp.close)
        path = os.path.join(self.folder.name, "socket")
        unix = socket.socket(socket.AF_UNIX)
        self.addCleanup(unix.close)
        unix.bind(path)
        unix.listen()
        child, log = self.start([tcp, unix])
        self.wait_for(log, "dhyan: ready")
        port = tcp.getsockname()[1]
        self.assertIn(f"listening on http://127.0.0.1:{port}\n", self.text(log))
        self.assertIn(f"listening on unix:{path}\n", self.text(log))
        self.assertEqual(self.text(log).count("listening on"), 2, "not on --port as well")
        for connection in (http.client.HTTPConnection("127.0.0.1", port), UnixConnection(path)):
            connection.request("GET", "/health")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        os.kill(child, signal.SIGTERM)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue(os.path.exists(path), "the file is systemd's")

    def test_it_leaves_sockets_alone_that_are_for_another_process(self):
        tcp = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(tcp.close)
        _, log = self.start([tcp], process=1)
        self.wait_for(log, "listening on")
        self.assertNotIn(f":{tcp.getsockname()[1]}\n", self.text(log))

    def test_it_refuses_a_descriptor_that_is_no_socket(self):
        nothing = open(os.devnull)
        self.addCleanup(nothing.close)
        child, log = self.start([nothing])
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 3)
        self.assertIn("descriptor 3: is not a socket that listens", self.text(log))


if __name__ == "__main__":
    unittest.main()
