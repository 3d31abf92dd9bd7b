#!/usr/bin/env python3
"""Writes a model of Firefox (.bin of intgemm) as float32 in Marian's .npz, which pymarian reads.

usage: firefox_to_marian.py MODEL.bin OUTPUT/model.npz
"""
import pathlib
import struct
import sys

import numpy as np

FLOAT32, BYTES, INTGEMM8 = 0x404, 0x101, 0x4101


def tensors(data):
    """{name: array} of a .bin, version 1; of intgemm8, values divided by their factor and as [in,out]."""
    (count,) = struct.unpack_from("<Q", data, 8)
    headers = [struct.unpack_from("<4Q", data, 16 + 32 * i) for i in range(count)]
    at, names, shapes, found = 16 + 32 * count, [], [], {}
    for name, *_ in headers:
        names.append(data[at:at + name - 1].decode())
        at += name
    for _, _, rank, _ in headers:
        shapes.append(struct.unpack_from(f"<{rank}i", data, at))
        at += 4 * rank
    at += 8 + struct.unpack_from("<Q", data, at)[0]
    for (_, kind, _, size), name, shape in zip(headers, names, shapes):
        values = int(np.prod(shape))
        if kind == INTGEMM8:
            whole = np.frombuffer(data, np.int8, values, at).astype(np.float32)
            whole /= np.float32(struct.unpack_from("<f", data, at + values)[0])
            found[name] = whole.reshape(shape) if "Wemb" in name else whole.reshape(shape[::-1]).T.copy()
        else:
            found[name] = np.frombuffer(data, {FLOAT32: np.float32, BYTES: np.int8}[kind], values, at).reshape(shape)
        at += size
    return {name: array for name, array in found.items() if not name.endswith("_QuantMultA")}


def main(model, output):
    output.parent.mkdir(parents=True, exist_ok=True)
    np.savez(output, **tensors(model.read_bytes()))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__.split("\n\n")[1])
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
