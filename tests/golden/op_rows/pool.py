"""Pools over planes."""

import torch.nn.functional as F

from rows import output, row, tensor


def window(kernel, stride=None, padding=(0, 0), dilation=(1, 1), count_include_pad=True):
    """Attributes as a Window2d has them; the stride is the kernel's size where none is given, as in PyTorch."""
    return [*(stride or kernel), *padding, *dilation, 1, *kernel, 0, 0, 0, 0, int(count_include_pad)]


def max_pool2d(*x, kind="distinct", layout="contiguous", no_gradcheck="", **how):
    def function(x):
        more = how.get("stride"), how.get("padding", 0), how.get("dilation", 1)
        return F.max_pool2d(x, how["kernel"], *more, return_indices=True)

    return row("max_pool2d", [tensor(*x, kind=kind, layout=layout)], function, window(**how), ["y", output("switches", "i32")],
               no_gradcheck=no_gradcheck)  # fmt: skip


def avg_pool2d(*x, layout="contiguous", **how):
    def function(x):
        return F.avg_pool2d(x, how["kernel"], how.get("stride"), how.get("padding", 0), False, how.get("count_include_pad", True))

    return row("avg_pool2d", [tensor(*x, layout=layout)], function, window(**how))


def global_avg_pool(*x, layout="contiguous"):
    return row("global_avg_pool", [tensor(*x, layout=layout)], lambda x: F.adaptive_avg_pool2d(x, 1))


TIES = "the largest of several alike: a kink"

ROWS = [
    max_pool2d(1, 1, 1, 1, kernel=(1, 1)),
    max_pool2d(1, 1, 2, 2, kernel=(2, 2)),
    max_pool2d(2, 3, 4, 6, kernel=(2, 2)),
    max_pool2d(2, 2, 5, 7, kernel=(2, 2)),  # a row and a column are left over
    max_pool2d(2, 2, 5, 7, kernel=(3, 3), stride=(2, 2), padding=(1, 1)),
    max_pool2d(1, 2, 7, 5, kernel=(3, 2), stride=(1, 1)),
    max_pool2d(1, 2, 7, 5, kernel=(2, 3), stride=(2, 1), padding=(1, 1)),
    max_pool2d(1, 1, 9, 9, kernel=(3, 3), stride=(1, 1), dilation=(2, 2)),
    max_pool2d(1, 2, 8, 7, kernel=(2, 3), stride=(2, 2), dilation=(3, 2), padding=(1, 1)),
    max_pool2d(1, 1, 10, 6, kernel=(2, 2), stride=(5, 3)),
    max_pool2d(1, 1, 1, 9, kernel=(1, 4), stride=(1, 2), padding=(0, 2)),
    max_pool2d(1, 1, 9, 1, kernel=(4, 1), stride=(3, 1), padding=(1, 0)),
    max_pool2d(1, 1, 2, 2, kernel=(2, 2), stride=(1, 1), padding=(1, 1)),
    max_pool2d(3, 2, 6, 6, kernel=(6, 6)),
    max_pool2d(0, 2, 4, 4, kernel=(2, 2)),
    max_pool2d(2, 4, 8, 8, kernel=(3, 3), stride=(1, 1), padding=(1, 1)),
    max_pool2d(2, 3, 4, 4, kernel=(2, 2), layout="permuted"),
    max_pool2d(2, 3, 4, 4, kernel=(3, 3), stride=(1, 1), layout="sliced"),
    max_pool2d(2, 2, 5, 5, kernel=(2, 2), stride=(1, 1), layout="expanded"),
    max_pool2d(2, 2, 6, 6, kernel=(3, 3), stride=(1, 1), padding=(1, 1), kind="integers(-1,1)", no_gradcheck=TIES),
    max_pool2d(1, 2, 5, 5, kernel=(2, 2), stride=(1, 1), kind="constant(-2)", no_gradcheck=TIES),
    max_pool2d(1, 2, 6, 5, kernel=(3, 3), dilation=(2, 1), padding=(1, 1), kind="zero_one", no_gradcheck=TIES),
    max_pool2d(1, 1, 4, 4, kernel=(2, 2), stride=(1, 1), kind="additive_mask", no_gradcheck=TIES),
    avg_pool2d(1, 1, 1, 1, kernel=(1, 1)),
    avg_pool2d(1, 1, 2, 2, kernel=(2, 2)),
    avg_pool2d(2, 3, 4, 6, kernel=(2, 2)),
    avg_pool2d(2, 2, 5, 7, kernel=(2, 2)),
    avg_pool2d(2, 2, 5, 7, kernel=(3, 3), stride=(2, 2), padding=(1, 1)),
    avg_pool2d(2, 2, 5, 7, kernel=(3, 3), stride=(2, 2), padding=(1, 1), count_include_pad=False),
    avg_pool2d(1, 2, 7, 5, kernel=(3, 2), stride=(1, 1)),
    avg_pool2d(1, 2, 7, 5, kernel=(2, 3), stride=(2, 1), padding=(1, 1)),
    avg_pool2d(1, 2, 7, 5, kernel=(2, 3), stride=(2, 1), padding=(1, 1), count_include_pad=False),
    avg_pool2d(1, 1, 10, 6, kernel=(2, 2), stride=(5, 3)),
    avg_pool2d(1, 1, 1, 9, kernel=(1, 4), stride=(1, 2), padding=(0, 2), count_include_pad=False),
    avg_pool2d(1, 1, 9, 1, kernel=(4, 1), stride=(3, 1), padding=(1, 0)),
    avg_pool2d(1, 1, 2, 2, kernel=(2, 2), stride=(1, 1), padding=(1, 1), count_include_pad=False),
    avg_pool2d(3, 2, 6, 6, kernel=(6, 6)),
    avg_pool2d(0, 2, 4, 4, kernel=(2, 2)),
    avg_pool2d(2, 4, 8, 8, kernel=(3, 3), stride=(1, 1), padding=(1, 1)),
    avg_pool2d(2, 3, 4, 4, kernel=(2, 2), layout="permuted"),
    avg_pool2d(2, 3, 4, 4, kernel=(3, 3), stride=(1, 1), layout="sliced"),
    avg_pool2d(2, 2, 5, 5, kernel=(2, 2), stride=(1, 1), layout="expanded"),
    global_avg_pool(1, 1, 1, 1),
    global_avg_pool(2, 3, 1, 1),
    global_avg_pool(1, 1, 3, 3),
    global_avg_pool(2, 3, 4, 5),
    global_avg_pool(3, 2, 7, 7),
    global_avg_pool(1, 5, 1, 9),
    global_avg_pool(2, 2, 11, 1),
    global_avg_pool(0, 3, 4, 4),
    global_avg_pool(2, 5, 9, 13),
    global_avg_pool(2, 3, 4, 5, layout="permuted"),
    global_avg_pool(2, 3, 4, 5, layout="sliced"),
    global_avg_pool(2, 3, 4, 5, layout="transposed"),
]
