"""Starts a command and writes its time and memory to a pipe. The peak memory of a process begins with that of its
parent, so this one is small."""
import json
import os
import sys
import time


def busy_seconds():
    """Busy time of all cores since the machine was started, stolen time included."""
    with open("/proc/stat") as statistics:
        user, nice, system, _, _, irq, soft, steal = map(int, statistics.read().split()[1:9])
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")


def main(pipe, *command):
    before, start = busy_seconds(), time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    own = usage.ru_utime + usage.ru_stime
    took = {"seconds": seconds, "cpu_seconds": own, "peak_mb": usage.ru_maxrss / 1024, "code": os.waitstatus_to_exitcode(status),
            "others": max(0.0, (busy_seconds() - before - own) / seconds)}
    os.write(int(pipe), json.dumps(took).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
