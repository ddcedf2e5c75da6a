"""Attention: rotary positions, scale, causal mask, and flash attention with its log-sum-exp."""

import math

import torch

import rows
from rows import index, output, row, tensor

# --- rope ----------------------------------------------------------------------------------------------------------


def rope(base, halves):
    def turn(x, position):
        pairs = x.shape[-1] // 2
        theta = (base or 10000.0) ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
        angle = position.to(torch.float64)[:, None] * theta  # (T, D/2)
        cos, sin = angle.cos(), angle.sin()
        a, b = (x[..., :pairs], x[..., pairs:]) if halves else (x[..., 0::2], x[..., 1::2])
        y = [a * cos - b * sin, a * sin + b * cos]
        return torch.cat(y, -1) if halves else torch.stack(y, -1).flatten(-2)

    return turn


ROPE = [  # B, H, T, D, most positions, base
    (1, 1, 1, 2, 1, 0), (1, 1, 1, 2, 50, 0), (1, 1, 3, 4, 8, 0), (2, 3, 5, 6, 20, 0), (1, 2, 7, 8, 100, 500_000),
    (2, 1, 4, 16, 9, 0), (1, 2, 3, 64, 300, 0), (2, 2, 9, 4, 40, 100), (1, 0, 3, 4, 5, 0), (1, 1, 0, 4, 5, 0), (2, 1, 3, 0, 5, 0),
]  # fmt: skip
ROWS = [
    row("rope", [tensor(b, h, t, d, name="x"), index(t, n=n, name="position")], rope(base, halves), attributes=[base, halves],
        half="saved")  # fmt: skip
    for halves in (0, 1)
    for b, h, t, d, n, base in ROPE
]
ROWS += [
    row("rope", [tensor(2, 3, 4, 6, layout=layout, name="x"), index(4, n=12, name="position")], rope(0, halves),
        attributes=[0, halves], half="saved")  # fmt: skip
    for halves, layout in [(0, "transposed"), (1, "permuted"), (0, "sliced"), (1, "expanded")]
]

# --- scale and mask ------------------------------------------------------------------------------------------------

ROWS += [
    row("scale", [tensor(*shape, layout=layout)], lambda x, c=c: c * x, attributes=[c], half="saved")
    for shape, layout, c in [
        ([], "contiguous", 3), ([1], "contiguous", -0.5), ([0], "contiguous", 2), ([7], "sliced", 0.125),
        ([3, 5], "transposed", 0.3), ([2, 3, 4], "permuted", -7), ([4, 1, 3], "expanded", 1 / 3), ([2, 0, 3], "contiguous", 1),
        ([2, 3, 2, 3], "contiguous", 1e-3),
        ([2, 1, 3, 1, 2, 2], "contiguous", 0.7), ([17, 19], "contiguous", 0.125), ([5], "contiguous", 0),
    ]
]  # fmt: skip


def causal(x):
    seen = torch.ones(x.shape[-2:], dtype=torch.bool).tril()
    return x.masked_fill(~seen, -math.inf)


ROWS += [
    row("causal_mask", [tensor(*shape, layout=layout)], causal, half="saved")
    for shape, layout in [
        ([1, 1], "contiguous"), ([3, 3], "contiguous"), ([1, 5], "contiguous"), ([5, 1], "contiguous"), ([4, 7], "contiguous"),
        ([7, 4], "contiguous"), ([2, 3, 3], "contiguous"), ([2, 3, 4, 4], "permuted"), ([0, 4], "contiguous"),
        ([4, 0], "contiguous"), ([2, 0, 4, 4], "contiguous"), ([5, 5], "transposed"), ([3, 6, 6], "sliced"),
        ([3, 4, 5], "expanded"), ([17, 19], "contiguous"),
    ]
]  # fmt: skip

# --- flash attention -----------------------------------------------------------------------------------------------


def scores(q, k, is_causal, scale):
    s = q @ k.repeat_interleave(q.shape[1] // k.shape[1], 1).transpose(-1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    return causal(s) if is_causal else s


class Fused(torch.autograd.Function):
    """What flash attention saves, q, k, v and o in the row's type and the log-sum-exp in fp32 or fp64, and how it reads it."""

    @staticmethod
    def forward(ctx, q, k, v, is_causal, scale):
        s = scores(q, k, is_causal, scale)
        o = torch.softmax(s, -1) @ v.repeat_interleave(q.shape[1] // k.shape[1], 1)
        ctx.lse, ctx.is_causal, ctx.scale = torch.logsumexp(s, -1), is_causal, scale
        ctx.save_for_backward(q, k, v, o)
        return o, ctx.lse

    @staticmethod
    def backward(ctx, d_o, d_lse):
        q, k, v, o = ctx.saved_tensors
        group = q.shape[1] // k.shape[1]
        p = torch.exp(scores(q, k, ctx.is_causal, ctx.scale) - ctx.lse[..., None])
        d_p = d_o @ v.repeat_interleave(group, 1).transpose(-1, -2)
        d_s = p * (d_p - (d_o * o).sum(-1, keepdim=True) + d_lse[..., None]) * (ctx.scale or 1 / math.sqrt(q.shape[-1]))
        shared = lambda x: x.unflatten(1, (k.shape[1], group)).sum(2)  # noqa: E731
        d_k, d_v = shared(d_s.transpose(-1, -2) @ q), shared(p.transpose(-1, -2) @ d_o)
        return d_s @ k.repeat_interleave(group, 1), d_k, d_v, None, None


def flash(is_causal, scale):
    def attend(q, k, v):
        if not rows.exact():
            return Fused.apply(q, k, v, is_causal, scale)
        s = scores(q, k, is_causal, scale)
        return torch.softmax(s, -1) @ v.repeat_interleave(q.shape[1] // k.shape[1], 1), torch.logsumexp(s, -1)

    return attend


def flash_rows(heads, is_causal=0, scale=0, tiles=(0, 0), layout="contiguous", d_lse=False, kind="normal"):
    b, h, g, t, s, d = heads
    inputs = [tensor(b, h, t, d, layout=layout, kind=kind, name="q"), tensor(b, g, s, d, layout=layout, kind=kind, name="k"),
              tensor(b, g, s, d, layout=layout, name="v")]  # fmt: skip
    zero = {}
    if (s == 1 or (is_causal and t == 1)) and not d_lse and b * h * t * d > 0:
        reason = "a query that sees one key gives it all its weight"
        zero = {"dq": reason, "dk": reason}
    return [row("flash_attention", inputs, flash(is_causal, scale), attributes=[is_causal, scale, *tiles],
                outputs=["o", output("lse", "statistic", grad=d_lse)], zero=zero, half="saved")]  # fmt: skip


FLASH = [  # (B, H, G, T, S, D), causal, scale, tiles
    ((1, 1, 1, 1, 1, 1), 0, 0, (0, 0)),
    ((1, 1, 1, 4, 1, 3), 0, 0, (0, 0)),
    ((1, 1, 1, 1, 5, 4), 0, 0, (0, 0)),
    ((1, 1, 1, 1, 5, 4), 1, 0, (0, 0)),
    ((2, 3, 3, 4, 4, 2), 0, 0, (0, 0)),
    ((2, 3, 3, 4, 4, 2), 1, 0, (0, 0)),
    ((1, 4, 2, 5, 7, 3), 0, 0.25, (2, 3)),
    ((1, 4, 2, 7, 5, 3), 1, 0.25, (3, 2)),
    ((2, 4, 1, 6, 6, 4), 1, 0, (4, 4)),
    ((1, 6, 3, 9, 9, 5), 1, 1, (2, 5)),
    ((1, 2, 2, 16, 16, 8), 1, 0, (4, 4)),
    ((1, 2, 1, 17, 31, 8), 0, 0, (8, 8)),
    ((1, 2, 1, 31, 17, 8), 1, 0, (8, 8)),
    ((1, 1, 1, 3, 40, 6), 1, 0, (1, 1)),
    ((1, 1, 1, 70, 70, 4), 1, 0, (0, 0)),
    ((1, 1, 1, 66, 130, 3), 0, 0, (0, 0)),
    ((1, 1, 1, 6, 6, 33), 0, 0, (256, 256)),
    ((0, 2, 1, 3, 3, 4), 0, 0, (0, 0)),
    ((1, 2, 1, 0, 3, 4), 1, 0, (0, 0)),
]
ROWS += [made for entry in FLASH for made in flash_rows(*entry)]
LAYOUTS = ("transposed", "permuted", "sliced", "expanded")
ROWS += [made for layout in LAYOUTS for made in flash_rows((2, 2, 2, 3, 4, 4), layout=layout)]
ROWS += [made for is_causal in (0, 1) for made in flash_rows((1, 4, 2, 5, 6, 4), is_causal, 0, (2, 2), d_lse=True)]
ROWS += flash_rows((1, 2, 2, 8, 8, 8), 1, 0, (4, 4), kind="wide")
