"""Activations: an example of a family file, see rows.py."""

import torch
import torch.nn.functional as F

from rows import row, shapes, tensor

# Empty, one element, odd, rank 1 to 4, more than a vector of every path, a few hundred; then how it lies in memory; then drawn
# ones.
SHAPES = [[0], [3, 0], [], [1], [7], [2, 3], [5, 1], [17, 33], [2, 3, 5], [2, 3, 1, 5], [257]] + shapes(1, 4, 9, 40)
LAID_OUT = [("transposed", [5, 7]), ("permuted", [2, 3, 5]), ("sliced", [6, 9]), ("expanded", [4, 6])]


def activation(op, function, kind="normal", **more):
    out = [row(op, [tensor(*s, kind=kind)], function, **more) for s in SHAPES]
    out += [row(op, [tensor(*s, kind=kind, layout=layout)], function, **more) for layout, s in LAID_OUT]
    return out


ROWS = [
    *activation("relu", torch.relu, kind="away_from_zero"),
    *activation("tanh", torch.tanh, half="saved"),  # the engine, like PyTorch, differentiates from the output
    *activation("sigmoid", torch.sigmoid, half="saved"),
    *activation("gelu", F.gelu),
    *activation("silu", F.silu),
    *activation("step", lambda x: (x > 0).to(x.dtype) + 0 * x, kind="away_from_zero", zero={"dx": "a step is flat"}),
]
