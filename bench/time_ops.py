#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times single operations of PyTorch on the GPU at hand, one row of an op table each.

usage: time_ops.py [--gpu ID] [--seed N] [--seconds LIMIT] [--share PART] [--kind KIND] > ops.csv

Writes gpu,kind,math,shape,seconds,timing; kinds and shape keys are those of an op table
(docs/formats.md), `timing` is `kernel`: launches by the host are not in the times. ID is the GPU's
catalog name; without it the driver's name is written. Needs PyTorch with CUDA, and Triton for stencils.

Shapes are drawn at random, spread in logarithms, and shuffled, so that a run which ends at LIMIT
seconds has some of every kind. What fails or does not fit is skipped, with the reason on stderr.

Method: several sets of inputs and outputs of random normal numbers, together more than twice the L2
cache, are used in turn; before each batch another buffer is read, so that also small sets come from
DRAM. A batch is a row of calls between two events behind a spin on the device; a batch counts only if
the host had issued it all before the spin ended. Seconds are the median of seven batches over calls,
after 20 ms of warm-up, less what passes between two kernels: about a microsecond, which a profiler does
not count as theirs, and which is measured at the start with a kernel that does next to nothing. Between
the kernels of one call it is not taken off.
"""
import argparse
import csv
import math
import statistics
import subprocess
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

from op_calls import BUILDERS, DTYPES
from op_cases import draw_cases

BATCHES = 7
BATCH_SECONDS = 4e-4
WARM_UP_SECONDS = 0.02
MOST_CALLS = 64
MOST_SETS = 64
MOST_BYTES = 24e9  # of all sets together
LONGEST_CALL = 0.05
SPIN_HERTZ = 2e9  # on slower clocks a spin is longer than asked for
LONGEST_SPIN = 0.2


def device_bytes(values):
    total = 0
    for value in values if isinstance(values, (tuple, list)) else [values]:
        if isinstance(value, (tuple, list)):
            total += device_bytes(value)
        elif isinstance(value, torch.Tensor):
            parts = [value] if value.layout == torch.strided else [value.values(), value.col_indices()]
            total += sum(part.numel() * part.element_size() for part in parts)
    return total


class Timer:
    def __init__(self):
        self.l2_bytes = torch.cuda.get_device_properties(0).L2_cache_size
        self.other = torch.ones(self.l2_bytes, device="cuda")  # four times L2
        self.spin_seconds = 3e-4

    def batch(self, call, sets, calls):
        """Seconds of a call in one batch."""
        kept = [None] * len(sets)
        while True:
            self.other.sum()
            torch.cuda._sleep(int(self.spin_seconds * SPIN_HERTZ))
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for i in range(calls):
                kept[i % len(sets)] = call(*sets[i % len(sets)])
            end.record()
            in_time = not start.query()
            torch.cuda.synchronize()
            if in_time:
                return start.elapsed_time(end) * 1e-3 / calls
            self.spin_seconds *= 2
            if self.spin_seconds > LONGEST_SPIN:
                raise RuntimeError("the call waits for the device")

    def time(self, make_set, call):
        self.spin_seconds = 3e-4
        first = make_set()
        once = device_bytes(first) + device_bytes(call(*first))
        if 2 * once > MOST_BYTES:
            raise RuntimeError(f"needs {2 * once / 1e9:.1f} GB")
        count = max(2, min(MOST_SETS, math.ceil(2.5 * self.l2_bytes / once)))
        sets = [first] + [make_set() for _ in range(count - 1)]
        for one in sets[:2]:
            call(*one)
        rough = self.batch(call, sets, 2)
        if rough > LONGEST_CALL:
            raise RuntimeError(f"takes {rough:.3f} s")
        calls = max(2, min(MOST_CALLS, math.ceil(BATCH_SECONDS / rough)))
        if count == MOST_SETS:
            calls = min(calls, count)
        start = time.perf_counter()
        while time.perf_counter() - start < WARM_UP_SECONDS:
            self.batch(call, sets, calls)
        return statistics.median(self.batch(call, sets, calls) for _ in range(BATCHES))


def measure_gap():
    """Seconds between two kernels: start to start in a batch, less the profiler's duration."""
    values = torch.zeros(1024, device="cuda")
    gapped = Timer().time(lambda: (torch.zeros(1024, device="cuda"),), lambda x: x.add_(1))
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        for _ in range(100):
            values.add_(1)
        torch.cuda.synchronize()
    kernels = [event.time_range.elapsed_us() * 1e-6 for event in profiled.events() if "elementwise" in event.name]
    return gapped - statistics.median(kernels)


def measure_gap_apart():
    """In a process of its own, as a profiler may slow down what comes after it."""
    child = subprocess.run([sys.executable, __file__, "--only-gap"], capture_output=True, text=True, check=True)
    return float(child.stdout.split()[-1])


def describe_machine():
    query = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,power.limit,clocks.max.sm,clocks.max.mem",
                            "--format=csv,noheader"], capture_output=True, text=True, check=False)
    return (f"{query.stdout.strip()}; PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
            f"cuDNN {torch.backends.cudnn.version()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gpu", default=torch.cuda.get_device_name(0))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--kind")
    parser.add_argument("--only-gap", action="store_true", help="only measure the time between two kernels")
    arguments = parser.parse_args()
    if arguments.only_gap:
        print(measure_gap())
        return
    gap = measure_gap_apart()
    print(f"{describe_machine()}; {gap * 1e6:.2f} us between kernels", file=sys.stderr, flush=True)
    torch.manual_seed(arguments.seed)
    torch.backends.cudnn.benchmark = True
    started = time.perf_counter()
    timer = Timer()
    cases = draw_cases(arguments.seed)
    cases = [case for case in cases[:math.ceil(len(cases) * arguments.share)]
             if arguments.kind in (None, case[0])]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["gpu", "kind", "math", "shape", "seconds", "timing"])
    for done, (kind, kind_math, shape) in enumerate(cases):
        if time.perf_counter() - started > arguments.seconds:
            print(f"ended at the limit, {done} of {len(cases)} operations done", file=sys.stderr)
            break
        text = ";".join(f"{key}={value}" for key, value in shape.items())
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = kind_math == "tf32"
        try:
            seconds = timer.time(*BUILDERS[kind](shape, DTYPES.get(kind_math), kind_math)) - gap
            writer.writerow([arguments.gpu, kind, kind_math, text, f"{seconds:.6g}", "kernel"])
            sys.stdout.flush()
        except (RuntimeError, ImportError) as error:
            print(f"skipped {kind} {kind_math} {text}: {str(error).splitlines()[0]}", file=sys.stderr, flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
