"""Matrix products: every transposition, leading axes that are alike or broadcast, empty and single ones, every layout."""

from rows import row, tensor


def product(transpose_a, transpose_b):
    def multiply(a, b):
        return (a.transpose(-1, -2) if transpose_a else a) @ (b.transpose(-1, -2) if transpose_b else b)

    return multiply


def made(op, lead_a, lead_b, m, k, n, flags=(0, 0), layouts=("contiguous", "contiguous")):
    a = [*lead_a, k, m] if flags[0] else [*lead_a, m, k]
    b = [*lead_b, n, k] if flags[1] else [*lead_b, k, n]
    inputs = [tensor(*a, layout=layouts[0]), tensor(*b, layout=layouts[1])]
    return row(op, inputs, product(*flags), attributes=flags, outputs=["c"], half="saved")


FLAGS = [(0, 0), (1, 0), (0, 1), (1, 1)]

# m, k, n: one element, vectors, outer products, odd sizes, more than a vector and more than a block of every path
SIZES = [(1, 1, 1), (1, 7, 1), (3, 1, 5), (5, 3, 4), (2, 17, 33), (15, 8, 16), (7, 40, 9)]
EMPTY = [(0, 3, 4), (3, 0, 4), (3, 4, 0)]

ROWS = [made("matmul", [], [], *size, flags) for size in SIZES for flags in FLAGS]
ROWS += [made("matmul", [], [], *size, flags) for size in EMPTY for flags in FLAGS[:2]]
ROWS += [
    made("matmul", [], [], 6, 5, 7, flags, layouts)
    for flags, layouts in zip(
        FLAGS * 2,
        [("transposed", "contiguous"), ("contiguous", "transposed"), ("sliced", "transposed"), ("permuted", "sliced"),
         ("expanded", "contiguous"), ("sliced", "expanded"), ("transposed", "sliced"), ("expanded", "permuted")],
    )
]  # fmt: skip

LEADING = [
    ([2], [2]),
    ([1], [1]),
    ([3], []),
    ([], [3]),
    ([1], [4]),
    ([4], [1]),
    ([2, 3], [2, 3]),
    ([2, 1], [1, 3]),
    ([2, 3], [3]),
    ([3], [2, 3]),
    ([2, 1, 2], [1, 3, 2]),
    ([1, 1, 1, 2], [2, 1, 1, 1]),
    ([2, 1, 3, 1], [2, 3, 1]),
]
ROWS += [made("batched_matmul", a, b, *SIZES[(i + 2) % len(SIZES)], FLAGS[i % 4]) for i, (a, b) in enumerate(LEADING)]
ROWS += [made("batched_matmul", a, b, 3, 5, 4, FLAGS[(i + 1) % 4]) for i, (a, b) in enumerate(LEADING)]
ROWS += [made("batched_matmul", [2, 3], [3], 4, 3, 5, flags) for flags in FLAGS]
ROWS += [made("batched_matmul", [], [], 4, 6, 5, flags) for flags in FLAGS]
ROWS += [made("batched_matmul", [2], [2], *size) for size in EMPTY]
ROWS += [made("batched_matmul", [3], [], *size, (0, 1)) for size in EMPTY]
ROWS += [
    made("batched_matmul", [0], [0], 2, 3, 4),
    made("batched_matmul", [0], [], 2, 3, 4),
    made("batched_matmul", [], [2, 0], 2, 3, 4, (1, 1)),
    made("batched_matmul", [1, 0], [2, 1], 2, 3, 4),
]
ROWS += [
    made("batched_matmul", a, b, 4, 3, 5, flags, layouts)
    for a, b, flags, layouts in [
        ([2], [2], (0, 0), ("transposed", "contiguous")),
        ([2], [2], (0, 1), ("contiguous", "transposed")),
        ([3], [3], (1, 0), ("permuted", "permuted")),
        ([2, 2], [2], (0, 0), ("permuted", "sliced")),
        ([2], [2], (1, 1), ("sliced", "sliced")),
        ([3], [3], (0, 0), ("expanded", "contiguous")),
        ([3], [3], (0, 1), ("sliced", "expanded")),
        ([], [4], (0, 0), ("transposed", "expanded")),
        ([2, 3], [1, 3], (1, 0), ("transposed", "permuted")),
    ]
]
