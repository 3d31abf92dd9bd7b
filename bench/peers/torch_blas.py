#!/usr/bin/env python3
"""As JSON, the core that the OpenBLAS of PyTorch takes this CPU for, null if PyTorch has another BLAS, and the core
that it was told to take."""
import ctypes
import json
import os

import torch  # noqa: F401, loads its BLAS


def core():
    with open("/proc/self/maps") as maps:
        loaded = sorted({line.split()[-1] for line in maps if "openblas" in line})
    for path in loaded:
        try:
            name = ctypes.CDLL(path).openblas_get_corename
        except (OSError, AttributeError):  # numpy's own has other names, and PyTorch does not use it
            continue
        name.restype = ctypes.c_char_p
        return name().decode()
    return None


print(json.dumps({"core": core(), "told": os.environ.get("OPENBLAS_CORETYPE", "")}))
