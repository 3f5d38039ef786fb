#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces made to do harm: deep nesting, long text, many of everything, times at the clock's ends.

Each must end within the time and memory given here, with an answer or one line of error: no crash,
no exit code beyond the contract's. What the answer says is for other tests. Named on the command
line, only these inputs are tried, and each prints its seconds and memory.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

BIN = os.environ["UPLIFT_BIN"]
SANITIZED = b"__asan_init" in pathlib.Path(BIN).read_bytes()
SECONDS = 180 if SANITIZED else 60  # generous: a debug build on a busy machine
BYTES = 2_000_000_000 if SANITIZED else 1_000_000_000  # resident

DEVICE = '"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}]'
INPUTS = {}


def nasty(function):
    """A generator of pieces of a file."""
    INPUTS[function.__name__] = function
    return function


def trace(events, head=DEVICE):
    yield "{" + head + ', "traceEvents": [\n'
    separator = ""
    for event in events:
        yield separator + event
        separator = ",\n"
    yield "\n]}\n"


def event(category, name, ts, dur, args="", pid=1, tid=1):
    return (f'{{"ph": "X", "cat": "{category}", "name": "{name}", "pid": {pid}, "tid": {tid}, '
            f'"ts": {ts}, "dur": {dur}, "args": {{{args}}}}}')


def kernel(name, ts, dur, correlation, stream=7, device=0, more=""):
    return event("kernel", name, ts, dur, f'"device": {device}, "stream": {stream}, "correlation": '
                 f'{correlation}, "grid": [80, 1, 1], "block": [256, 1, 1]{more}', pid=device, tid=stream)


def launch(ts, correlation, tid=1, name="cudaLaunchKernel"):
    return event("cuda_runtime", name, ts, 1, f'"correlation": {correlation}', tid=tid)


def op(name, ts, dur, identity=0, tid=1, more=""):
    return event("cpu_op", name, ts, dur, f'"External id": {identity}{more}', tid=tid)


def step(number, ts, dur):
    return event("user_annotation", f"ProfilerStep#{number}", ts, dur)


def good(*more):
    """A trace with one good kernel, and then what is given."""
    return trace([step(1, 0, 1000), launch(10, 1), kernel("good", 20, 100, 1), *more])


# Depth.

@nasty
def a_million_brackets_in_an_annotation():
    return good(event("user_annotation", "a", 5, 1, '"x": ' + "[" * 1_000_000 + "]" * 1_000_000))


@nasty
def a_million_brackets_in_a_kernel():
    return good(kernel("k", 200, 9, 2, more=', "x": ' + "[" * 1_000_000 + "]" * 1_000_000))


@nasty
def objects_nested_in_what_is_read():
    deep = '{"a": ' * 200_000 + "1" + "}" * 200_000
    return good(kernel("k", 200, 9, 2, more=f', "shared memory": {deep}'),
                event("cpu_op", "aten::mm", 5, 9, f'"External id": {deep}'),
                f'{{"ph": "X", "cat": "kernel", "name": {deep}, "ts": {deep}, "dur": 1}}')


@nasty
def shapes_nested_deep():
    deep = "[" * 100_000 + "1" + "]" * 100_000
    ops = [op("aten::mm", 5 + 2 * i, 20 - i, i, more=f', "Input Dims": {deep}, '
              f'"Input type": ["float"], "Concrete Inputs": {deep}') for i in range(3)]
    return good(*ops, launch(12, 2), kernel("ampere_sgemm", 200, 9, 2))


@nasty
def devices_nested_deep():
    deep = "[" * 400_000 + "]" * 400_000
    return trace([kernel("k", 1, 2, 3)], f'"deviceProperties": {deep}')


@nasty
def a_list_in_the_list_of_events():
    return trace(["[" * 1_000_000 + "]" * 1_000_000, kernel("k", 1, 2, 3)])


@nasty
def brackets_that_never_close():
    yield "[" * 5_000_000


@nasty
def objects_that_never_close():
    yield '{"traceEvents": [' + '{"a":' * 1_000_000


@nasty
def brackets_that_never_opened():
    yield '{"traceEvents": [' + "}" * 1_000_000 + "]" * 1_000_000


@nasty
def a_top_level_of_brackets():
    yield '{"a":' * 1_000_000 + "1" + "}" * 1_000_000


# Length.

@nasty
def long_text_everywhere():
    long = "n" * 10_000_000
    return good(kernel(long, 200, 9, 2), event("user_annotation", long, 5, 1), op(long, 5, 1))


@nasty
def a_long_name_of_backslashes():
    return good(kernel("\\\\" * 5_000_000, 200, 9, 2), op("\\u0041" * 1_000_000, 5, 1))


@nasty
def a_string_that_never_ends():
    yield '{"traceEvents": [' + kernel("k", 1, 2, 3) + ', {"name": "'
    yield from ["x" * 1_000_000] * 50


@nasty
def a_string_of_quotes():
    yield '{"traceEvents": [' + kernel("k", 1, 2, 3) + ", " + '"' * 5_000_001 + "]}"


@nasty
def long_shapes():
    dims = ", ".join(["[1, 2]"] * 1_000_000)
    shapes = f', "Input Dims": [[{dims}]], "Input type": ["TensorList"]'
    return good(op("aten::cat", 5, 20, 1, more=shapes), launch(12, 2),
                kernel("CatArrayBatchedCopy", 200, 9, 2))


@nasty
def a_number_of_many_digits():
    digits = "9" * 1_000_000
    return good(kernel("k", digits, 9, 2), kernel("k", 200, "0." + digits, 2),
                kernel("k", 200, 9, digits, stream=digits))


@nasty
def an_event_of_white_space():
    yield '{"traceEvents": [' + kernel("k", 1, 2, 3) + ", {"
    yield from [" " * 1_000_000] * 100
    yield "}]}"


@nasty
def text_outside_any_event():
    yield from trace([kernel("k", 1, 2, 3), "nonsense " * 2_000_000, kernel("k", 4, 2, 5)])


# Many.

@nasty
def kernels_of_many_names():
    return trace(part for i in range(100_000) for part in (launch(i, i), kernel(f"k{i}", i + 5, 1, i)))


@nasty
def kernels_of_many_names_and_shapes_in_one_step():
    return trace([step(1, 0, 200_000)] + [
        part for i in range(20_000) for part in (
            op("aten::mm", 10 * i, 9, i, more=f', "Input Dims": [[{i}, 8], [8, 16]], '
               '"Input type": ["float", "float"]'),
            launch(10 * i + 1, i), kernel(f"ampere_sgemm_{i}", 10 * i + 5, 1, i))])


@nasty
def many_threads():
    return trace(part for i in range(100_000) for part in (
        op("aten::mm", i, 5, i, tid=i), launch(i + 1, i, tid=i), kernel("k", i + 5, 1, i)))


@nasty
def many_streams():
    return trace(part for i in range(100_000) for part in (
        launch(i, i), kernel("k", i + 5, 1, i, stream=i)))


@nasty
def many_devices():
    return trace(part for i in range(100_000) for part in (
        launch(i, i), kernel("k", i + 5, 1, i, device=i * 21_000 - 2**30)))


@nasty
def many_devices_in_the_head():
    return trace([kernel("k", 1, 2, 3)], '"deviceProperties": [' + ", ".join(
        f'{{"id": {i * 21_000}, "name": "NVIDIA H200", "numSms": 132}}' for i in range(100_000)) + "]")


@nasty
def many_steps():
    return trace(part for i in range(50_000) for part in (
        step(i, 10 * i, 10), launch(10 * i + 1, i), kernel("k", 10 * i + 3, 2, i)))


@nasty
def steps_inside_steps():
    return trace([step(i, i, 200_000 - 2 * i) for i in range(50_000)] + [
        part for i in range(50_000) for part in (launch(2 * i, i), kernel("k", 2 * i + 3, 2, i))])


@nasty
def many_synchronisations():
    return trace([step(1, 0, 300_000)] + [
        part for i in range(50_000) for part in (
            launch(3 * i, i), kernel("k", 3 * i + 1, 1, i, stream=i % 1000),
            launch(3 * i + 2, 10**6 + i, name="cudaStreamSynchronize"))])


@nasty
def operators_nested_deep():
    return trace([op("aten::mm", i, 300_000 - 2 * i, i, more=f', "Input Dims": [[{i % 9}]]')
                  for i in range(100_000)] + [
        part for i in range(20_000) for part in (
            launch(100_000 + i, i), kernel("k", 400_000 + i, 1, i))])


@nasty
def many_members_around():
    head = DEVICE + "".join(f', "m{i}": [{i}, "text", {{"a": {i}}}]' for i in range(200_000))
    return trace([kernel("k", 1, 2, 3)], head)


@nasty
def many_lists_of_events():
    yield "{" + DEVICE
    for i in range(20_000):
        yield f', "traceEvents": [{kernel("k", 5 * i, 1, i)}]'
    yield "}"


@nasty
def one_event_of_many_members():
    return good("{" + ", ".join(f'"m{i}": {i}' for i in range(500_000)) + "}",
                kernel("k", 200, 1, 2, more="".join(f', "m{i}": {i}' for i in range(500_000))))


@nasty
def many_damaged_events():
    return trace([kernel("k", 1, 2, 3)] + [
        '{"ph": "X", "cat": "kernel", "name": "k", "ts": 5 6, "dur": }'] * 100_000)


# Sameness and edges.

@nasty
def one_correlation_for_all():
    return trace([step(1, 0, 1_000_000)] + [
        part for i in range(100_000) for part in (launch(2 * i, 5), kernel("k", 2 * i + 1, 1, 5))])


@nasty
def one_external_id_for_all():
    return trace(part for i in range(50_000) for part in (
        op("aten::mm", 2 * i, 2, 1, more=', "Input Dims": [[8, 8], [8, 8]]'),
        kernel("k", 2 * i + 1, 1, 10**9 + i, more=', "External id": 1')))


@nasty
def all_at_the_same_time():
    return trace(part for i in range(100_000) for part in (
        op("aten::mm", 1000, 0, i, tid=i % 3), launch(1000, i, tid=i % 3),
        kernel("k", 1000, 5, i, stream=i % 5)))


@nasty
def times_at_the_ends_of_the_clock():
    edges = ("9223372036854775.807", "-9223372036854775.808", "9223372036854775807",
             "-9223372036854775808", "18446744073709551615", "4611686018427387.904",
             "-2305843009213693.952", "1e300", "-1e300", "1e-300", "NaN",
             "-Infinity", "0", "-0", "0.0005", "null", '""', '"1e400"')
    return trace(part for i, ts in enumerate(edges) for j, dur in enumerate(edges) for part in (
        op("aten::mm", ts, dur, i), step(i * 20 + j, ts, dur),
        event("cuda_runtime", "cudaLaunchKernel", ts, dur, f'"correlation": {i * 20 + j}'),
        kernel(f"k{i}", ts, dur, i * 20 + j)))


@nasty
def numbers_at_the_ends_of_their_range():
    edges = ("2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775807",
             "-9223372036854775808", "18446744073709551616", "1e30", "-1", "0", "0.5", '"x"', "null",
             "[]", "{}")
    return good(*(kernel(f"k{i}", 200 + i, 1, edge, stream=edge, device=edge, more=(
        f', "grid": [{edge}, {edge}, {edge}], "block": [{edge}, {edge}, {edge}], '
        f'"registers per thread": {edge}, "shared memory": {edge}, "bytes": {edge}, '
        f'"External id": {edge}')) for i, edge in enumerate(edges)),
        *(event("gpu_memcpy", "Memcpy HtoD", 300 + i, 1, f'"bytes": {edge}, "correlation": {i}')
          for i, edge in enumerate(edges)),
        *(event("cpu_instant_event", "[memory]", 1, 0, f'"Total Reserved": {edge}') for edge in edges))


@nasty
def negative_durations():
    return good(*(part for i in range(1000) for part in (
        op("aten::mm", 50, -i, i), launch(60, i), kernel("k", 100, -1 - i, i), step(i, 500, -100))))


# Packed small, large once unpacked.

def gzip_bomb(prefix, filler, megabytes, suffix):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield packer.compress(prefix.encode())
    million = filler * 1_000_000
    for _ in range(megabytes):
        yield packer.compress(million)
    yield packer.compress(suffix.encode()) + packer.flush()


@nasty
def gzip_of_spaces():
    return gzip_bomb("".join(good()).rstrip()[:-2] + ",", b" ", 300, kernel("k", 300, 1, 9) + "]}")


@nasty
def gzip_of_one_long_string():
    return gzip_bomb('{"traceEvents": [' + kernel("k", 1, 2, 3) + ', {"name": "', b"x", 300, '"}]}')


@nasty
def gzip_of_a_long_member():
    return gzip_bomb('{"traceName": "', b"x", 300, '", "traceEvents": [' + kernel("k", 1, 2, 3) + "]}")


class Run:
    """One run of the tool: its streams, exit code, seconds and largest resident memory (or that of
    this script, which the kernel hands down: the inputs are written in small pieces)."""

    def __init__(self, file, folder):
        started = time.monotonic()
        with open(folder / "out", "w+b") as out, open(folder / "err", "w+b") as err:
            process = subprocess.Popen(
                [BIN, "advise", str(file), "--to", "b200-sxm", "--from", "h200-sxm-141gb",
                 "--format", "json"], stdout=out, stderr=err)
            self.code = None
            while self.code is None and time.monotonic() - started < SECONDS:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    self.code = os.waitstatus_to_exitcode(status)
                    self.bytes = usage.ru_maxrss * 1024
                else:
                    time.sleep(0.005)
            if self.code is None:
                process.kill()
                os.wait4(process.pid, 0)
            process.returncode = 0  # waited for above
        self.seconds = time.monotonic() - started
        self.out = (folder / "out").read_bytes()
        self.err = (folder / "err").read_text("utf-8", "replace")


class Nasty(unittest.TestCase):
    def test_each_ends_in_time_with_an_answer_or_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ONLY or INPUTS:
                with self.subTest(name):
                    with open(folder / "trace.json", "wb") as file:
                        for piece in INPUTS[name]():
                            file.write(piece if isinstance(piece, bytes) else piece.encode())
                    run = Run(folder / "trace.json", folder)
                    self.assertIsNotNone(run.code, f"still running after {SECONDS} s")
                    if ONLY:
                        print(f"{name}: exit code {run.code}, {run.seconds:.2f} s, "
                              f"{run.bytes / 1e6:.0f} MB\n  {run.err.strip()[:300]}", flush=True)
                    self.assertIn(run.code, (0, 1), run.err[:2000])
                    self.assertRegex(run.err, r"\A(uplift: [^\n]+\n)*\Z")
                    self.assertLess(len(run.err), 20_000, "the lines on stderr are too long")
                    self.assertLess(run.bytes, BYTES)
                    if run.code == 0:
                        json.loads(run.out)
                    else:
                        self.assertEqual(1, run.err.count("\n"))
                        self.assertEqual(b"", run.out)


ONLY = []

if __name__ == "__main__":
    ONLY = [argument for argument in sys.argv[1:] if argument in INPUTS]
    if sys.argv[1:] == ["all"]:
        ONLY = list(INPUTS)
    sys.exit(unittest.main(argv=sys.argv[:1], verbosity=1))
