# SPDX-License-Identifier: Apache-2.0
"""A star stencil on a cube, as a Triton kernel: a program takes 1024 points of a plane, in the order
of memory. Smaller programs would take the time in which blocks can be started."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def star_kernel(source, target, side, radius: tl.constexpr, block: tl.constexpr):
    point = tl.program_id(0) * block + tl.arange(0, block)
    plane = side.to(tl.int64) * side
    z = tl.program_id(1)
    x = point % side
    y = point // side
    inside = point < side * side
    source += z * plane
    target += z * plane
    weight = 0.5 / (6 * radius)
    total = tl.load(source + point, mask=inside, other=0.0) * 0.5
    for r in tl.static_range(1, radius + 1):
        total += weight * tl.load(source + point - r, mask=inside & (x >= r), other=0.0)
        total += weight * tl.load(source + point + r, mask=inside & (x + r < side), other=0.0)
        total += weight * tl.load(source + point - r * side, mask=inside & (y >= r), other=0.0)
        total += weight * tl.load(source + point + r * side, mask=inside & (y + r < side), other=0.0)
        total += weight * tl.load(source + point - r * plane, mask=inside & (z >= r), other=0.0)
        total += weight * tl.load(source + point + r * plane, mask=inside & (z + r < side), other=0.0)
    tl.store(target + point, total, mask=inside)


def star(source, radius):
    side = source.shape[0]
    target = torch.empty_like(source)
    star_kernel[(triton.cdiv(side * side, BLOCK), side)](source, target, side, radius, BLOCK)
    return target
