# SPDX-License-Identifier: Apache-2.0
"""Calls of PyTorch for the operations of op_cases.py.

Each build_ function takes a shape, the storage and the math, and returns (make_set, call): a set is a
tuple of tensors, and call(*set) returns what it wrote.
"""
import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "tf32": torch.float32,
          "fp16": torch.float16, "bf16": torch.bfloat16}

aten = torch.ops.aten


def normal(*extents, dtype, layout=torch.contiguous_format):
    return torch.randn(*extents, device="cuda", dtype=dtype).contiguous(memory_format=layout)


def build_gemm(shape, dtype, _):
    b, m, n, k = (shape[key] for key in "bmnk")
    if b == 1:
        return (lambda: (normal(m, k, dtype=dtype), normal(n, k, dtype=dtype))), functional.linear
    return (lambda: (normal(b, m, k, dtype=dtype), normal(b, k, n, dtype=dtype))), torch.bmm


def build_conv(shape, dtype, kind_math):
    deep = "d" in shape
    extents = [shape[key] for key in ("dhw" if deep else "hw")]
    filters = [shape[key] for key in ("trs" if deep else "rs")]
    layout = torch.contiguous_format
    if kind_math == "bf16":
        layout = torch.channels_last_3d if deep else torch.channels_last
    axes = len(extents)
    stride, pad, ones = [shape["stride"]] * axes, [shape["pad"]] * axes, [1] * axes
    groups, one_pass = shape["groups"], shape.get("pass", "fwd")
    out = [(e + 2 * shape["pad"] - f) // shape["stride"] + 1 for e, f in zip(extents, filters)]

    def make_set():
        x = normal(shape["n"], shape["c"], *extents, dtype=dtype, layout=layout)
        w = normal(shape["k"], shape["c"] // groups, *filters, dtype=dtype, layout=layout)
        if one_pass == "fwd":
            return x, w
        return x, w, normal(shape["n"], shape["k"], *out, dtype=dtype, layout=layout)
    if one_pass == "fwd":
        return make_set, lambda x, w: aten.convolution(x, w, None, stride, pad, ones, False, [0] * axes, groups)
    mask = [one_pass == "dgrad", one_pass == "wgrad", False]
    return make_set, lambda x, w, g: aten.convolution_backward(
        g, x, w, None, stride, pad, ones, False, [0] * axes, groups, mask)


def build_attention(shape, dtype, _):
    q = (shape["b"], shape["q_len"], shape["q_heads"], shape["d"])
    kv = (shape["b"], shape["kv_len"], shape["kv_heads"], shape["d"])

    def forward(q, k, v):
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            return functional.scaled_dot_product_attention(
                q, k, v, is_causal=shape["causal"] == 1, enable_gqa=shape["q_heads"] != shape["kv_heads"])

    def heads_first(extents):
        return normal(*extents, dtype=dtype).transpose(1, 2)
    if shape.get("pass") != "bwd":
        return (lambda: (heads_first(q), heads_first(kv), heads_first(kv))), forward

    def make_set():
        inputs = [heads_first(e).requires_grad_() for e in (q, kv, kv)]
        return forward(*inputs), torch.randn_like(inputs[0]), *inputs
    return make_set, lambda out, g, *inputs: torch.autograd.grad(out, inputs, g, retain_graph=True)


def build_softmax(shape, dtype, _):
    rows, cols = shape["rows"], shape["cols"]
    if shape.get("pass") != "bwd":
        return (lambda: (normal(rows, cols, dtype=dtype),)), lambda x: torch.softmax(x, 1)
    return (lambda: (normal(rows, cols, dtype=dtype), torch.softmax(normal(rows, cols, dtype=dtype), 1))), \
        lambda g, y: aten._softmax_backward_data(g, y, 1, dtype)


def build_layernorm(shape, dtype, _):
    rows, cols = shape["rows"], shape["cols"]

    def make_set():
        x, w, b = normal(rows, cols, dtype=dtype), normal(cols, dtype=dtype), normal(cols, dtype=dtype)
        if shape.get("pass") != "bwd":
            return x, w, b
        _, mean, inverse = torch.native_layer_norm(x, [cols], w, b, 1e-5)
        return normal(rows, cols, dtype=dtype), x, mean, inverse, w, b
    if shape.get("pass") != "bwd":
        return make_set, lambda x, w, b: functional.layer_norm(x, [cols], w, b)
    return make_set, lambda g, x, mean, inverse, w, b: aten.native_layer_norm_backward(
        g, x, [cols], mean, inverse, w, b, [True, True, True])


def build_reduce(shape, dtype, _):
    return (lambda: (normal(shape["rows"], shape["cols"], dtype=dtype),)), lambda x: x.sum(1)


def build_embedding(shape, dtype, _):
    entries = 50000  # about a vocabulary; every row is looked up with the same chance

    def make_set():
        return (torch.randint(entries, (shape["rows"],), device="cuda"),
                normal(entries, shape["cols"], dtype=dtype))
    return make_set, functional.embedding


def build_fft(shape, dtype, _):
    kind = torch.complex128 if dtype == torch.float64 else torch.complex64
    if isinstance(shape["n"], str):
        sides = [int(n) for n in shape["n"].split("x")]
        return (lambda: (normal(*sides, dtype=kind),)), torch.fft.fftn
    return (lambda: (normal(shape["batch"], shape["n"], dtype=kind),)), torch.fft.fft


def build_spmv(shape, dtype, _):
    """Every row has as many non-zeros: in a band about as wide as the square root of the rows."""
    rows, each = shape["rows"], shape["nnz"] // shape["rows"]
    reach = int(rows**0.5)

    def make_set():
        starts = torch.arange(0, rows * each + 1, each, device="cuda", dtype=torch.int32)
        offsets = torch.randint(-reach, reach + 1, (rows, each), device="cuda", dtype=torch.int32)
        places = (torch.arange(rows, device="cuda", dtype=torch.int32)[:, None] + offsets) % rows
        places = places.sort(1).values.flatten()
        matrix = torch.sparse_csr_tensor(starts, places, normal(rows * each, dtype=dtype), (rows, rows))
        return matrix, normal(rows, dtype=dtype)
    return make_set, torch.mv


def build_stencil(shape, dtype, _):
    import stencil_kernel
    side = round(shape["points"]**(1 / 3))
    return (lambda: (normal(side, side, side, dtype=dtype),)), \
        lambda x: stencil_kernel.star(x, shape["radius"])


def build_elementwise(shape, dtype, _):
    op = {"add": torch.add, "mul": torch.mul, "tanh": torch.tanh, "gelu": functional.gelu}[shape["op"]]
    return (lambda: tuple(normal(shape["n"], dtype=dtype) for _ in range(shape["inputs"]))), op


def build_memcpy(shape, *_):
    def make_set():
        device = torch.randint(256, (shape["bytes"],), dtype=torch.uint8, device="cuda")
        if shape["dir"] == "d2d":
            return torch.empty_like(device), device
        host = torch.empty(shape["bytes"], dtype=torch.uint8, pin_memory=True).copy_(device)
        return (device, host) if shape["dir"] == "h2d" else (host, device)
    return make_set, lambda to, source: to.copy_(source, non_blocking=True)


BUILDERS = {"gemm": build_gemm, "conv2d": build_conv, "conv3d": build_conv, "attention": build_attention,
            "softmax": build_softmax, "layernorm": build_layernorm, "reduce": build_reduce,
            "embedding": build_embedding, "fft": build_fft, "spmv": build_spmv, "stencil": build_stencil,
            "elementwise": build_elementwise, "memcpy": build_memcpy}
