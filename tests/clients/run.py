"""Drives a real server with the clients that people have; with a folder, records what they send into it.

    run.py DHYAN MODELS [FOLDER]

python_clients.py and node_clients.mjs have the calls. The Node packages are in the folder where this runs.
"""
import pathlib
import re
import subprocess
import sys
import threading
import traceback

import python_clients
from recorder import Recorder

HERE = pathlib.Path(__file__).parent
MODELS = ["hi-en", "en-hi", "fr-en", "text", "blanks"]
PATIENCE = 60  # seconds for a call


def start_server(dhyan, models):
    """The process, and its port."""
    folders = [word for model in MODELS for word in ["-m", f"{models}/{model}"]]
    server = subprocess.Popen([dhyan, "serve", "--port", "0", *folders], stderr=subprocess.PIPE, text=True)
    port = None
    for line in server.stderr:
        found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
        port = int(found[1]) if found else port
        if "ready" in line:
            threading.Thread(target=server.stderr.read, daemon=True).start()  # or it would wait for a reader
            return server, port
    raise SystemExit(f"dhyan serve ended with {server.wait()}")


def node(*words):
    return subprocess.run(["node", str(HERE / "node_clients.mjs"), *words], check=True, capture_output=True, text=True,
                          timeout=PATIENCE).stdout


def calls():
    """Functions of an address, by name."""
    yield from python_clients.CALLS.items()
    for name in node().split():
        yield name, lambda address, name=name: node(name, address)


def main(dhyan, models, folder=None):
    server, port = start_server(dhyan, models)
    recorder = Recorder(port) if folder else None
    address = f"http://127.0.0.1:{recorder.port if recorder else port}"
    failed = 0
    try:
        for name, call in calls():
            try:
                call(address)
                print(f"ok      {name}")
            except Exception as error:  # whatever a client throws
                failed += 1
                traceback.print_exc()
                print(f"FAILED  {name}: {getattr(error, 'stderr', '')}")
            if recorder:
                recorder.save(pathlib.Path(folder), name)
    finally:
        server.terminate()
        server.wait()
    sys.exit(f"{failed} calls failed" if failed else None)


main(*sys.argv[1:])
