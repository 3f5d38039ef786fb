#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A trace that breaks off is answered from what is there, with a warning that says where it ends.

Traces are cut at many places, plain and packed, and packed ones damaged. Where one whole kernel is
left the answer counts exactly the kernels that are whole; where none is, there is one line of error.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import zlib
from bisect import bisect_right

from trace_text import KINETO, Raw, Style, cut_down, gzip_member, is_step, load, zstd_frame

BIN = os.environ["UPLIFT_BIN"]
TINY = load(pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces" / "tiny_train.json")
REAL = cut_down(load(pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"]) / "examples" / "recordings"
                     / "resnet50-train-224-64-fp32.json.gz"), 7_000_000)
BREAKS_OFF = r"cut off|breaks off"
DAMAGED = BREAKS_OFF + "|damaged"


class Text:
    """A trace as bytes, and where each of its events lies in them."""

    def __init__(self, trace, style=KINETO):
        self.bytes = style.trace(trace)
        self.events = []  # (begin, end, event)
        at = self.bytes.index(b"[", self.bytes.index(b'"traceEvents"')) + 1
        for event in trace["traceEvents"]:
            text = style.value(event).encode("utf-8", "surrogateescape")
            begin = self.bytes.index(text, at)
            at = begin + len(text)
            self.events.append((begin, at, event))
        self.kernel_ends = [end for _, end, event in self.events if event.get("cat") == "kernel"]

    def kernels(self, cut):
        """Whole ones in the first `cut` bytes."""
        return bisect_right(self.kernel_ends, cut)

    def last_end(self, cut):
        """Where the last whole event before `cut` ends."""
        return max((end for _, end, _ in self.events if end <= cut), default=0)


def device_first(trace):
    return {**trace, "traceEvents": sorted(
        trace["traceEvents"], key=lambda event: event.get("cat") != "kernel")}


def advise(path, *options):
    return subprocess.run([BIN, "advise", str(path), "--to", "b200-sxm", "--format", "json", *options],
                          capture_output=True, text=True, timeout=60)


class Cuts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def check_all(self, cases):
        """Each case: (name, content, fewest kernels, most kernels, pattern, least byte, last byte).
        The bytes are where the warning may say that the file ends, or None for any."""
        def run(numbered):
            number, (_, content, *_) = numbered
            file = self.path / f"{number}.json"
            file.write_bytes(content)
            return advise(file)
        cases = list(cases)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for case, result in zip(cases, pool.map(run, enumerate(cases))):
                with self.subTest(case[0]):
                    self.check(result, *case[2:])

    def check(self, result, fewest, most, pattern, least_byte, last_byte):
        if most == 0:
            self.assertEqual(1, result.returncode, f"{result.stderr}{result.stdout[:500]}")
            self.assertRegex(result.stderr, r"\Auplift: [^\n]+\n\Z")
            self.assertEqual("", result.stdout)
            return
        if fewest == 0 and result.returncode == 1:  # nothing was left of it, as may happen here
            self.assertRegex(result.stderr, pattern)
            return
        self.assertEqual(0, result.returncode, result.stderr)
        workload = json.loads(result.stdout)["workload"]
        self.assertGreaterEqual(workload["kernel_launches"], fewest)
        self.assertLessEqual(workload["kernel_launches"], most)
        said = [warning for warning in workload["warnings"] if re.search(pattern, warning)]
        self.assertEqual(1, len(said), workload["warnings"])
        self.assertIn(said[0], result.stderr)
        byte = re.search(r"byte ([\d,]+)", said[0])
        self.assertTrue(byte, said[0])
        if last_byte is not None:
            number = int(byte[1].replace(",", ""))
            self.assertGreaterEqual(number, least_byte, said[0])
            self.assertLessEqual(number, last_byte, said[0])

    @staticmethod
    def plain(name, text, cuts):
        for cut in sorted(set(cuts)):
            count = text.kernels(cut)
            yield (f"{name}, {cut} of {len(text.bytes)} bytes", text.bytes[:cut], count, count,
                   BREAKS_OFF, text.last_end(cut), cut)

    def test_the_whole_traces_are_whole(self):
        for trace in (TINY, REAL):
            (self.path / "whole.json").write_bytes(KINETO.trace(trace))
            result = advise(self.path / "whole.json")
            self.assertEqual((0, ""), (result.returncode, result.stderr))

    def test_in_the_head(self):
        text = Text(REAL)
        first = text.events[0][0]
        self.check_all(self.plain("head", text, [1, 2, 9, 100, first // 2, first - 20, first]))

    def test_before_and_behind_the_first_kernel(self):
        for name, trace in (("tiny", TINY), ("real", REAL), ("device first", device_first(REAL))):
            text = Text(trace)
            end = text.kernel_ends[0]
            self.check_all(self.plain(name, text, [end - 100, end - 1, end, end + 1, end + 2]))

    def test_at_even_distances(self):
        for name, trace, style in (
                ("tiny", TINY, KINETO), ("real", REAL, KINETO),
                ("device first", device_first(REAL), KINETO),
                ("compact", device_first(REAL), Style(":", ",", ",", ""))):
            text = Text(trace, style)
            self.check_all(self.plain(name, text, (len(text.bytes) * k // 12 for k in range(1, 12))))

    def test_at_every_kind_of_place_in_an_event(self):
        text = Text(device_first(REAL))
        for wanted in ("kernel", "cpu_op", "cuda_runtime", "ac2g", "user_annotation"):
            places = [(b, e) for b, e, event in text.events if event.get("cat") == wanted]
            begin, end = places[len(places) // 2]
            event = text.bytes[begin:end]
            offsets = [0, 1, 2, event.index(b'"name": "') + 12, event.index(b'"ts":') + 5,
                       event.index(b'"ts":') + 10, *range(len(event) - 2, len(event) + 2)]
            if b'"args"' in event:
                offsets += [event.index(b'"args"'), event.index(b'"args"') + 9]
            self.check_all(self.plain(wanted, text, (begin + offset for offset in offsets)))

    def test_behind_the_last_event(self):
        for name, trace in (("tiny", TINY), ("real", REAL)):
            text = Text(trace)
            last = text.events[-1][1]
            end_of_list = text.bytes.index(b"]", last)
            self.check_all(self.plain(name, text, [
                last, last + 1, end_of_list, end_of_list + 1, len(text.bytes) - 2, len(text.bytes) - 1]))

    def test_behind_the_list_in_another_member(self):
        more = {"a": [TINY["schemaVersion"]]}
        text = Text({**TINY, "traceName": "a name that breaks off", "more": more})
        at = text.bytes.rindex(b'"traceName"')
        self.check_all(self.plain("member", text, [at, at + 3, at + 11, at + 20, len(text.bytes) - 5]))

    def test_in_a_bare_list(self):
        style, events = KINETO, TINY["traceEvents"]
        content = style.trace(events)
        named = Text({"traceEvents": events})
        shift = named.bytes.index(b"[") - content.index(b"[")
        for cut in (len(content) // 2, len(content) - 3):
            file = self.path / "bare.json"
            file.write_bytes(content[:cut])
            with self.subTest(cut):
                count = named.kernels(cut + shift)
                self.check(advise(file, "--from", "a100-sxm4-80gb"), count, count, BREAKS_OFF, 0, cut)

    def test_behind_a_raw_quote(self):
        events = list(device_first(REAL)["traceEvents"])
        step = next(event for event in events if is_step(event))
        events.insert(50, {**step, "cat": "python_function", "name": Raw('5" disk')})
        text = Text({**REAL, "traceEvents": events})
        self.check_all(self.plain("quote", text, (len(text.bytes) * k // 7 for k in range(1, 7))))

    def packed(self, name, packed, text, cuts):
        """Cut gzip streams; places where a decompressor's last bits could matter are moved."""
        for cut in cuts:
            while True:
                inflated = len(inflate(packed[:cut]))
                if text.kernels(inflated) == text.kernels(inflated - 300):
                    break
                cut -= 1
            count = text.kernels(inflated)
            yield (f"{name}, {cut} of {len(packed)} bytes", packed[:cut], count, count, BREAKS_OFF,
                   0, None)

    def test_gzip_cut(self):
        for name, trace in (("tiny", TINY), ("real", device_first(REAL))):
            text = Text(trace)
            for level in (1, 9):
                packed = gzip_member(text.bytes, level)
                cuts = [3, 12] + [len(packed) * k // 6 for k in range(1, 6)]
                self.check_all(self.packed(f"{name}, level {level}", packed, text, cuts))
                self.check_all(  # the trailer: all of the text is there
                    (f"{name}, {less} bytes short", packed[:-less], len(text.kernel_ends),
                     len(text.kernel_ends), BREAKS_OFF, 0, None) for less in (1, 4, 8))

    def test_gzip_cut_in_a_later_member(self):
        text = Text(device_first(REAL))
        half = len(text.bytes) // 2
        packed = gzip_member(text.bytes[:half]) + gzip_member(text.bytes[half:])
        first = len(gzip_member(text.bytes[:half]))
        cuts = [first + 5, first + 500, len(packed) - 3000]
        self.check_all(self.packed("members", packed, text, cuts))
        # Nothing of the second member: the gzip file is whole, the trace in it is not.
        self.check_all([("first member only", packed[:first], text.kernels(half), text.kernels(half),
                         BREAKS_OFF, text.last_end(half), half)])

    def test_gzip_damaged(self):
        text = Text(device_first(REAL))
        everything = len(text.kernel_ends)
        packed = bytearray(gzip_member(text.bytes))
        packed[-6] ^= 0x10  # in the checksum
        cases = [("checksum", bytes(packed), everything, everything, DAMAGED, 0, None)]
        for share in (0.2, 0.5, 0.9):
            good = int(len(text.bytes) * share)
            compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
            stream = compressor.compress(text.bytes[:good]) + compressor.flush(zlib.Z_FULL_FLUSH)
            # No block begins with three set bits (RFC 1951, 3.2.3): found out at once.
            cases.append((f"no block at {good}", stream + b"\xff" * 5000, text.kernels(good),
                          text.kernels(good), DAMAGED, 0, None))
        half = len(text.bytes) // 2
        member = gzip_member(text.bytes[:half])
        cases.append(("second header", member + b"\x1f\x8b\x77\x00" + b"\0" * 3000,
                      text.kernels(half), text.kernels(half), DAMAGED, 0, None))
        self.check_all(cases)

    def test_gzip_overwritten_in_the_middle(self):
        """What is decompressed behind such damage is anybody's guess: but no crash, and no silence."""
        packed = gzip_member(KINETO.trace(device_first(REAL)))
        for seed in range(6):
            dice = random.Random(seed)
            at = dice.randrange(100, len(packed) - 200)
            bad = packed[:at] + dice.randbytes(100) + packed[at + 100:]
            (self.path / "bad.json.gz").write_bytes(bad)
            with self.subTest(seed):
                result = advise(self.path / "bad.json.gz")
                self.assertIn(result.returncode, (0, 1), result.stderr)
                self.assertRegex(result.stderr, r"\A(uplift: [^\n]+\n)+\Z")
                if result.returncode == 0:
                    self.assertRegex(result.stderr, DAMAGED)

    def test_zstd_cut_and_damaged(self):
        text, block = Text(device_first(REAL)), 10_000
        packed = zstd_frame(text.bytes, block)
        cases = []
        for share in (0.001, 0.2, 0.51, 0.9, 0.999):
            cut = int(len(packed) * share)
            blocks = (cut - 6) // (block + 3)  # whole ones; part of the next may be handed out too
            most = text.kernels(min(cut - 6 - 3 * (blocks + 1), len(text.bytes)))
            cases.append((f"cut at {cut}", packed[:cut], text.kernels(blocks * block), most,
                          BREAKS_OFF, 0, None))
        for blocks in (3, 20, 39):
            at = 6 + blocks * (block + 3)
            count = text.kernels(blocks * block)
            cases.append((f"cut behind block {blocks}", packed[:at], count, count, BREAKS_OFF,
                          0, None))
            # Block type 3 does not exist (RFC 8878, 3.1.1.2.2). The library does not say how much of
            # its output is good when it finds that out; 128 KiB is the largest block.
            bad = packed[:at] + bytes([packed[at] | 6]) + packed[at + 1:]
            cases.append((f"damaged at block {blocks}", bad, text.kernels(blocks * block - (128 << 10)),
                          count, DAMAGED, 0, None))
        self.check_all(cases)


def inflate(packed):
    """As much as there is; members one after the other."""
    out = b""
    while packed:
        stream = zlib.decompressobj(31)
        out += stream.decompress(packed)
        packed = stream.unused_data if stream.eof else b""
    return out


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
