"""Sums, means, extremes and variances over axes, and running sums along one."""

import numpy as np
import torch

from rows import output, row, tensor

TIE = "a tie is a kink"

# shape, axes (none: all), whether they stay, layout. Empty, one element, odd; every pattern of kept and reduced axes.
OVER = [
    ([0], [], 0, "contiguous"), ([3, 0], [1], 0, "contiguous"),
    ([], [], 0, "contiguous"), ([1], [0], 1, "contiguous"), ([7], [], 0, "contiguous"), ([300], [0], 0, "contiguous"),
    ([15, 33], [0], 0, "contiguous"), ([15, 33], [1], 0, "contiguous"), ([15, 33], [], 1, "contiguous"), ([40, 3], [0], 1, "contiguous"),
    ([3, 129], [1], 1, "contiguous"), ([0, 4], [1], 0, "contiguous"),
    ([4, 3, 5], [0, 2], 0, "contiguous"), ([4, 3, 5], [1], 1, "contiguous"), ([4, 3, 5], [1, 2], 0, "contiguous"),
    ([2, 3, 4, 5], [1, 3], 0, "contiguous"), ([2, 3, 4, 5], [0, 2], 1, "contiguous"), ([2, 3, 4, 5], [3, 0], 0, "contiguous"),
    ([2, 1, 3, 2, 1, 4], [2, 5], 0, "contiguous"),
    ([5, 7], [0], 0, "transposed"), ([5, 7], [1], 0, "transposed"), ([2, 3, 5], [0, 2], 0, "permuted"), ([6, 9], [1], 1, "sliced"),
    ([6, 9], [0], 0, "sliced"), ([4, 6], [0], 0, "expanded"), ([4, 6], [1], 0, "expanded"), ([56, 9], [0], 0, "contiguous"),
]  # fmt: skip
FILLED = [o for o in OVER if o[0] not in ([0], [3, 0])]
# Cut into parts whose results are joined; only results are kept.
LARGE = [([2, 40_000], [1]), ([40_000], []), ([20_000, 3], [0]), ([3, 9_000, 2], [1]), ([50, 9, 70], [0, 2])]


def attributes(axes, keep=0, own=0):
    return [len(axes), keep, *axes, *[0] * (6 - len(axes)), own]


def over(function, axes, keep):
    """A PyTorch reduction over axes; none are all."""
    return lambda x: function(x, tuple(axes) or tuple(range(x.dim())), bool(keep))


def reductions(op, function, some=OVER, kind="normal", own=0, large=True, **more):
    out = []
    for s, axes, keep, layout in some:
        tied = {"no_gradcheck": TIE} if kind == "distinct" and layout == "expanded" and 0 in axes else {}  # its slices are alike
        out.append(row(op, [tensor(*s, kind=kind, layout=layout)], over(function, axes, keep), attributes(axes, keep, own), **more, **tied))
    if large:
        out += [row(op, [tensor(*s, kind=kind, grad=False)], over(function, axes, 0), attributes(axes, 0, own)) for s, axes in LARGE]
    return out


def total(x, axes, keep):
    return x.sum(axes, keep) if axes else x.sum()


def average(x, axes, keep):
    return x.mean(axes, keep) if axes else x.mean()


def variance(correction):
    return lambda x, axes, keep: torch.var(x, axes, correction=correction, keepdim=keep) if axes else x * 0


def largest(x, axes, keep):
    return torch.amax(x, axes, keep) if axes else x * 1


def smallest(x, axes, keep):
    return torch.amin(x, axes, keep) if axes else x * 1


def positions(op, find):
    """The first of several alike, along one axis or over all."""
    some = [([], [], 0, "contiguous"), ([7], [0], 0, "contiguous"), ([300], [], 0, "contiguous"), ([15, 33], [0], 0, "contiguous"),
            ([15, 33], [1], 1, "contiguous"), ([4, 3, 5], [1], 0, "contiguous"), ([4, 3, 5], [], 1, "contiguous"), ([0, 4], [1], 0, "contiguous"),
            ([5, 7], [0], 0, "transposed"), ([5, 7], [], 0, "transposed"), ([6, 9], [1], 0, "sliced"), ([4, 6], [0], 0, "expanded")]  # fmt: skip

    def function(axes, keep):
        return lambda x: torch.from_numpy(np.asarray(find(x.detach().numpy(), axis=axes[0] if axes else None, keepdims=bool(keep)), np.int64))

    return [row(op, [tensor(*s, kind=kind, layout=layout)], function(axes, keep), attributes(axes, keep), outputs=[output("y", "i32")])
            for kind in ("distinct", "integers(-3,3)") for s, axes, keep, layout in some if kind != "distinct" or np.prod(s) <= 512]  # fmt: skip


def scans(op, function, own=(0, 0)):
    some = [([0], 0), ([1], 0), ([7], 0), ([300], 0), ([15, 33], 0), ([15, 33], 1), ([4, 3, 5], 1), ([2, 3, 2, 5], 2), ([3, 0], 1), ([0, 3], 1)]
    laid_out = [([5, 7], 0, "transposed"), ([6, 9], 1, "sliced"), ([4, 6], 0, "expanded")]
    out = [row(op, [tensor(*s)], (lambda axis: lambda x: function(x, axis))(axis), [axis, *own]) for s, axis in some]
    return out + [row(op, [tensor(*s, layout=l)], (lambda axis: lambda x: function(x, axis))(axis), [axis, *own]) for s, axis, l in laid_out]


def sum_to_rows():
    some = [([7], []), ([7], [1]), ([7], [7]), ([5, 7], [7]), ([5, 7], [5, 1]), ([5, 7], [1, 1]), ([5, 7], []), ([2, 3, 4, 5], [3, 1, 5]),
            ([2, 3, 4], [1, 3, 1]), ([0, 4], [4]), ([40, 33], [33]), ([2, 1, 5], [1, 5])]  # fmt: skip
    out = [row("sum_to", [tensor(*s)], (lambda t: lambda x: x.sum_to_size(t))(t), [len(t), *t]) for s, t in some]
    out.append(row("sum_to", [tensor(5, 7, layout="transposed")], lambda x: x.sum_to_size([7]), [1, 7]))
    out.append(row("sum_to", [tensor(2, 3, 5, layout="permuted")], lambda x: x.sum_to_size([3, 1]), [2, 3, 1]))
    out.append(row("sum_to", [tensor(1)], lambda x: x.sum_to_size([1]), [1, 1]))
    out.append(row("sum_to", [tensor(1, 1)], lambda x: x.sum_to_size([1]), [1, 1]))
    return out


ROWS = [
    *reductions("sum", total),
    *reductions("mean", average, FILLED),
    *reductions("max", largest, FILLED, kind="distinct", large=False),
    *reductions("max", largest, FILLED[::3], kind="integers(-2,2)", no_gradcheck=TIE),
    *reductions("min", smallest, FILLED[::2], kind="distinct", large=False),
    *reductions("min", smallest, FILLED[1::3], kind="integers(-2,2)", no_gradcheck=TIE),
    *positions("argmax", np.argmax),
    *positions("argmin", np.argmin),
    *reductions("var", variance(1), [o for o in FILLED if o[0] not in ([], [1])], own=1),
    *reductions("var", variance(0), [o for o in FILLED if o[0] != []][::2], own=0, large=False),
    *scans("cumsum", torch.cumsum),
    *scans("prefix_scan", torch.cumsum),
    *scans("prefix_scan", lambda x, axis: torch.cumsum(x, axis) - x, own=(1, 0)),
    *scans("prefix_scan", lambda x, axis: torch.cumsum(x.flip(axis), axis).flip(axis), own=(0, 1))[2:7],
    *sum_to_rows(),
]
