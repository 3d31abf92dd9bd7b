"""Environment variables that PyTorch's libraries need on CPUs that are newer than they are."""
import os
import signal

from harness.runs import Failed, note

CORE = "OPENBLAS_CORETYPE"
LIMIT = "ONEDNN_MAX_CPU_ISA"
NAMES = [CORE, LIMIT, "DNNL_MAX_CPU_ISA"]  # the last is the older name of the limit, and still read

# What the kernels for a core use, and the cores whose kernels are as good; the best first.
KERNELS = [("SkylakeX", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
            {"skylakex", "cooperlake", "sapphirerapids"}),
           ("Haswell", {"avx2", "fma"}, {"haswell", "zen"})]


def given():
    """The settings from the environment of the benchmark."""
    return {name: os.environ[name] for name in NAMES if os.environ.get(name)}


def core_type(core, flags):
    """The core type to set for an OpenBLAS that takes a CPU with these flags for `core`; None if that is good. OpenBLAS
    takes an unknown CPU for the oldest, and is then five times as slow."""
    for name, needed, as_good in KERNELS:
        if needed <= flags:
            return None if core.lower() in as_good else name
    return None


def without_amx(once, settings):
    """once(settings). oneDNN 2.6 crashes in its AMX kernels, which zero a tile before configuring any. A second try
    then limits it to older instructions, and the settings keep the limit if that helps."""
    try:
        return once(settings)
    except Failed as error:
        if error.code != -signal.SIGILL or settings.keys() & set(NAMES[1:]):
            raise
    limited = {LIMIT: "AVX512_CORE_BF16"}
    note(f"    PyTorch dies of SIGILL; once more with {listed(limited)}")
    result = once({**settings, **limited})
    settings.update(limited)
    return result


def how_it_ended(code):
    """How a failed program ended, for messages."""
    if code is None:
        return "ends for an unknown reason"
    return f"dies of {signal.Signals(-code).name}" if code < 0 else f"ends with exit code {code}"


def listed(settings):
    return ", ".join(f"{name}={value}" for name, value in settings.items())
