#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small synthetic traces of this folder: deterministic, made up, no recording of anything.

    tests/data/make_traces.py            writes traces/*.json beside this script
    tests/data/make_traces.py FOLDER     writes them there

`tiny_train` is two steps of a small network on a card that reads as an A100; `unnamed` is the same
without a device name; `unknown_gpu` names a card that is in no catalog; `cpu_only`, `counters` and
`amd` hold nothing that an answer could come from.
"""

import json
import pathlib
import sys

A100 = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85031714816,
        "computeMajor": 8, "computeMinor": 0, "numSms": 108}


class Trace:
    def __init__(self):
        self.events = []
        self.correlation = 0

    def host(self, category, name, start, length, args=None):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1,
                            "ts": start, "dur": length, "args": args or {}})

    def device(self, category, name, start, length, args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0, "tid": 7,
                            "ts": start, "dur": length,
                            "args": {"device": 0, "stream": 7, "correlation": self.correlation, **args}})

    def kernel(self, host_start, start, length, name, grid):
        self.correlation += 1
        self.host("cuda_runtime", "cudaLaunchKernel", host_start, 4, {"correlation": self.correlation})
        self.device("kernel", name, start, length,
                    {"grid": [grid, 1, 1], "block": [256, 1, 1], "registers per thread": 64,
                     "shared memory": 32768})


def train():
    """Two steps of 2 ms: copy in, convolution, normalisation, two products, an update, a sync."""
    trace = Trace()
    for step in range(2):
        t = 1000 + 2000 * step
        trace.host("user_annotation", f"ProfilerStep#{step + 1}", t, 2000)
        trace.correlation += 1
        trace.host("cuda_runtime", "cudaMemcpyAsync", t + 10, 120, {"correlation": trace.correlation})
        trace.device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", t + 20, 100, {"bytes": 602112})
        trace.host("cpu_op", "aten::conv2d", t + 150, 60, {
            "External id": 10 * step + 1,
            "Input Dims": [[32, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], []],
            "Input type": ["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"],
            "Concrete Inputs": ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"]})
        trace.kernel(t + 180, t + 190, 400, "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc"
                     "_tilesize128x128x8_stage3_warpsize2x2x1_g1_ffma_execute_kernel__5x_cudnn", 784)
        trace.host("cpu_op", "aten::batch_norm", t + 230, 30, {
            "External id": 10 * step + 2, "Input Dims": [[32, 64, 56, 56], [64], [64]],
            "Input type": ["float", "float", "float"]})
        trace.kernel(t + 240, t + 592, 45, "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>"
                     "(cudnn::bn_fw_tr_1C11_args<float>)", 64)
        for i in range(2):
            trace.host("cpu_op", "aten::mm", t + 300 + 40 * i, 30, {
                "External id": 10 * step + 3 + i, "Input Dims": [[4096, 1024], [1024, 4096]],
                "Input type": ["c10::BFloat16", "c10::BFloat16"]})
            trace.kernel(t + 310 + 40 * i, t + 640 + 160 * i, 155,
                         "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_nn", 1024)
        trace.host("cpu_op", "aten::add_", t + 400, 20, {
            "External id": 10 * step + 5, "Input Dims": [[64, 1048576], [64, 1048576], []],
            "Input type": ["float", "float", "Scalar"]})
        trace.kernel(t + 405, t + 960, 520, "void at::native::vectorized_elementwise_kernel<4, "
                     "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)", 65536)
        trace.host("cuda_runtime", "cudaStreamSynchronize", t + 430, 1055, {"correlation": 0})
        trace.host("cpu_op", "aten::item", t + 1500, 400)
    trace.events.append({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "ts": 1, "pid": 1,
                         "tid": 1, "args": {"Total Reserved": 3221225472}})
    return trace.events


def traces():
    events = train()
    unknown = {**A100, "name": "NVIDIA Imaginary X1", "numSms": 7, "computeMajor": 42}
    host_only = [e for e in events if e["cat"] == "cpu_op"]
    yield "tiny_train", {"schemaVersion": 1, "deviceProperties": [A100], "traceEvents": events}
    yield "unnamed", {"schemaVersion": 1, "traceEvents": events}
    yield "unknown_gpu", {"schemaVersion": 1, "deviceProperties": [unknown], "traceEvents": events}
    yield "cpu_only", {"schemaVersion": 1, "deviceProperties": [A100], "traceEvents": host_only}
    yield "counters", {"schemaVersion": 1, "deviceProperties": [A100], "traceEvents": host_only + [
        {"ph": "X", "cat": "cuda_profiler_range", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2,
         "args": {"sm__cycles_active.avg": 12345}}]}
    yield "amd", {"schemaVersion": 1,
                  "deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X", "numSms": 304}],
                  "traceEvents": events}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "traces")
    folder.mkdir(exist_ok=True)
    for name, trace in traces():
        lines = ",\n".join(json.dumps(event) for event in trace.pop("traceEvents"))
        head = json.dumps(trace)[:-1]
        (folder / f"{name}.json").write_text(f'{head}, "traceEvents": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
