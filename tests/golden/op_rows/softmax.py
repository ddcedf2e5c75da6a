"""Softmax and log-softmax along any axis, and the losses: of classes (cross_entropy_with_logits, nll_loss), and element by
element (bce, kl_div, l1_loss, smooth_l1_loss)."""

import functools

import torch
import torch.nn.functional as F

from rows import index, output, row, shapes, tensor

ALONG = [
    ([1], 0), ([7], 0), ([300], 0), ([2, 3], 0), ([2, 3], 1), ([5, 1], 0), ([5, 1], 1), ([0, 4], 0), ([0, 4], 1), ([3, 0], 1),
    ([17, 33], 0), ([17, 33], 1), ([3, 129], 1), ([2, 9, 5], 0), ([2, 9, 5], 1), ([2, 9, 5], 2), ([3, 4, 70], 1),
    ([2, 3, 1, 5], 3), ([2, 3, 2, 2, 2, 3], 2), ([2, 3, 2, 2, 2, 3], 5),
]  # fmt: skip
LAID_OUT = [("transposed", [5, 7]), ("permuted", [2, 3, 5]), ("sliced", [6, 9]), ("expanded", [4, 6])]


def along(op, function, x, axis, kind="normal", layout="contiguous"):
    zero = {"dz": "one entry is all of the line"} if x[axis] == 1 else {}
    return row(op, [tensor(*x, kind=kind, layout=layout, name="z")], lambda z: function(z, axis), attributes=[axis], half="saved",
               zero=zero)  # fmt: skip


ROWS = []
for op, function in (("softmax_along", torch.softmax), ("log_softmax", torch.log_softmax)):
    ROWS += [along(op, function, x, axis) for x, axis in ALONG]
    ROWS += [along(op, function, x, axis, kind="wide") for x, axis in (([6, 11], 1), ([6, 11], 0), ([2, 5, 3], 1))]
    ROWS += [along(op, function, x, axis, layout=layout) for layout, x in LAID_OUT for axis in (0, len(x) - 1)]

# shape of the logits; the classes lie along axis 1, or 0
CLASSES = [[1], [5], [1, 7], [5, 2], [17, 33], [3, 129], [40, 10], [2, 4, 3], [3, 5, 2, 4], [2, 3, 70], [2, 3, 1, 2, 2, 2],
           *shapes(5, 3, 12, 20)]  # fmt: skip


def labels(z, ignored=None, all_of=None, layout="contiguous"):
    shape = z[:1] + z[2:] if len(z) > 1 else []
    return index(*shape, n=all_of or z[min(1, len(z) - 1)], ignored=ignored, layout=layout, name="target")


def cross_entropy(z, reduction="mean", ignored=None, smoothing=0, kind="normal", layout="contiguous", **more):
    settings = {"reduction": reduction, "ignore_index": -100 if ignored is None else ignored, "label_smoothing": smoothing}
    function = lambda z, y: (F.cross_entropy(z, y, **settings), torch.logsumexp(z, min(1, z.dim() - 1)))  # noqa: E731
    zero = {"dz": "one class is certain"} if z[min(1, len(z) - 1)] == 1 else {}
    return row("cross_entropy_with_logits", [tensor(*z, kind=kind, layout=layout, name="z"), labels(z, ignored, **more)],
               function, attributes=[int(reduction == "sum"), int(ignored is not None), ignored or 0, smoothing],
               outputs=["loss", output("lse", "statistic", grad=False)], zero=zero)  # fmt: skip


def nll(logp, reduction="mean", ignored=None, layout="contiguous", **more):
    function = lambda x, y: F.nll_loss(x, y, reduction=reduction, ignore_index=-100 if ignored is None else ignored)  # noqa: E731
    return row("nll_loss", [tensor(*logp, layout=layout, name="logp"), labels(logp, ignored, **more)], function,
               attributes=[int(reduction == "sum"), int(ignored is not None), ignored or 0], outputs=["loss"])  # fmt: skip


for make in (cross_entropy, nll):
    ROWS += [make(z) for z in CLASSES]
    ROWS += [make(z, reduction="sum") for z in CLASSES[1:8:2]]
    ROWS += [make(z, ignored=i) for z, i in [([9, 5], -100), ([9, 5], 2), ([30, 3], 0), ([3, 4, 6], 1), ([4, 3, 70], -100)]]
    ROWS += [make([9, 5], reduction="sum", ignored=-1), make([6, 4], reduction="sum", ignored=0, all_of=1)]
    ROWS += [make([0, 3], reduction="sum")]
    ROWS += [make([6, 5], layout=layout) for layout in ("transposed", "sliced", "expanded")]
    ROWS += [make([3, 5, 4], layout="permuted")]
for z in CLASSES[1:9]:
    ROWS += [cross_entropy(z, smoothing=0.125)]
ROWS += [cross_entropy([8, 6], smoothing=1), cross_entropy([8, 6], "sum", smoothing=0.25),
         cross_entropy([9, 5], ignored=3, smoothing=0.1),
         cross_entropy([3, 4, 6], "sum", ignored=-100, smoothing=0.5), cross_entropy([12, 7], kind="wide"),
         cross_entropy([4, 7, 5], kind="wide", smoothing=0.1)]  # fmt: skip

LIKE = [[], [1], [7], [2, 3], [17, 33], [2, 3, 5], [5, 1, 4, 2], [257], *shapes(7, 2, 9, 50)]
REDUCTIONS = ["mean", "sum"]


def loss(op, function, x, reduction, x_kind="normal", target_kind="normal", target_grad=True, attributes=(),
         reductions=REDUCTIONS, layout="contiguous", target_layout="contiguous", **more):  # fmt: skip
    inputs = [tensor(*x, kind=x_kind, layout=layout),
              tensor(*x, kind=target_kind, layout=target_layout, grad=target_grad, name="target")]  # fmt: skip
    return row(op, inputs, lambda x, t: function(x, t, reduction=reduction), outputs=["loss"],
               attributes=[reductions.index(reduction), *attributes], **more)  # fmt: skip


def losses(op, function, batched=False, **more):
    reductions = more.get("reductions", REDUCTIONS)
    plain = [x for x in LIKE if x or not batched]
    out = [loss(op, function, x, reductions[0], **more) for x in plain]
    out += [loss(op, function, x, reduction, **more) for x in plain[2:6] for reduction in reductions[1:]]
    out += [loss(op, function, [0, 4], "sum", **more)]
    out += [loss(op, function, [6, 5], reductions[0], layout=layout, **more) for layout in ("transposed", "sliced", "expanded")]
    out += [loss(op, function, [6, 5], "sum", target_layout=layout, **more) for layout in ("transposed", "sliced", "expanded")]
    return out


P = {"x_kind": "probabilities", "target_kind": "probabilities"}
SURE = {"x_kind": "zero_one", "target_kind": "zero_one", "target_grad": False, "no_gradcheck": "the logarithms are held at -100",
        "dtypes": ("fp32", "fp64"), "note": "the gradient, 1e12, is beyond fp16"}  # fmt: skip


def kl_div(x, t, reduction):
    """F.kl_div, whose "mean" warns that it is not batchmean."""
    return F.kl_div(x, t, reduction="none").mean() if reduction == "mean" else F.kl_div(x, t, reduction=reduction)


KL = {"reductions": ["batchmean", "sum", "mean"], "batched": True}
ROWS += losses("bce", F.binary_cross_entropy, **P)
ROWS += [loss("bce", F.binary_cross_entropy, [4, 6], "mean", **{**P, "target_kind": "zero_one"}, target_grad=False)]
ROWS += [loss("bce", F.binary_cross_entropy, x, "mean", **SURE) for x in ([9], [5, 6])]
ROWS += losses("kl_div", kl_div, target_kind="positive", **KL)
ROWS += losses("kl_div", kl_div, target_kind="distribution", target_grad=False, **KL)
ROWS += losses("l1_loss", F.l1_loss)
for beta in (33 / 32, 9 / 32):  # no difference is as large: there the slope bends
    ROWS += losses("smooth_l1_loss", functools.partial(F.smooth_l1_loss, beta=beta), attributes=[beta])
for beta in (1, 0.25):
    ROWS += [loss("smooth_l1_loss", functools.partial(F.smooth_l1_loss, beta=beta), x, "mean", attributes=[beta],
        no_gradcheck="|d| = beta, where the slope bends")
             for x in ([7], [17, 33])]  # fmt: skip
ROWS += [loss("smooth_l1_loss", functools.partial(F.smooth_l1_loss, beta=0.0), [4, 6], "mean", attributes=[0])]
