#!/usr/bin/env python3
"""Small pictures of every kind and their pixels by Pillow, for tests/pictures_test.cpp.

    python3 -m venv venv && venv/bin/pip install pillow==13.0.0 numpy==2.4.6
    venv/bin/python tests/golden/make_pictures.py

Writes tests/golden/pictures/ and tests/golden/pictures.json. PNG files are written by the code below, as Pillow writes
neither interlaced ones nor colours of 16 bits; their pixels are computed from the samples, and compared with Pillow's
where it keeps 8 bits. Alpha is blended with white.
"""
import io
import json
import pathlib
import struct
import zlib

import numpy as np
import PIL
from PIL import Image, ImageOps

FOLDER = pathlib.Path(__file__).parent / "pictures"
HEIGHT, WIDTH = 9, 13
ENTRIES = []

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6  # colour types of PNG
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}


def scene(height=HEIGHT, width=WIDTH):
    """Smooth colours, different in every corner: [H,W,3]."""
    y, x = np.mgrid[0:height, 0:width]
    red = 255 * x / (width - 1)
    green = 255 * y / max(height - 1, 1)
    blue = 127 + 120 * np.sin(x / 3 + y / 2)
    return np.stack([red, green, blue], axis=-1).round().astype(np.uint8)


def on_white(rgba):
    """[H,W,4] to [H,W,3], rounded as src/vision does."""
    rgba = rgba.astype(np.int64)
    alpha = rgba[..., 3:]
    return ((alpha * rgba[..., :3] + (255 - alpha) * 255 + 127) // 255).astype(np.uint8)


def pillow(data):
    """The upright picture on white."""
    with Image.open(io.BytesIO(data)) as picture:
        picture = ImageOps.exif_transpose(picture)
        if picture.mode in ("CMYK", "L", "RGB") and "transparency" not in picture.info:
            return np.asarray(picture.convert("RGB"))
        return on_white(np.asarray(picture.convert("RGBA")))


def keep(name, data, pixels, tolerance=0, wanted=None):
    (FOLDER / name).write_bytes(data)
    entry = {"file": name, "height": pixels.shape[0], "width": pixels.shape[1], "tolerance": tolerance,
             "pixels": pixels.astype(np.uint8).tobytes().hex()}
    if wanted:
        entry["wanted"] = wanted
    ENTRIES.append(entry)


# PNG


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, depth):
    """Rows of samples [H,W,C] as PNG has them, each with filter 0."""
    rows = b""
    for row in samples.reshape(samples.shape[0], -1).astype(np.int64):
        if depth == 16:
            rows += b"\0" + row.astype(">u2").tobytes()
        elif depth == 8:
            rows += b"\0" + row.astype(np.uint8).tobytes()
        else:
            bits = "".join(format(value, f"0{depth}b") for value in row)
            bits += "0" * (-len(bits) % 8)
            rows += b"\0" + bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
    return rows


def png(samples, colour_type, depth=8, interlaced=False, before=(), after=()):
    passes = [(0, 0, 1, 1)]
    if interlaced:  # Adam7
        passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    rows = b""
    for top, left, down, across in passes:
        part = samples[top::down, left::across]
        if part.size:
            rows += packed(part, depth)
    height, width = samples.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    parts = [(b"IHDR", header), *before, (b"IDAT", zlib.compress(rows, 9)), *after, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def keep_png(name, pixels, samples, colour_type, depth=8, check=True, **options):
    data = png(samples, colour_type, depth, **options)
    if check:
        assert (pillow(data) == pixels).all(), name
    keep(name, data, pixels)


def png_pictures():
    rgb = scene()
    grey = rgb[..., :1]
    alpha = (np.arange(HEIGHT * WIDTH) * 255 // (HEIGHT * WIDTH - 1)).reshape(HEIGHT, WIDTH, 1)
    threefold = np.repeat(grey, 3, axis=-1)
    rgba = np.concatenate([rgb, alpha], axis=-1)
    keep_png("rgb.png", rgb, rgb, RGB)
    keep_png("interlaced.png", rgb, rgb, RGB, interlaced=True)
    keep_png("grey.png", threefold, grey, GREY)
    keep_png("grey_alpha.png", on_white(np.concatenate([threefold, alpha], axis=-1)),
             np.concatenate([grey, alpha], axis=-1), GREY_ALPHA)
    keep_png("rgba.png", on_white(rgba), rgba, RGBA)
    keep_png("interlaced_rgba.png", on_white(rgba), rgba, RGBA, interlaced=True)
    for depth in (1, 2, 4):
        few = grey.astype(np.int64) * ((1 << depth) - 1) // 255
        keep_png(f"grey{depth}.png", np.repeat(few * 255 // ((1 << depth) - 1), 3, axis=-1), few, GREY, depth)
    transparent = np.concatenate([threefold, np.where(grey == grey[3, 4], 0, 255)], axis=-1)
    keep_png("grey_transparent.png", on_white(transparent), grey, GREY,
             before=[(b"tRNS", struct.pack(">H", int(grey[3, 4, 0])))])
    is_red = (rgb == rgb[3, 4]).all(axis=-1, keepdims=True)
    keep_png("rgb_transparent.png", on_white(np.concatenate([rgb, np.where(is_red, 0, 255)], axis=-1)), rgb, RGB,
             before=[(b"tRNS", struct.pack(">HHH", *map(int, rgb[3, 4])))])
    palette_pictures()
    deep = (np.arange(HEIGHT * WIDTH * 4) * 137 % 65536).reshape(HEIGHT, WIDTH, 4)
    shallow = (deep * 255 + 32767) // 65535
    keep_png("rgb16.png", shallow[..., :3], deep[..., :3], RGB, 16, check=False)
    keep_png("rgba16.png", on_white(shallow), deep, RGBA, 16, check=False)
    keep_png("grey16.png", np.repeat(shallow[..., :1], 3, axis=-1), deep[..., :1], GREY, 16, check=False)
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = np.rot90(rgb, -1)
    keep_png("exif6.png", turned, rgb, RGB, before=[(b"eXIf", exif.tobytes()[6:])])
    keep_png("exif6_behind.png", turned, rgb, RGB, after=[(b"eXIf", exif.tobytes()[6:])], check=False)


def palette_pictures():
    for depth in (1, 2, 4, 8):
        colours = scene(1, min(1 << depth, 20))[0] if depth > 1 else np.array([[250, 10, 20], [0, 90, 200]], np.uint8)
        indices = np.arange(HEIGHT * WIDTH).reshape(HEIGHT, WIDTH, 1) * 7 % len(colours)
        keep_png(f"palette{depth}.png", colours[indices[..., 0]], indices, PALETTE, depth,
                 before=[(b"PLTE", colours.tobytes())])
    some = bytes(i * 40 for i in range(6))  # of fewer entries than the palette has: the others are opaque
    alpha = np.array(list(some) + [255] * (len(colours) - len(some)))
    keep_png("palette_transparent.png", on_white(np.concatenate([colours, alpha[:, None]], axis=1)[indices[..., 0]]),
             indices, PALETTE, 8, before=[(b"PLTE", colours.tobytes()), (b"tRNS", some)])
    keep_png("interlaced_palette.png", colours[indices[..., 0]], indices, PALETTE, 8, interlaced=True,
             before=[(b"PLTE", colours.tobytes())])


# JPEG


def jpeg(picture, **options):
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=90, optimize=True, **options)
    return data.getvalue()


def keep_jpeg(name, data, wanted=None):
    pixels = pillow(data)
    if wanted:
        with Image.open(io.BytesIO(data)) as picture:
            picture.draft("RGB", (wanted[1], wanted[0]))
            pixels = np.asarray(picture)
    keep(name, data, pixels, tolerance=2, wanted=wanted)


def jpeg_pictures():
    picture = Image.fromarray(scene())
    keep_jpeg("full.jpg", jpeg(picture, subsampling="4:4:4"))
    keep_jpeg("subsampled.jpg", jpeg(picture, subsampling="4:2:0"))
    keep_jpeg("progressive.jpg", jpeg(picture, progressive=True))
    keep_jpeg("grey.jpg", jpeg(picture.convert("L")))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        keep_jpeg(f"exif{orientation}.jpg", jpeg(picture.convert("L") if orientation % 2 else picture, exif=exif))
    inverted = jpeg(Image.fromarray(np.concatenate([255 - scene(), scene()[..., :1] // 3], axis=-1), "CMYK"))
    marker = inverted.index(b"\xff\xee\x00\x0eAdobe")
    keep_jpeg("cmyk.jpg", inverted)
    keep_jpeg("ycck.jpg", inverted[:marker + 15] + b"\x02" + inverted[marker + 16:])
    plain = inverted[:marker] + inverted[marker + 16:]  # Pillow takes this for inverted, too
    cmyk = 255 - np.asarray(Image.open(io.BytesIO(plain))).astype(np.int64)
    keep("cmyk_not_adobe.jpg", plain, ((255 - cmyk[..., :3]) * (255 - cmyk[..., 3:]) + 127) // 255, tolerance=2)
    large = jpeg(Image.fromarray(scene(64, 48)), subsampling="4:4:4")
    keep_jpeg("half.jpg", large, wanted=[32, 20])
    keep_jpeg("eighth.jpg", large, wanted=[8, 6])


# WebP


def webp(picture, **options):
    data = io.BytesIO()
    picture.save(data, "WEBP", **options)
    return data.getvalue()


def webp_pictures():
    picture = Image.fromarray(scene())
    alpha = np.tile(np.arange(WIDTH) * 20, (HEIGHT, 1)).astype(np.uint8)
    rgba = Image.fromarray(np.concatenate([scene(), alpha[..., None]], axis=-1))
    exif = Image.Exif()
    exif[0x0112] = 8
    for name, data, tolerance in (
        ("lossy.webp", webp(picture, quality=80), 2),
        ("lossless.webp", webp(picture, lossless=True), 0),
        ("lossy_alpha.webp", webp(rgba, quality=80), 2),
        ("lossless_alpha.webp", webp(rgba, lossless=True), 0),
        ("exif8.webp", webp(picture, lossless=True, exif=exif), 0),
        ("animated.webp", webp(picture, lossless=True, save_all=True, append_images=[picture.rotate(180)]), 0),
    ):
        keep(name, data, pillow(data), tolerance)


FOLDER.mkdir(exist_ok=True)
png_pictures()
jpeg_pictures()
webp_pictures()
lines = ",\n".join(json.dumps(entry) for entry in ENTRIES)
made_by = json.dumps("tests/golden/make_pictures.py with Pillow " + PIL.__version__)
(FOLDER.parent / "pictures.json").write_text('{"made by": ' + made_by + ',\n"pictures": [\n' + lines + "]}\n")
