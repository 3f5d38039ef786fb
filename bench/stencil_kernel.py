# SPDX-License-Identifier: Apache-2.0
"""A star stencil on a cube, as a Triton kernel: one program takes a row piece of 256 points."""
import torch
import triton
import triton.language as tl


@triton.jit
def star_kernel(source, target, side, radius: tl.constexpr, block: tl.constexpr):
    x = tl.program_id(0) * block + tl.arange(0, block)
    y = tl.program_id(1)
    z = tl.program_id(2)
    row = (z * side + y).to(tl.int64) * side
    inside = x < side
    total = tl.load(source + row + x, mask=inside, other=0.0) * 0.5
    for r in tl.static_range(1, radius + 1):
        weight = 0.5 / (6 * radius)
        total += weight * tl.load(source + row + x - r, mask=inside & (x >= r), other=0.0)
        total += weight * tl.load(source + row + x + r, mask=x + r < side, other=0.0)
        total += weight * tl.load(source + row - r * side + x, mask=inside & (y >= r), other=0.0)
        total += weight * tl.load(source + row + r * side + x, mask=inside & (y + r < side), other=0.0)
        plane = r * side.to(tl.int64) * side
        total += weight * tl.load(source + row - plane + x, mask=inside & (z >= r), other=0.0)
        total += weight * tl.load(source + row + plane + x, mask=inside & (z + r < side), other=0.0)
    tl.store(target + row + x, total, mask=inside)


def star(source, radius):
    side = source.shape[0]
    target = torch.empty_like(source)
    block = min(256, triton.next_power_of_2(side))
    star_kernel[(triton.cdiv(side, block), side, side)](source, target, side, radius, block)
    return target
