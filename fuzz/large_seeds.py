#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds of the fuzz target `kineto` that are too large to keep: writes them to a temporary folder and
replays them.

  fuzz/large_seeds.py build/dev/fuzz/fuzz_kineto [OPTION OF THE TARGET…]
"""

import pathlib
import subprocess
import sys
import tempfile

WINDOW = 1 << 20  # bytes that the reader looks at together; seeds put things across its end


def kernel(name="k", ts=20, correlation=1, device=0, stream=7, grid="[4, 1, 1]", more=""):
    return (f'{{"ph": "X", "cat": "kernel", "name": "{name}", "pid": 0, "tid": 7, "ts": {ts}, '
            f'"dur": 5, "args": {{"device": {device}, "stream": {stream}, "correlation": {correlation}, '
            f'"grid": {grid}, "block": [64, 1, 1]{more}}}}}')


def annotation(name, args="", category="user_annotation"):
    return (f'{{"ph": "X", "cat": "{category}", "name": "{name}", "pid": 1, "tid": 1, "ts": 1, '
            f'"dur": 90, "args": {{{args}}}}}')


def launch(correlation, thread=1):
    return (f'{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, '
            f'"tid": {thread}, "ts": {10 + correlation}, "dur": 1, "args": {{"correlation": {correlation}}}}}')


def trace(*events, head=""):
    return "{" + head + '"traceEvents": [\n' + ",\n".join(events) + "\n]}"


def across_the_window(special):
    """`special` at every one of a few places around the end of the first window."""
    for distance in (0, 1, 2, 5, len(special) // 2, len(special) - 1, len(special), len(special) + 1):
        start = trace(annotation("@"))[:-2] + ",\n"
        filler = "x" * (WINDOW - len(start) - distance + 1)
        yield start.replace("@", filler) + special + ",\n" + kernel() + "\n]}"


def seeds():
    deep = 10_000
    yield "deep_lists", trace(annotation("a", '"x": ' + "[" * deep + "]" * deep), kernel())
    yield "deep_objects", trace(kernel(more=', "x": ' + '{"a": ' * deep + "1" + "}" * deep), kernel())
    yield "deep_shapes", trace(
        '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 50, '
        '"args": {"Input Dims": ' + "[" * deep + "]" * deep + "}}", launch(1), kernel())
    yield "deep_and_never_closed", '{"traceEvents": [' + kernel() + ", " + '{"a": [' * deep
    yield "long_kernel_name", trace(kernel("n" * WINDOW), kernel())
    yield "long_name_of_escapes", trace(kernel("\\u0041\\\\" * (WINDOW // 8)), kernel())
    yield "long_annotation", trace(annotation("n" * (3 * WINDOW)), kernel())
    yield "long_raw_quotes", trace(
        annotation('"' * WINDOW), kernel(), annotation('"' * (WINDOW + 1)), kernel())
    yield "large_numbers", trace(*(
        kernel(device=n, stream=n, correlation=n, grid=f"[{n}, {n}, {n}]", more=f', "shared memory": {n}')
        for n in (2**31 - 1, 2**31, -(2**31) - 1, 2**32, 2**63 - 1, -(2**63), 2**64, 10**30)))
    yield "many_threads_and_streams", trace(*(
        part for n in range(2000) for part in (
            launch(n, 2**31 + n), kernel(f"k{n}", 20 + n, n, stream=2**31 + n))))
    devices = ", ".join(f'{{"id": {n}, "name": "NVIDIA H200"}}' for n in range(2000))
    yield "many_devices", trace(*(kernel(f"k{n}", 20 + n, n, device=n) for n in range(2000)),
                                head=f'"deviceProperties": [{devices}], ')
    yield "many_steps", trace(*(
        part for n in range(2000) for part in (
            annotation(f"ProfilerStep#{n}"), launch(n), kernel(ts=20 + n))))
    for name, special in (("kernel", kernel("across")), ("escapes", annotation("\\\\\\\"" * 20)),
                          ("quotes", annotation('5" disk', category="python_function")),
                          ("spaces", kernel("s") + " " * 200)):
        for i, text in enumerate(across_the_window(special)):
            yield f"window_{name}_{i}", text


def main():
    target, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in seeds():
            # A space: all bytes in one piece.
            (pathlib.Path(folder) / f"{name}.json").write_text(" " + text)
        sys.exit(subprocess.run([target, *options, folder]).returncode)


if __name__ == "__main__":
    main()
