# SPDX-License-Identifier: Apache-2.0
"""Traces as data that can be written back in other ways: numbers keep their decimal text, names may
hold what JSON forbids, and the writer is told about white space and the order of keys.

Shared by the tests that write variants, cuts and nasty inputs; it knows nothing of uplift.
"""

import gzip
import json
import pathlib
import struct


QUOTED = json.encoder.encode_basestring  # a string as JSON, letters beyond ASCII as they are


class Number(str):
    """A number as its text."""


class Raw(str):
    """The inside of a string, written as it stands: no escapes. Bytes that are not UTF-8 are given as
    the surrogates of `surrogateescape`."""


class Word(str):
    """Text that is not JSON, such as NaN, written as it stands and without quotes."""


def load(path):
    """The top-level object with every number a Number."""
    data = pathlib.Path(path).read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return json.loads(text, parse_float=Number, parse_int=Number)


class Style:
    """How the text between the values looks. The default is that of Kineto."""

    def __init__(self, colon=": ", comma=", ", event_comma=",\n  ", newline="\n  ", keys=None):
        self.colon, self.comma, self.event_comma, self.newline = colon, comma, event_comma, newline
        self.keys = keys or (lambda pairs: pairs)  # reorders the members of an event

    def value(self, value):
        if isinstance(value, (Number, Word)):
            return str(value)
        if isinstance(value, Raw):
            return f'"{value}"'
        if isinstance(value, dict):
            pairs = self.keys(list(value.items()))
            inside = (self.value(key) + self.colon + self.value(part) for key, part in pairs)
            return "{" + self.comma.join(inside) + "}"
        if isinstance(value, list):
            return "[" + self.comma.join(map(self.value, value)) + "]"
        return QUOTED(value)

    def events(self, events):
        if not events:
            return "[]"
        return "[" + self.newline + self.event_comma.join(map(self.value, events)) + self.newline + "]"

    def trace(self, trace):
        """The whole file as bytes; a list stands for itself."""
        if isinstance(trace, list):
            text = self.events(trace)
        else:
            members = (
                self.value(key) + self.colon
                + (self.events(part) if key == "traceEvents" else self.value(part))
                for key, part in trace.items())
            text = "{" + self.newline + self.event_comma.join(members) + self.newline + "}"
        return text.encode("utf-8", "surrogateescape")


KINETO = Style()


def microseconds(text):
    """Decimal microseconds to integer nanoseconds."""
    whole, _, fraction = str(text).partition(".")
    sign = -1 if whole.startswith("-") else 1
    return int(whole) * 1000 + sign * int((fraction + "000")[:3])


def decimal(nanoseconds, digits=3):
    """Integer nanoseconds to decimal microseconds; `digits` 0 only where they are whole."""
    sign, size = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    if digits == 0:
        assert size % 1000 == 0
        return Number(f"{sign}{size // 1000}")
    return Number(f"{sign}{size // 1000}.{size % 1000:03d}")


def is_step(event):
    return event.get("name", "").startswith("ProfilerStep#") and event.get("cat") == "user_annotation"


def cut_down(trace, length):
    """The same recording with only what the host did in the first `length` ns of each step, and the
    device work that it asked for there."""
    starts = [microseconds(event["ts"]) for event in trace["traceEvents"] if is_step(event)]
    host = {"cpu_op", "cuda_runtime", "cuda_driver"}
    device = {"kernel", "gpu_memcpy", "gpu_memset"}

    def early(event):
        at = microseconds(event["ts"])
        return any(start <= at < start + length for start in starts)

    asked = {event["args"]["correlation"] for event in trace["traceEvents"]
             if event.get("cat") in host and "correlation" in event.get("args", {}) and early(event)}
    kept = []
    for event in trace["traceEvents"]:
        category = event.get("cat")
        if category in device:
            keep = event["args"]["correlation"] in asked
        elif category == "ac2g":
            keep = event["id"] in asked
        else:
            keep = category is None or is_step(event) or early(event)
        if keep:
            kept.append(event)
    return {**trace, "traceEvents": kept}


def gzip_member(data, level=6):
    return gzip.compress(data, level, mtime=0)


def zstd_frame(data, block=100_000):
    """A zstd frame of uncompressed blocks (RFC 8878, 3.1.1): needs no library."""
    header = struct.pack("<IBB", 0xFD2FB528, 0, 0x58)  # no checksum, no size; a window of 2 MiB
    pieces = [data[at:at + block] for at in range(0, len(data), block)] or [b""]
    return header + b"".join(
        struct.pack("<I", len(piece) << 3 | (i == len(pieces) - 1))[:3] + piece
        for i, piece in enumerate(pieces))
