"""Normalisations. Where few numbers are normalised, eps is large: with a small one their gradient is all but 0, and what is left
of it after cancelling is rounding."""

import torch
import torch.nn.functional as F

from rows import output, row, tensor

EPS = 1e-5


def statistic(name):
    return output(name, "statistic", grad=False)


def running(channels):
    mean = tensor(channels, name="running_mean", grad=False)
    return mean, tensor(channels, name="running_var", kind="positive", grad=False)


def batch_norm(*x, eps=EPS, momentum=0.1, layout="contiguous", kind="normal", **more):
    def function(x, w, b, mean, var):
        mean, var = mean.clone(), var.clone()
        if x.numel() == 0:  # torch.nn.functional takes it, torch.native_batch_norm does not
            y = F.batch_norm(x, mean, var, w, b, True, momentum, eps)
            return y, torch.zeros_like(w), torch.full_like(w, eps**-0.5), mean, var
        return *torch.native_batch_norm(x, w, b, mean, var, True, momentum, eps), mean, var

    inputs = [tensor(*x, name="x", layout=layout, kind=kind), tensor(x[1], name="w"), tensor(x[1], name="b"),
              *running(x[1])]  # fmt: skip
    outputs = ["y", statistic("mean"), statistic("rstd"), output("new_mean", grad=False), output("new_var", grad=False)]
    return row("batch_norm", inputs, function, [eps, momentum], outputs, **more)


def batch_norm_inference(*x, eps=EPS, layout="contiguous"):
    inputs = [tensor(*x, name="x", layout=layout), tensor(x[1], name="w"), tensor(x[1], name="b"),
              *running(x[1])]  # fmt: skip
    return row("batch_norm_inference", inputs, lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, False, 0.1, eps), [eps])


def layer(x, w, b, eps):
    return torch.native_layer_norm(x, w.shape, w, b, eps)


def rms(x, w, eps):
    return F.rms_norm(x, w.shape, w, eps), (x.pow(2).mean(-1, keepdim=True) + eps).rsqrt()


def layer_norm(*x, eps=EPS, layout="contiguous", kind="normal", **more):
    inputs = [tensor(*x, name="x", layout=layout, kind=kind), tensor(x[-1], name="w"), tensor(x[-1], name="b")]
    outputs = ["y", statistic("mean"), statistic("rstd")]
    return row("layer_norm", inputs, lambda x, w, b: layer(x, w, b, eps), [eps], outputs, **more)


def rms_norm(*x, eps=EPS, layout="contiguous", kind="normal", **more):
    inputs = [tensor(*x, name="x", layout=layout, kind=kind), tensor(x[-1], name="w")]
    return row("rms_norm", inputs, lambda x, w: rms(x, w, eps), [eps], ["y", statistic("rstd")], **more)


def add_layer_norm(*x, eps=EPS, layouts=("contiguous", "contiguous"), used="sy", **more):
    """used: which of the outputs the loss depends on."""

    def function(x, r, w, b):
        return x + r, *layer(x + r, w, b, eps)

    y = "y" in used
    inputs = [tensor(*x, name="x", layout=layouts[0]), tensor(*x, name="r", layout=layouts[1]), tensor(x[-1], name="w", grad=y),
              tensor(x[-1], name="b", grad=y)]  # fmt: skip
    outputs = [output("s", grad="s" in used), output("y", grad=y), statistic("mean"), statistic("rstd")]
    return row("add_layer_norm", inputs, function, [eps], outputs, **more)


def add_rms_norm(*x, eps=EPS, layouts=("contiguous", "contiguous"), used="sy"):
    def function(x, r, w):
        return x + r, *rms(x + r, w, eps)

    y = "y" in used
    inputs = [tensor(*x, name="x", layout=layouts[0]), tensor(*x, name="r", layout=layouts[1]), tensor(x[-1], name="w", grad=y)]
    outputs = [output("s", grad="s" in used), output("y", grad=y), statistic("rstd")]
    return row("add_rms_norm", inputs, function, [eps], outputs)


def group_norm(*x, groups, eps=EPS, layout="contiguous", kind="normal", **more):
    def function(x, w, b):
        entries = x[0, 0].numel() if x.shape[0] else 1
        return torch.native_group_norm(x, w, b, x.shape[0], x.shape[1], entries, groups, eps)

    inputs = [tensor(*x, name="x", layout=layout, kind=kind), tensor(x[1], name="w"), tensor(x[1], name="b")]
    return row("group_norm", inputs, function, [eps, groups], ["y", statistic("mean"), statistic("rstd")], **more)


ALONE = {"zero": {"dx": "one number is its own mean", "dw": "one number is its own mean"}}

ROWS = [
    batch_norm(2, 1, eps=0.5),
    batch_norm(2, 3, eps=0.5),
    batch_norm(3, 2, eps=0.25, momentum=0.5),
    batch_norm(9, 4),
    batch_norm(17, 33, eps=0.01),
    batch_norm(12, 70, momentum=0.01),
    batch_norm(64, 5, momentum=1),
    batch_norm(33, 7, momentum=0),
    batch_norm(1, 3, 2, 2, eps=0.25),
    batch_norm(1, 2, 3, 5),
    batch_norm(2, 3, 4, 5),
    batch_norm(3, 5, 3, 3, eps=1e-3, momentum=0.3),
    batch_norm(2, 4, 7, 7),
    batch_norm(5, 1, 2, 3),
    batch_norm(3, 2, 9),
    batch_norm(2, 3, 2, 3, 2),
    batch_norm(4, 6, 1, 1, eps=0.25),
    batch_norm(0, 3),
    batch_norm(0, 3, 4, 4),
    batch_norm(5, 4, 31, 33),  # more than one piece
    batch_norm(600, 40),
    batch_norm(11, 3, kind="integers(100,103)", eps=0.1),
    batch_norm(3, 2, 3, 3, kind="integers(100,103)", eps=0.1),
    batch_norm(9, 5, layout="transposed"),
    batch_norm(2, 3, 4, 5, layout="permuted"),
    batch_norm(2, 3, 4, 5, layout="sliced"),
    batch_norm_inference(1, 1),
    batch_norm_inference(1, 3),
    batch_norm_inference(5, 4),
    batch_norm_inference(17, 33),
    batch_norm_inference(1, 1, 1, 1),
    batch_norm_inference(2, 3, 4, 5),
    batch_norm_inference(3, 5, 3, 3, eps=1e-3),
    batch_norm_inference(2, 4, 7, 7, eps=0.5),
    batch_norm_inference(3, 2, 9),
    batch_norm_inference(0, 3),
    batch_norm_inference(0, 3, 4, 4),
    batch_norm_inference(9, 5, layout="transposed"),
    batch_norm_inference(2, 3, 4, 5, layout="sliced"),
    layer_norm(1, eps=0.5, **ALONE),
    layer_norm(3, 1, eps=0.5, **ALONE),
    layer_norm(7),
    layer_norm(2, 3, eps=0.5),
    layer_norm(5, 4, eps=0.25),
    layer_norm(1, 8),
    layer_norm(3, 9),
    layer_norm(17, 33),
    layer_norm(2, 5, 16),
    layer_norm(2, 3, 2, 24, eps=1e-3),
    layer_norm(4, 257),
    layer_norm(100, 6, eps=0.01),
    layer_norm(3, 31, kind="wide"),
    layer_norm(3, 12, kind="integers(100,103)", eps=0.1),
    layer_norm(0, 5),
    layer_norm(3, 0, 5),
    layer_norm(90, 200),  # more than one block of rows
    layer_norm(6, 9, layout="transposed"),
    layer_norm(3, 4, 8, layout="permuted"),
    layer_norm(6, 11, layout="sliced"),
    layer_norm(4, 10, layout="expanded"),
    add_layer_norm(9),
    add_layer_norm(2, 3, eps=0.5),
    add_layer_norm(5, 8),
    add_layer_norm(2, 3, 17),
    add_layer_norm(3, 40, used="y"),
    add_layer_norm(2, 4, 6, used="y", eps=0.01),
    add_layer_norm(3, 40, used="s"),
    add_layer_norm(0, 5),
    add_layer_norm(90, 200),
    add_layer_norm(6, 9, layouts=("transposed", "contiguous")),
    add_layer_norm(6, 9, layouts=("sliced", "expanded")),
    add_layer_norm(31, 5, eps=0.1),
    rms_norm(1, eps=0.5),
    rms_norm(3, 1, eps=0.5),
    rms_norm(7),
    rms_norm(2, 3, eps=0.5),
    rms_norm(5, 4, eps=0.25),
    rms_norm(1, 8),
    rms_norm(17, 33),
    rms_norm(2, 5, 16),
    rms_norm(2, 3, 2, 24, eps=1e-3),
    rms_norm(4, 257),
    rms_norm(100, 6, eps=0.01),
    rms_norm(3, 31, kind="wide"),
    rms_norm(0, 5),
    rms_norm(90, 200),
    rms_norm(6, 9, layout="transposed"),
    rms_norm(6, 11, layout="sliced"),
    rms_norm(4, 10, layout="expanded"),
    add_rms_norm(9),
    add_rms_norm(2, 3, eps=0.5),
    add_rms_norm(5, 8),
    add_rms_norm(2, 3, 17),
    add_rms_norm(3, 40, used="y"),
    add_rms_norm(2, 4, 6, used="y", eps=0.01),
    add_rms_norm(3, 40, used="s"),
    add_rms_norm(0, 5),
    add_rms_norm(90, 200),
    add_rms_norm(6, 9, layouts=("transposed", "contiguous")),
    add_rms_norm(6, 9, layouts=("sliced", "expanded")),
    add_rms_norm(31, 5, eps=0.1),
    group_norm(1, 4, groups=1, eps=0.25),
    group_norm(3, 6, groups=2, eps=0.25),
    group_norm(2, 5, groups=5, eps=0.5, **ALONE),
    group_norm(4, 40, groups=4),
    group_norm(1, 1, 3, 3, groups=1),
    group_norm(2, 4, 3, 5, groups=2),
    group_norm(2, 4, 3, 5, groups=4),
    group_norm(2, 4, 3, 5, groups=1),
    group_norm(3, 6, 2, 2, groups=3, eps=1e-3),
    group_norm(2, 6, 9, groups=3),
    group_norm(1, 2, 2, 2, 2, groups=2, eps=0.01),
    group_norm(2, 8, 7, 7, groups=4),
    group_norm(70, 2, 3, groups=1, eps=0.1),
    group_norm(0, 4, 3, groups=2),
    group_norm(3, 12, 23, 21, groups=3),
    group_norm(2, 4, 3, 3, groups=2, kind="integers(100,103)", eps=0.1),
    group_norm(2, 4, 3, 5, groups=2, layout="permuted"),
    group_norm(2, 4, 3, 5, groups=2, layout="sliced"),
    group_norm(5, 8, groups=2, layout="transposed"),
    add_layer_norm(1, eps=0.5, zero={"dw": "one number is its own mean"}),
    add_layer_norm(3, 1, eps=0.5, zero={"dw": "one number is its own mean"}),
    add_rms_norm(1, eps=0.5),
    add_rms_norm(3, 1, eps=0.5),
]
