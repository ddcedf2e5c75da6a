"""Ops that read or write where an index points: gather_along, scatter, scatter_add, index_select, embedding, one_hot, top_k,
sort."""

import torch
import torch.nn.functional as F

from rows import index, output, row, shapes, tensor

# shape of x, axis, shape of the index
ALONG = [
    ([1], 0, [1]), ([5], 0, [7]), ([7], 0, [3]), ([3, 4], 1, [3, 2]), ([3, 4], 0, [5, 4]), ([3, 4], 1, [2, 6]),
    ([5, 1], 1, [5, 4]), ([2, 3, 5], 1, [2, 4, 5]), ([2, 3, 5], 2, [1, 3, 9]), ([2, 3, 5], 0, [3, 2, 2]),
    ([2, 3, 1, 5], 3, [2, 3, 1, 2]), ([0, 4], 1, [0, 3]), ([3, 4], 1, [3, 0]), ([17, 33], 1, [17, 40]), ([17, 33], 0, [30, 33]),
    ([2, 2, 3, 2, 2, 3], 4, [2, 2, 3, 2, 5, 3]), ([1, 12], 1, [1, 400]),
]  # fmt: skip


def gather(shape, i, axis, x="contiguous", place="contiguous"):
    return row("gather_along", [tensor(*shape, layout=x), index(*i, n=shape[axis], layout=place, name="index")],
               lambda x, i: torch.gather(x, axis, i), attributes=[axis])  # fmt: skip


def cut(source, i):
    """PyTorch differentiates only for a source of the index's shape."""
    return source[tuple(slice(n) for n in i.shape)]


def one_after_another(x, i, source, axis):
    """scatter with its order: each step writes one entry per line, so the last of several stays and it alone has a gradient."""
    for k in range(i.shape[axis]):
        x = torch.scatter(x, axis, i.narrow(axis, k, 1), cut(source, i).narrow(axis, k, 1))
    return x


def scattered(op, function, shape, i, axis, more=0, distinct=False, x="contiguous", place="contiguous", source="contiguous"):
    """`more`: by how much the source is longer than the index on every axis."""
    inputs = [tensor(*shape, layout=x, name="x"),
              index(*i, n=shape[axis], distinct_along=axis if distinct else None, layout=place, name="index"),
              tensor(*[n + more for n in i], layout=source, name="src")]  # fmt: skip
    return row(op, inputs, lambda x, i, s: function(x, i, s, axis), attributes=[axis])


def scatter(*arguments, distinct=True, **more):
    function = (lambda x, i, s, axis: torch.scatter(x, axis, i, cut(s, i))) if distinct else one_after_another
    return scattered("scatter", function, *arguments, distinct=distinct, **more)


def scatter_add(*arguments, **more):
    return scattered("scatter_add", lambda x, i, s, axis: torch.scatter_add(x, axis, i, cut(s, i)), *arguments, **more)


def select(x, axis, count, layout="contiguous", index_layout="contiguous"):
    return row("index_select", [tensor(*x, layout=layout), index(count, n=x[axis], layout=index_layout, name="index")],
               lambda x, i: torch.index_select(x, axis, i), attributes=[axis])  # fmt: skip


def embedding(rows, width, i, padding=None, layout="contiguous", index_layout="contiguous"):
    return row("embedding",
               [tensor(rows, width, layout=layout, name="table"), index(*i, n=rows, layout=index_layout, name="index")],
               lambda t, i: F.embedding(i, t, padding_idx=padding), attributes=[0, 0] if padding is None else [1, padding],
               no_gradcheck="" if padding is None else "the padding index's row is read, but given no gradient")  # fmt: skip


def one_hot(i, classes, layout="contiguous"):
    return row("one_hot", [index(*i, n=classes, layout=layout, name="index")], lambda i: F.one_hot(i, classes).double(),
               attributes=[classes, "dtype"])  # fmt: skip


VALUES = ["values", output("index", "i32")]
TIES = {"kind": "integers(-2,2)", "no_gradcheck": "of two alike only one may move"}


def top_k(x, k, kind="distinct", layout="contiguous", **more):
    """torch.topk leaves the order of two alike open; a stable sort does not."""
    function = lambda x: tuple(t[..., :k] for t in torch.sort(x, dim=-1, descending=True, stable=True))  # noqa: E731
    return row("top_k", [tensor(*x, kind=kind, layout=layout)], function, attributes=[k], outputs=VALUES, **more)


def sort(x, descending, kind="distinct", layout="contiguous", **more):
    return row("sort", [tensor(*x, kind=kind, layout=layout)],
               lambda x: tuple(torch.sort(x, dim=-1, descending=descending, stable=True)), attributes=[int(descending)],
               outputs=VALUES, **more)  # fmt: skip


ROWS = [gather(x, i, axis) for x, axis, i in ALONG]
ROWS += [gather([5, 7], [5, 4], 1, x=layout) for layout in ("transposed", "permuted", "sliced", "expanded")]
ROWS += [gather([5, 7], [9, 7], 0, place=layout) for layout in ("transposed", "sliced", "expanded")]

for x, axis, i in ALONG:
    fitting = [min(n, x[axis]) if a == axis else n for a, n in enumerate(i)]
    ROWS += [scatter(x, fitting, axis), scatter_add(x, i, axis)]
for x, axis, i in ALONG[3:10]:
    ROWS += [scatter(x, i, axis, distinct=False), scatter_add(x, i, axis, more=1)]
ROWS += [scatter([6, 5], [4, 5], 0, more=2), scatter([6, 5], [6, 2], 1, more=1), scatter([1, 9], [1, 40], 1, distinct=False)]
for which, layout in [("x", "transposed"), ("x", "sliced"), ("x", "expanded"), ("source", "transposed"), ("source", "sliced"),
                      ("place", "transposed")]:  # fmt: skip
    ROWS += [scatter([6, 5], [6, 3], 1, **{which: layout}), scatter_add([6, 5], [8, 5], 0, **{which: layout})]

SELECT = [([1], 0, 1), ([5], 0, 9), ([7], 0, 0), ([3, 4], 0, 5), ([3, 4], 1, 2), ([2, 3, 5], 0, 4), ([2, 3, 5], 1, 7),
          ([2, 3, 5], 2, 3), ([0, 4], 1, 3), ([3, 0], 0, 2), ([17, 33], 0, 40), ([17, 33], 1, 20), ([2, 300], 0, 6),
          ([2, 3, 1, 2, 2, 3], 3, 4), ([4, 3], 0, 600)]  # fmt: skip
ROWS += [select(*s) for s in SELECT]
ROWS += [select([5, 7], axis, 6, layout) for layout in ("transposed", "sliced", "expanded") for axis in (0, 1)]
ROWS += [select([5, 7], 0, 6, index_layout="sliced")]

EMBEDDING = [(1, 1, [1]), (4, 3, []), (4, 3, [0]), (5, 7, [6]), (11, 1, [2, 3]), (3, 16, [2, 4, 5]), (17, 33, [30]),
             (2, 300, [5]),
             (9, 4, [1, 2, 1, 3, 2]), (4, 0, [3]), (6, 5, [500]), (130, 8, [4, 9])]  # fmt: skip
ROWS += [embedding(*e) for e in EMBEDDING]
PADDED = [(5, 7, [6], 0), (3, 4, [2, 9], 2), (1, 3, [4], 0), (17, 33, [30], 4), (4, 3, [0], 1)]
ROWS += [embedding(v, c, i, padding=p) for v, c, i, p in PADDED]
ROWS += [embedding(6, 5, [3, 4], layout=layout) for layout in ("transposed", "sliced", "expanded")]
ROWS += [embedding(6, 5, [3, 4], index_layout=layout) for layout in ("transposed", "sliced", "expanded")]

ROWS += [one_hot(i, c) for i, c in [([], 3), ([1], 1), ([0], 4), ([5], 2), ([7], 33), ([3, 4], 5), ([2, 3, 2], 7),
                                    ([2, 1, 2, 1, 3], 4), ([300], 3)]]  # fmt: skip
ROWS += [one_hot([4, 5], 6, layout) for layout in ("transposed", "sliced", "expanded")]

ROWS += [top_k(x, k) for x, k in [([1], 1), ([7], 3), ([3, 5], 1), ([3, 5], 5), ([3, 5], 0), ([2, 3, 4], 2), ([17, 30], 7),
                                  ([0, 4], 2), ([3, 0], 0), ([1, 300], 10), ([5, 1], 1), ([2, 2, 1, 2, 2, 9], 4)]]  # fmt: skip
ROWS += [top_k(x, k, **TIES) for x, k in [([9], 4), ([4, 30], 11), ([2, 3, 40], 40)]]
ROWS += [top_k([6, 9], 3, layout=layout) for layout in ("transposed", "permuted", "sliced", "expanded")]
for down in (False, True):
    ROWS += [sort(x, down) for x in ([1], [7], [3, 5], [2, 3, 4], [17, 30], [0, 4], [3, 0], [1, 300], [5, 1])]
    ROWS += [sort(x, down) for x in shapes(11, 3, 6, 60)]
    ROWS += [sort(x, down, **TIES) for x in ([9], [4, 30], [2, 3, 40])]
    ROWS += [sort([6, 9], down, layout=layout) for layout in ("transposed", "sliced", "expanded")]
