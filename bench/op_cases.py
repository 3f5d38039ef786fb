# SPDX-License-Identifier: Apache-2.0
"""Operations at random shapes, spread in logarithms, for time_ops.py."""
import math
import random

ELEMENT_BYTES = {"fp64": 8, "fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2}
# Rates for drawing shapes of a wanted length only; no result depends on them otherwise.
ROUGH_RATE = {"fp64": 5e13, "fp32": 4e13, "tf32": 3e14, "fp16": 6e14, "bf16": 6e14}
ROUGH_BANDWIDTH = 3e12


def spread(draw, low, high, multiple=1):
    value = math.exp(draw.uniform(math.log(low), math.log(high)))
    return max(multiple, round(value / multiple) * multiple)


def until_takes(draw, low, high, make):
    """Calls make() until the (flops, bytes, math, case) that it returns takes low to high seconds or so."""
    while True:
        flops, moved, kind_math, case = make()
        rough = max(flops / ROUGH_RATE[kind_math], moved / ROUGH_BANDWIDTH)
        if low <= rough <= high:
            return case


def draw_gemm(draw, maths, low, high, batched=False, skinny=False):
    def make():
        kind_math = draw.choice(maths)
        multiple = draw.choice([1, 4, 8, 8, 8, 64])
        b = spread(draw, 2, 500) if batched else 1
        m = spread(draw, 1, 64) if skinny else spread(draw, 16, 30000, multiple)
        n, k = spread(draw, 16, 20000, multiple), spread(draw, 16, 20000, multiple)
        size = ELEMENT_BYTES[kind_math]
        shape = dict(b=b, m=m, n=n, k=k)
        return 2 * b * m * n * k, b * (m * k + k * n + m * n) * size, kind_math, ("gemm", kind_math, shape)
    return until_takes(draw, low, high, make)


def draw_conv(draw, deep):
    form = draw.choice(["1x1", "3x3", "3x3", "strided", "grouped"] if not deep else ["3x3", "1x1", "strided"])

    def make():
        kind_math = draw.choice(["fp32", "tf32", "bf16"])
        filter_size = {"1x1": 1, "3x3": 3}.get(form) or draw.choice([3, 5] if deep else [1, 3, 5, 7])
        stride = 2 if form == "strided" else 1
        n, size = spread(draw, 1, 128), spread(draw, 4, 64 if deep else 224)
        c, k, groups = spread(draw, 8, 1024, 8), spread(draw, 8, 1024, 8), 1
        if form == "strided" and draw.random() < 0.2:
            c = 3  # the first layer of an image network
        if form == "grouped":
            filter_size = draw.choice([3, 3, 5])
            stride = draw.choice([1, 2])
            groups = draw.choice([c, c, 32])
            if groups == c:
                k = c
            else:
                c, k = spread(draw, 64, 1024, 32), spread(draw, 64, 1024, 32)
        axes = 3 if deep else 2
        shape = dict(n=n, c=c, h=size, w=size, k=k, r=filter_size, s=filter_size, stride=stride,
                     pad=filter_size // 2, groups=groups)
        if deep:
            depth = spread(draw, 4, 64)
            shape = dict(n=n, c=c, d=depth, h=size, w=size, k=k, t=filter_size, r=filter_size,
                         s=filter_size, stride=stride, pad=filter_size // 2, groups=groups)
        one_pass = draw.choice(["fwd", "fwd", "dgrad", "wgrad"])
        if one_pass != "fwd":
            shape["pass"] = one_pass
        points = n * size**2 * (depth if deep else 1)
        outputs = points / stride**axes
        element = ELEMENT_BYTES[kind_math]
        return (2 * outputs * k * c / groups * filter_size**axes, (points * c + outputs * k) * element,
                kind_math, ("conv3d" if deep else "conv2d", kind_math, shape))
    return until_takes(draw, 1e-5, 1e-2, make)


def draw_attention(draw, backward):
    def make():
        d, ratio = draw.choice([64, 128]), draw.choice([1, 1, 4, 8])
        heads = draw.choice([1, 2, 4, 8]) * ratio
        b, length = spread(draw, 1, 64), spread(draw, 128, 16384, 64)
        causal = draw.choice([0, 1])
        flops = 4.0 * b * heads * length**2 * d * (2.5 if backward else 1) / (1 + causal)
        shape = dict(b=b, q_heads=heads, kv_heads=heads // ratio, q_len=length, kv_len=length, d=d, causal=causal)
        if backward:
            shape["pass"] = "bwd"
        return flops, 8.0 * b * heads * length * d, "bf16", ("attention", draw.choice(["bf16", "fp16"]), shape)
    return until_takes(draw, 1e-5, 1e-2, make)


def draw_decode(draw):
    def make():
        ratio, kv_heads = draw.choice([1, 4, 8]), draw.choice([1, 2, 4, 8, 8])
        b, d, length = spread(draw, 1, 256), draw.choice([64, 128, 128]), spread(draw, 128, 32768)
        shape = dict(b=b, q_heads=kv_heads * ratio, kv_heads=kv_heads, q_len=1, kv_len=length, d=d, causal=0)
        return 0, 4.0 * b * kv_heads * length * d, "bf16", ("attention", "bf16", shape)
    return until_takes(draw, 1e-6, 3e-3, make)


def draw_rows(draw, kind, backward):
    def make():
        kind_math = draw.choice(["fp32", "bf16"])
        shape = dict(rows=spread(draw, 64, 1000000), cols=spread(draw, 32, 32768, draw.choice([1, 8, 8])))
        if backward:
            shape["pass"] = "bwd"
        return 0, 8.0 * shape["rows"] * shape["cols"], kind_math, (kind, kind_math, shape)
    return until_takes(draw, 5e-7, 3e-3, make)


def draw_embedding(draw):
    def make():
        kind_math = draw.choice(["fp32", "bf16"])
        shape = dict(rows=spread(draw, 64, 1000000), cols=spread(draw, 16, 8192, draw.choice([1, 8, 8])))
        return 0, 8.0 * shape["rows"] * shape["cols"], kind_math, ("embedding", kind_math, shape)
    return until_takes(draw, 1e-7, 2e-3, make)


def draw_fft(draw, deep):
    kind_math = draw.choice(["fp32", "fp32", "fp32", "fp64"])
    if deep:
        side = draw.choice([32, 48, 64, 96, 128, 160, 192, 256, 320, 384, 512])
        return "fft", kind_math, dict(batch=1, n=f"{side}x{side}x{side}")
    n = draw.choice([2**draw.randint(5, 22), 2**draw.randint(2, 7) * 3**draw.randint(0, 3) * 5**draw.randint(0, 3),
                     2**draw.randint(6, 14)])
    return "fft", kind_math, dict(batch=max(1, spread(draw, 1e5, 6e7) // n), n=n)


def draw_cases(seed):
    """All operations as (kind, math, shape), in random order."""
    draw = random.Random(seed)
    cases = []

    def many(count, make):
        cases.extend(make() for _ in range(count))
    for batched in (False, True):
        many(46, lambda: draw_gemm(draw, ["fp32"], 1e-4, 8e-3, batched))
        many(14, lambda: draw_gemm(draw, ["fp32"], 2e-6, 1e-4, batched))
    many(40, lambda: draw_gemm(draw, ["bf16", "fp16", "tf32"], 1e-6, 5e-3))
    many(20, lambda: draw_gemm(draw, ["bf16", "fp16", "tf32"], 2e-7, 1e-3, skinny=True))
    many(15, lambda: draw_gemm(draw, ["fp64"], 1e-5, 5e-3))
    many(120, lambda: draw_conv(draw, False))
    many(20, lambda: draw_conv(draw, True))
    many(24, lambda: draw_attention(draw, False))
    many(16, lambda: draw_attention(draw, True))
    many(20, lambda: draw_decode(draw))
    for kind in ("softmax", "layernorm"):
        for backward in (False, True):
            many(15, lambda: draw_rows(draw, kind, backward))
    many(20, lambda: draw_rows(draw, "reduce", False))
    many(20, lambda: draw_embedding(draw))
    many(14, lambda: draw_fft(draw, False))
    many(6, lambda: draw_fft(draw, True))
    many(12, lambda: ("spmv", draw.choice(["fp32", "fp32", "fp64"]),
                      dict(rows=(rows := spread(draw, 1e4, 1e7)), nnz=rows * draw.choice([3, 7, 7, 27, 64]))))
    many(16, lambda: ("stencil", "fp32", dict(points=spread(draw, 32, 640, 4)**3, radius=draw.choice([1, 1, 2, 4]))))
    many(40, lambda: elementwise_case(draw.choice(["add", "mul", "tanh", "gelu"]),
                                      draw.choice(["fp32", "bf16"]), spread(draw, 1e4, 3e8)))
    many(15, lambda: ("memcpy", "", dict(bytes=spread(draw, 1e3, 1e9, 256), dir=draw.choice(["h2d", "d2h", "d2d"]))))
    draw.shuffle(cases)
    return cases


def elementwise_case(op, kind_math, n):
    return "elementwise", kind_math, dict(n=n, inputs=2 if op in ("add", "mul") else 1, outputs=1, op=op)
