"""Products of rows with a matrix each out of several: groups in any order, groups without rows, one row, no rows, layouts."""

import torch

from rows import index, row, tensor


def grouped(transposed):
    return lambda x, w, g: torch.einsum("mk,mnk->mn" if transposed else "mk,mkn->mn", x, w[g])


def made(m, k, n, groups, transposed=0, layouts=("contiguous", "contiguous", "contiguous")):
    w = [groups, n, k] if transposed else [groups, k, n]
    inputs = [tensor(m, k, layout=layouts[0], name="x"), tensor(*w, layout=layouts[1], name="w"),
              index(m, n=groups, layout=layouts[2], name="group")]  # fmt: skip
    return row("grouped_matmul", inputs, grouped(transposed), attributes=[transposed], half="saved")


SIZES = [  # rows, inner, columns, groups
    (1, 1, 1, 1), (1, 3, 2, 4), (2, 5, 3, 8), (7, 4, 6, 3), (9, 1, 5, 2), (6, 7, 1, 5), (17, 8, 16, 4), (5, 33, 2, 2),
    (12, 6, 10, 1), (20, 3, 4, 20), (0, 3, 4, 2), (4, 0, 3, 2), (4, 3, 0, 2),
]  # fmt: skip
ROWS = [made(*size, transposed) for transposed in (0, 1) for size in SIZES]
ROWS += [
    made(6, 5, 4, 3, transposed, layouts)
    for transposed, layouts in [
        (0, ("transposed", "contiguous", "sliced")), (1, ("sliced", "permuted", "contiguous")),
        (0, ("expanded", "transposed", "contiguous")), (1, ("permuted", "sliced", "expanded")),
    ]
]  # fmt: skip
