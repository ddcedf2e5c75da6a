"""Dropout. PyTorch's mask is its own; the engine's is words of Philox (engine/ops/dropout.hpp), which are made here with numpy.
So the rows compare y with x, the mask and p, and the mask with its definition."""

import math

import torch

from rows import output, philox, row, tensor

STREAMS = 0xD60F << 48


def mask_of(shape, p, seed, step):
    words = philox(seed, STREAMS | step, 0, math.prod(shape))
    return torch.from_numpy((words.astype("float64") >= p * 2.0**32).reshape(shape))


def dropout(shape, p, seed=7, step=0, layout="contiguous"):
    mask = mask_of(shape, p, seed, step)
    zero = {"y": "nothing is kept", "dx": "nothing is kept"} if not mask.any() else {}
    return row("dropout", [tensor(*shape, kind="away_from_zero", layout=layout)],
               lambda x: (x * mask / (1 - p) if p < 1 else 0 * x, mask), attributes=[p, seed, step],
               outputs=["y", output("mask", "boolean")], zero=zero)  # fmt: skip


ROWS = [dropout(shape, 0.5) for shape in ([], [1], [5], [3, 7], [0, 4], [17, 33], [2, 3, 5, 2], [1023])]
ROWS += [dropout([6, 50], p) for p in (0, 0.1, 0.2, 0.3, 0.75, 0.9, 1)]
DRAWS = [(0, 0), (0, 1), (1, 0), (2**53 - 1, 2**48 - 1), (123456789, 4999), (7, 2**32)]
ROWS += [dropout([6, 50], 0.25, seed, step) for seed, step in DRAWS]
ROWS += [dropout([6, 9], 0.5, layout=layout) for layout in ("transposed", "permuted", "sliced", "expanded")]
