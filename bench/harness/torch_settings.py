"""What PyTorch's libraries have to be told on CPUs that are newer than they are: environment variables."""
import os

CORE = "OPENBLAS_CORETYPE"
NAMES = [CORE]

# What the kernels for a core use, and the cores whose kernels are as good; the best first.
KERNELS = [("SkylakeX", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
            {"skylakex", "cooperlake", "sapphirerapids"}),
           ("Haswell", {"avx2", "fma"}, {"haswell", "zen"})]


def given():
    """By whoever runs the benchmark."""
    return {name: os.environ[name] for name in NAMES if os.environ.get(name)}


def core_type(core, flags):
    """The core to name to an OpenBLAS that takes a CPU with these flags for `core`; None if that is good. One that it
    does not know it takes for the oldest, and is then five times as slow."""
    for name, needed, as_good in KERNELS:
        if needed <= flags:
            return None if core.lower() in as_good else name
    return None


def listed(settings):
    return ", ".join(f"{name}={value}" for name, value in settings.items())
