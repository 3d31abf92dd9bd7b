"""`dhyan serve` under load, beside `dhyan translate` on the same sentences."""
import contextlib
import json
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request

from harness.runs import DHYAN, WORK, Failed, Missing, note, run
from harness.setups import multi30k, quantized_folder
from harness.tables import text_table

MEASURES = "sentences/s of the server with 64 connections, beside dhyan translate and one at a time; latency; memory"
LENGTH = 16  # tokens of every translation, as in harness/decode.py
OPTIONS = {"max_length": LENGTH, "min_length": LENGTH - 1, "beam_size": 1}
CONNECTIONS = 64
MODELS = ["transformer-tiny", "transformer-base"]
CLIENTS, WORDS = 8, 400  # of the long texts beside a short one


def sentences(count):
    lines = [line.strip() for line in open(multi30k("train.en"), encoding="utf-8")]
    return lines[:count]


@contextlib.contextmanager
def served(folder, threads):
    """A server on a free port; gives its address and process."""
    server = subprocess.Popen([DHYAN, "serve", "-m", f"model={folder}", "--port", "0", "--threads", str(threads),
                               "--requests-per-minute", "0", "--max-waiting", "1024"],
                              stderr=subprocess.PIPE, text=True)
    try:
        address = None
        for line in server.stderr:
            found = re.search(r"listening on (http://\S+)", line)
            address = found.group(1) if found else address
            if "ready" in line:
                break
        if address is None:
            raise Failed("dhyan serve did not start", server.poll())
        threading.Thread(target=server.stderr.read, daemon=True).start()
        yield address, server
    finally:
        server.terminate()
        server.wait()


def body(text):
    return json.dumps({"q": text, "model": "model", **OPTIONS})


def lua(lines):
    """A script for wrk: each request has the next sentence."""
    bodies = ",\n".join(f"[==[{body(line)}]==]" for line in lines)
    return (f"local bodies = {{{bodies}}}\nlocal next = 0\nwrk.method = 'POST'\n"
            "wrk.headers['Content-Type'] = 'application/json'\n"
            "function request()\n  next = next % #bodies + 1\n"
            "  return wrk.format(nil, '/v1/translate', nil, bodies[next])\nend\n")


def wrk(address, connections, seconds, lines):
    if not shutil.which("wrk"):
        raise Missing("wrk, a Debian package")
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(lua(lines))
        script.flush()
        out = run(["wrk", "-t", "1", "-c", connections, "-d", f"{round(seconds)}s", "--timeout", "30s", "-s", script.name,
                   address]).out
    errors = re.search(r"Socket errors.*|Non-2xx.*", out)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", out).group(1)), errors.group(0) if errors else ""


def memory_mb(process):
    status = open(f"/proc/{process.pid}/status").read()
    return int(re.search(r"VmRSS:\s*(\d+)", status).group(1)) / 1024


def translated_rate(folder, threads, lines):
    """Sentences/s of the whole program but its start, which a run with few sentences tells."""
    flags = [option for name, value in OPTIONS.items() for option in [f"--{name.replace('_', '-')}", value]]
    times = []
    for count in [len(lines) // 8, len(lines)]:
        with tempfile.NamedTemporaryFile("w") as text:
            text.write("".join(f"{line}\n" for line in lines[:count]))
            text.flush()
            times.append(run([DHYAN, "translate", "-m", folder, "--threads", threads, *flags], feed=text.name).seconds)
    return (len(lines) - len(lines) // 8) / (times[1] - times[0])


def ask(address, text):
    request = urllib.request.Request(f"{address}/v1/translate", body(text).encode(),
                                     {"Content-Type": "application/json"})
    begin = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()
    return time.perf_counter() - begin


def batch_seconds(address, share):
    """A quantile of dhyan_batch_seconds: the upper end of its bucket."""
    text = urllib.request.urlopen(f"{address}/metrics").read().decode()
    buckets = re.findall(r'dhyan_batch_seconds_bucket\{le="([^"]+)"\} (\d+)', text)
    total = int(buckets[-1][1])
    return next(float(le) for le, count in buckets if int(count) >= share * total)


def short_among_long(address, seconds, lines):
    """p99 of five words while other clients send texts of many sentences all the time."""
    words = " ".join(lines).split()[:WORDS]
    text = " ".join(f"{word}." if i % 20 == 19 else word for i, word in enumerate(words))
    end = time.perf_counter() + seconds

    def long_client():
        while time.perf_counter() < end:
            ask(address, text)

    clients = [threading.Thread(target=long_client) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    times = []
    while time.perf_counter() < end:
        times.append(ask(address, "A man is walking ."))
    for client in clients:
        client.join()
    return statistics.quantiles(times, n=100)[98], len(times)


def measure_model(name, options):
    folder = quantized_folder(name)
    lines = sentences({"transformer-tiny": 16000, "transformer-base": 1500}[name])
    seconds = 15 if options.quick else 60
    row = {"translate": translated_rate(folder, options.threads, lines)}
    with served(folder, options.threads) as (address, server):
        row["one"], _ = wrk(address, 1, seconds / 3, lines)
        before = memory_mb(server)
        row["served"], row["errors"] = wrk(address, CONNECTIONS, seconds, lines)
        middle = memory_mb(server)
        wrk(address, CONNECTIONS, seconds / 3, lines)
        row["memory"] = [before, middle, memory_mb(server)]
    with served(folder, options.threads) as (address, server):
        row["short_p99"], row["short_count"] = short_among_long(address, seconds / 2, lines)
        row["batch_p99"] = batch_seconds(address, 0.99)
    return row


def measure(options):
    rows = {}
    for name in MODELS:
        note(f"  {name} int8")
        rows[name] = measure_model(name, options)
    return {"threads": options.threads, "connections": CONNECTIONS, "rows": rows}


def show(result):
    table = []
    for name, row in result["rows"].items():
        table.append([f"{name} int8", f"{row['translate']:,.0f}", f"{row['served']:,.0f}",
                      f"{row['served'] / row['translate']:.2f}", f"{row['served'] / row['one']:.2f}",
                      row["errors"] or "none", " → ".join(f"{mb:,.0f}" for mb in row["memory"]),
                      f"{1000 * row['short_p99']:,.0f} / {1000 * row['batch_p99']:,.0f}"])
    return text_table(["sentences/s", "dhyan translate", f"serve, {result['connections']} connections",
                       "of translate", "of one at a time", "errors", "memory, MB", "p99 of 5 words / of a batch, ms"], table)
