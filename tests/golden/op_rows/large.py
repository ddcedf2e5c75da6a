"""Rows that are cut into pieces for several threads, and whose sums are long: each tensor has more elements than one piece."""

import torch
import torch.nn.functional as F

import attention
import conv
import dropout
import indexing
import norm
import pool
import product
import reduce
import softmax
from losses import LOSS, binary_cross_entropy, softmax_cross_entropy
from rows import index, mask, row, tensor

WORD = "large."
S = [130, 257]  # pieces have 16,384 elements


def one(op, function, kind="normal", attributes=(), **more):
    return row(op, [tensor(*S, kind=kind)], function, attributes, **more)


def two(op, function, other=S, a="normal", b="normal", **more):
    return row(op, [tensor(*S, kind=a), tensor(*other, kind=b)], function, **more)


ROWS = [
    one("relu", torch.relu, "away_from_zero"),
    one("tanh", torch.tanh, half="saved"),
    one("sigmoid", torch.sigmoid, half="saved"),
    one("gelu", F.gelu),
    one("silu", F.silu),
    one("exp", torch.exp, half="saved"),
    one("log", torch.log, "positive"),
    one("sqrt", torch.sqrt, "positive", half="saved"),
    one("reciprocal", torch.reciprocal, "away_from_zero", half="saved"),
    one("power", lambda x: x**2.75, "positive", [2.75]),
    one("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")),
    one("leaky_relu", lambda x: F.leaky_relu(x, 0.01), "away_from_zero", [0.01]),
    one("clamp", lambda x: x.clamp(-0.53, 0.71), attributes=[-0.53, 0.71]),
    one("scale", lambda x: 0.3 * x, attributes=[0.3]),
    one("causal_mask", lambda x: x.masked_fill(torch.ones(S).triu(1) == 1, -torch.inf)),
    one("contiguous", lambda x: x.clone()),
    row("contiguous", [tensor(*S, layout="transposed")], lambda x: x.clone()),
    row("cast", [tensor(*S, layout="sliced")], lambda x: x.clone(), ["dtype"]),
    row("concat", [tensor(*S), tensor(130, 31)], lambda a, b: torch.cat([a, b], 1), [1]),
    two("add", torch.add),
    two("subtract", torch.subtract, [257]),
    two("multiply", torch.multiply, [130, 1]),
    two("divide", torch.divide, b="away_from_zero"),
    two("maximum", torch.maximum, a="between_integers", b="wide"),
    two("power_tensor", torch.pow, a="positive"),
    row("where", [mask(*S), tensor(*S), tensor(257)], torch.where),
    two("bias_relu", lambda x, b: torch.relu(x + b), [257], a="between_integers", b="wide"),
    two("bias_gelu", lambda x, b: F.gelu(x + b), [257]),
    two("bias_gelu_tanh", lambda x, b: F.gelu(x + b, approximate="tanh"), [257]),
    two("add_bias", torch.add, [257]),
    row("sum_rows", [tensor(*S, grad=False)], lambda x: x.sum(0)),
    *[row(op, [tensor(*S)], reduce.over(f, axes, 0), reduce.attributes(axes, 0, own))
      for op, f, own in [("sum", reduce.total, 0), ("mean", reduce.average, 0), ("var", reduce.variance(1), 1)] for axes in ([0],
          [1], [0, 1])],
    *[row("cumsum", [tensor(*S)], lambda x, axis=axis: torch.cumsum(x, axis), [axis, 0, 0]) for axis in (0, 1)],
    *[row("softmax_along", [tensor(*S)], lambda x, axis=axis: torch.softmax(x, axis), [axis], half="saved") for axis in (0, 1)],
    *[row("log_softmax", [tensor(*S)], lambda x, axis=axis: torch.log_softmax(x, axis), [axis], half="saved") for axis in (0, 1)],
    row("softmax", [tensor(*S, name="z")], lambda z: torch.softmax(z, 1), outputs=["p"], half="saved"),
    row("softmax_cross_entropy", [tensor(*S, name="z"), index(130, n=257, name="target")], softmax_cross_entropy, **LOSS),
    row("binary_cross_entropy", [tensor(*S, name="z"), tensor(*S, kind="probabilities", grad=False, name="target")],
        binary_cross_entropy, **LOSS),
    row("mean_squared_error", [tensor(*S, name="z"), tensor(*S, grad=False, name="target")], F.mse_loss, outputs=["loss"],
        upstream="one"),
    softmax.cross_entropy(S),
    softmax.cross_entropy(S, smoothing=0.125),
    softmax.loss("l1_loss", F.l1_loss, S, "mean"),
    softmax.loss("bce", F.binary_cross_entropy, S, "mean", **softmax.P),
    norm.batch_norm(16, 5, 17, 15),
    norm.layer_norm(*S),
    norm.rms_norm(*S),
    norm.add_layer_norm(*S),
    norm.group_norm(12, 6, 17, 15, groups=3),
    *conv.conv2d([5, 6, 15, 17], [8, 6, 3, 3], padding=(1, 1)),
    conv.conv_transpose2d([5, 6, 15, 17], [6, 8, 3, 3], stride=(2, 2)),
    conv.im2col(3, 4, 17, 15, kernel=(3, 3)),
    pool.max_pool2d(5, 6, 33, 31, kind="normal", kernel=(2, 2), no_gradcheck=pool.TIES),
    pool.avg_pool2d(5, 6, 33, 31, kernel=(3, 3), stride=(2, 2), padding=(1, 1)),
    product.made("matmul", [], [], 130, 140, 150),
    product.made("batched_matmul", [7], [7], 40, 60, 70),
    *attention.flash_rows((2, 4, 2, 70, 66, 16), 1),
    indexing.embedding(300, 17, [1100]),
    indexing.gather(S, [130, 150], 1),
    indexing.scatter_add(S, [130, 300], 1),
    indexing.select(S, 0, 140),
    indexing.sort(S, False, **indexing.TIES),
    indexing.top_k(S, 9, **indexing.TIES),
    dropout.dropout(S, 0.25),
]
