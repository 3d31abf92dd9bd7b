"""The machine that was measured, and its peak rates."""
import json
import pathlib
import subprocess

from harness.runs import DHYAN, PROGRAMS, ROOT, run

MEASURES = "the machine's fp32 and AMX peak and its memory bandwidth, on one thread and on all"


def first_match(path, field):
    for line in pathlib.Path(path).read_text().split("\n"):
        if line.startswith(field):
            return line.split(":", 1)[1].strip()
    return ""


def last_level_cache():
    sizes = pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")
    return max((int(size.read_text().strip()[:-1]) * 1024 for size in sizes), default=0)


def cpu_flags():
    return set(first_match("/proc/cpuinfo", "flags").split())


def describe():
    flags = cpu_flags()
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    cores = sum(line.startswith("processor") for line in pathlib.Path("/proc/cpuinfo").read_text().split("\n"))
    return {
        "cpu": first_match("/proc/cpuinfo", "model name"),
        "cores": cores,
        "vnni": "avx512_vnni" in flags or "avx_vnni" in flags,
        "bfloat16": "avx512_bf16" in flags,
        "cache_bytes": last_level_cache(),
        "dhyan": run([DHYAN, "--version"]).out.strip(),
        "commit": commit.stdout.strip(),
    }


def measure(options):
    rounds = 5 if options.quick else 15
    return {"by_threads": [json.loads(run([PROGRAMS / "machine_bench", "--rounds", rounds, "--threads", threads]).out)
                           for threads in (1, options.threads)]}


def show(result):
    return "\n".join(f"{one['threads']} threads: {one['peak_gflops']:.0f} GFLOP/s, AMX bfloat16 "
                     f"{one['tile_gflops']:.0f}, reads {one['read_gb_per_second']:.1f} GB/s"
                     for one in result["by_threads"])
