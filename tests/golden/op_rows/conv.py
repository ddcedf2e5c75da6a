"""Convolutions. Both implementations of conv2d, im2col with a product and the plain loops, run the same rows."""

import torch
import torch.nn.functional as F

from rows import row, tensor


def window(stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, kernel=(0, 0), image=(0, 0), output_padding=(0, 0)):
    """Attributes as a Window2d has them."""
    return [*stride, *padding, *dilation, groups, *kernel, *image, *output_padding]


def conv2d(x, w, bias=True, layout="contiguous", weight_layout="contiguous", **how):
    """x (N, C, H, W), w (O, C/groups, kh, kw); rows of both ops."""
    groups = how.get("groups", 1)
    stride, padding, dilation = how.get("stride", (1, 1)), how.get("padding", (0, 0)), how.get("dilation", (1, 1))
    inputs = [tensor(*x, name="x", layout=layout), tensor(*w, name="w", layout=weight_layout)]
    if bias:
        inputs.append(tensor(w[0], name="b"))

    def function(x, w, b=None):
        return F.conv2d(x, w, b, stride, padding, dilation, groups)

    return [row(op, inputs, function, window(**how)) for op in ("conv2d", "conv2d_direct")]


def conv_transpose2d(x, w, bias=True, layout="contiguous", **how):
    """x (N, C, H, W), w (C, O/groups, kh, kw)."""
    groups = how.get("groups", 1)
    stride, padding, dilation = how.get("stride", (1, 1)), how.get("padding", (0, 0)), how.get("dilation", (1, 1))
    more = how.get("output_padding", (0, 0))
    inputs = [tensor(*x, name="x", layout=layout), tensor(*w, name="w")] + ([tensor(w[1] * groups, name="b")] if bias else [])

    def function(x, w, b=None):
        return F.conv_transpose2d(x, w, b, stride, padding, more, groups, dilation)

    return row("conv_transpose2d", inputs, function, window(**how))


def im2col(*x, layout="contiguous", **how):
    stride, padding, dilation = how.get("stride", (1, 1)), how.get("padding", (0, 0)), how.get("dilation", (1, 1))
    return row("im2col", [tensor(*x, layout=layout)], lambda x: F.unfold(x, how["kernel"], dilation, padding, stride),
               window(**how))  # fmt: skip


def col2im(n, c, *, layout="contiguous", **how):
    stride, padding, dilation = how.get("stride", (1, 1)), how.get("padding", (0, 0)), how.get("dilation", (1, 1))
    positions = F.unfold(torch.zeros(1, c, *how["image"]), how["kernel"], dilation, padding, stride).shape[2]
    return row("col2im", [tensor(n, c * how["kernel"][0] * how["kernel"][1], positions, layout=layout)],
               lambda x: F.fold(x, how["image"], how["kernel"], dilation, padding, stride), window(**how))  # fmt: skip


ROWS = [
    # one element, one channel, one tap
    *conv2d([1, 1, 1, 1], [1, 1, 1, 1]),
    *conv2d([1, 1, 1, 1], [1, 1, 3, 3], padding=(1, 1)),
    *conv2d([1, 1, 3, 3], [1, 1, 3, 3], bias=False),
    *conv2d([2, 3, 4, 5], [4, 3, 1, 1]),
    *conv2d([2, 3, 4, 5], [4, 3, 1, 1], stride=(2, 2)),
    *conv2d([2, 3, 4, 5], [4, 3, 1, 1], padding=(1, 0), bias=False),
    # odd planes and windows
    *conv2d([2, 3, 5, 7], [4, 3, 3, 3]),
    *conv2d([2, 3, 5, 7], [4, 3, 3, 3], padding=(1, 1)),
    *conv2d([1, 2, 7, 5], [3, 2, 2, 3], padding=(1, 2), bias=False),
    *conv2d([3, 1, 9, 9], [5, 1, 5, 5], padding=(2, 2)),
    *conv2d([1, 2, 1, 11], [3, 2, 1, 4]),
    *conv2d([1, 2, 11, 1], [3, 2, 4, 1], padding=(0, 1)),
    *conv2d([2, 1, 6, 6], [1, 1, 6, 6]),
    # strides that leave a rest, and larger than the window
    *conv2d([2, 3, 7, 8], [4, 3, 3, 3], stride=(2, 2)),
    *conv2d([2, 3, 8, 7], [4, 3, 3, 3], stride=(2, 3), padding=(1, 1)),
    *conv2d([1, 2, 9, 9], [3, 2, 2, 2], stride=(3, 3), bias=False),
    *conv2d([1, 1, 10, 6], [2, 1, 1, 2], stride=(4, 3), padding=(0, 1)),
    *conv2d([1, 1, 4, 4], [2, 1, 2, 2], stride=(7, 7)),
    # dilations
    *conv2d([2, 2, 7, 7], [3, 2, 3, 3], dilation=(2, 2)),
    *conv2d([1, 3, 9, 8], [2, 3, 3, 2], dilation=(3, 2), padding=(2, 1), bias=False),
    *conv2d([1, 2, 8, 9], [2, 2, 3, 3], dilation=(2, 3), padding=(2, 3), stride=(2, 2)),
    # a border wider than the plane
    *conv2d([1, 1, 2, 2], [2, 1, 3, 3], padding=(3, 4)),
    *conv2d([1, 1, 1, 3], [1, 1, 2, 2], padding=(2, 2), stride=(3, 2)),
    # groups, depthwise
    *conv2d([2, 4, 5, 5], [6, 2, 3, 3], groups=2, padding=(1, 1)),
    *conv2d([1, 6, 4, 5], [3, 2, 2, 2], groups=3, bias=False),
    *conv2d([2, 5, 6, 5], [5, 1, 3, 3], groups=5, padding=(1, 1)),
    *conv2d([1, 3, 7, 6], [6, 1, 3, 2], groups=3, stride=(2, 2), dilation=(2, 1), padding=(1, 1)),
    *conv2d([2, 4, 3, 3], [8, 1, 1, 1], groups=4),
    # no images
    *conv2d([0, 2, 5, 5], [3, 2, 3, 3], padding=(1, 1)),
    *conv2d([0, 4, 3, 3], [4, 2, 1, 1], groups=2, bias=False),
    # more than a panel of a product, more than a chunk of images, and enough for two threads
    *conv2d([1, 7, 9, 11], [37, 7, 3, 3], padding=(1, 1)),
    *conv2d([37, 2, 3, 3], [3, 2, 2, 2], padding=(1, 1)),
    *conv2d([3, 6, 15, 17], [16, 6, 5, 3], padding=(2, 1)),
    # layouts
    *conv2d([2, 3, 5, 4], [2, 3, 3, 3], padding=(1, 1), layout="permuted"),
    *conv2d([2, 3, 5, 4], [2, 3, 3, 3], layout="sliced", weight_layout="transposed"),
    *conv2d([3, 2, 4, 4], [2, 2, 2, 2], layout="expanded", weight_layout="sliced"),
    conv_transpose2d([1, 1, 1, 1], [1, 1, 1, 1]),
    conv_transpose2d([1, 1, 1, 1], [1, 1, 3, 2], bias=False),
    conv_transpose2d([2, 3, 4, 5], [3, 2, 1, 1]),
    conv_transpose2d([2, 3, 4, 5], [3, 2, 3, 3]),
    conv_transpose2d([2, 3, 4, 5], [3, 2, 3, 3], padding=(1, 1)),
    conv_transpose2d([2, 3, 3, 4], [3, 4, 2, 2], stride=(2, 2)),
    conv_transpose2d([1, 2, 3, 3], [2, 3, 3, 3], stride=(2, 3), padding=(1, 2), bias=False),
    conv_transpose2d([1, 2, 3, 4], [2, 3, 3, 3], stride=(2, 2), padding=(1, 1), output_padding=(1, 1)),
    conv_transpose2d([2, 2, 3, 2], [2, 1, 2, 3], stride=(3, 4), output_padding=(2, 3)),
    conv_transpose2d([1, 2, 3, 3], [2, 2, 3, 3], dilation=(2, 3), padding=(2, 1)),
    conv_transpose2d([1, 2, 3, 3], [2, 2, 2, 2], dilation=(2, 3), output_padding=(1, 2)),
    conv_transpose2d([1, 1, 2, 2], [1, 1, 2, 2], stride=(5, 5)),
    conv_transpose2d([2, 4, 3, 3], [4, 3, 3, 3], groups=2, stride=(2, 2), padding=(1, 1)),
    conv_transpose2d([1, 6, 4, 3], [6, 1, 2, 3], groups=3, bias=False),
    conv_transpose2d([2, 3, 4, 4], [3, 1, 3, 3], groups=3, stride=(2, 1), padding=(1, 1), output_padding=(1, 0)),
    conv_transpose2d([0, 2, 3, 3], [2, 3, 3, 3], stride=(2, 2)),
    conv_transpose2d([1, 1, 1, 9], [1, 2, 1, 4], stride=(1, 2)),
    conv_transpose2d([2, 17, 7, 6], [17, 5, 3, 3], stride=(2, 2), padding=(1, 1)),
    conv_transpose2d([2, 3, 4, 3], [3, 2, 2, 2], layout="permuted"),
    conv_transpose2d([2, 3, 4, 3], [3, 2, 2, 2], layout="sliced", stride=(2, 2)),
    im2col(1, 1, 1, 1, kernel=(1, 1)),
    im2col(1, 1, 3, 3, kernel=(3, 3)),
    im2col(2, 3, 4, 5, kernel=(2, 2)),
    im2col(2, 3, 4, 5, kernel=(3, 3), padding=(1, 1)),
    im2col(1, 2, 7, 6, kernel=(3, 2), stride=(2, 3)),
    im2col(1, 2, 7, 6, kernel=(2, 3), dilation=(2, 2), padding=(1, 2)),
    im2col(1, 1, 5, 5, kernel=(2, 2), stride=(4, 4)),
    im2col(1, 1, 2, 2, kernel=(2, 2), padding=(3, 3), stride=(2, 2)),
    im2col(0, 2, 4, 4, kernel=(2, 2)),
    im2col(3, 1, 8, 8, kernel=(4, 4), stride=(4, 4)),
    im2col(2, 2, 9, 1, kernel=(3, 1), stride=(2, 1)),
    im2col(2, 3, 4, 5, kernel=(2, 2), layout="permuted"),
    im2col(2, 3, 4, 5, kernel=(2, 2), layout="sliced"),
    col2im(1, 1, kernel=(1, 1), image=(1, 1)),
    col2im(1, 1, kernel=(3, 3), image=(3, 3)),
    col2im(2, 3, kernel=(2, 2), image=(4, 5)),
    col2im(2, 3, kernel=(3, 3), image=(4, 5), padding=(1, 1)),
    col2im(1, 2, kernel=(3, 2), image=(7, 6), stride=(2, 3)),
    col2im(1, 2, kernel=(2, 3), image=(7, 6), dilation=(2, 2), padding=(1, 2)),
    col2im(1, 1, kernel=(2, 2), image=(2, 2), stride=(2, 2), padding=(3, 3)),
    col2im(0, 2, kernel=(2, 2), image=(4, 4)),
    col2im(3, 1, kernel=(4, 4), image=(8, 8), stride=(4, 4)),
    col2im(2, 2, kernel=(3, 1), image=(9, 1), stride=(2, 1)),
    col2im(2, 2, kernel=(5, 5), image=(6, 7), padding=(2, 2)),
    col2im(2, 2, kernel=(2, 2), image=(4, 4), layout="transposed"),
]  # fmt: skip
