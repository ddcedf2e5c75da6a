"""Ops without a gradient: metrics, updates of parameters, rows of a data set."""

import torch

from rows import index, row, shapes, tensor

SHAPES = [[1, 1], [1, 7], [5, 1], [2, 3], [17, 23], [40, 10]] + shapes(4, 4, 12, 20)
LAYOUTS = ["contiguous", "transposed", "sliced", "expanded"]


def metric(*shape, **more):
    return tensor(*shape, grad=False, **more)


def accuracy(z, y):
    return (z.argmax(1) == y).double().mean()


def one_hot_accuracy(z, y):
    return (z.argmax(1) == y.argmax(1)).double().mean()


def binary_accuracy(threshold):
    return lambda z, y: torch.where(y > 0.5, z > threshold, z < threshold).double().mean()


def momentum(lr, mu):
    return lambda w, g, v: (w - lr * (mu * v + g), mu * v + g)


ROWS = []
for s in SHAPES:
    ROWS += [
        row("accuracy", [metric(*s, kind="distinct"), index(s[0], n=s[1])], accuracy),
        row("one_hot_accuracy", [metric(*s, kind="distinct"), metric(*s, kind="distinct")], one_hot_accuracy),
        row("binary_accuracy", [metric(*s), metric(*s, kind="zero_one")], binary_accuracy(0.5), attributes=[0.5]),
        row("sgd", [metric(*s, name="w"), metric(*s, name="g")], lambda w, g: w - 0.5 * g, attributes=[0.5], outputs=["w'"]),
        row("momentum", [metric(*s, name="w"), metric(*s, name="g"), metric(*s, name="v")], momentum(0.1, 0.9), attributes=[0.1,
            0.9],
            outputs=["w'", "v'"]),
        row("gather", [metric(*s), index(4, n=s[0])], lambda x, i: x[i], attributes=[1, "dtype"]),
        row("gather", [metric(*s, kind="bytes"), index(5, n=s[0])], lambda x, i: x[i] / 255, attributes=[1 / 255, "dtype"]),
    ]  # fmt: skip
for layout in LAYOUTS:
    ROWS += [
        row("sgd", [metric(5, 8, layout=layout, name="w"), metric(5, 8, layout=layout, name="g")], lambda w, g: w - 0.1 * g,
            attributes=[0.1], outputs=["w'"]),
        row("gather", [metric(5, 3, 4, layout=layout), index(7, n=5)], lambda x, i: x[i], attributes=[1, "dtype"]),
        row("accuracy", [metric(6, 7, kind="distinct", layout=layout), index(6, n=7)], accuracy),
    ]  # fmt: skip
for s in [[0, 4], [4, 0], [0]]:
    ROWS.append(row("sgd", [metric(*s, name="w"), metric(*s, name="g")], lambda w, g: w - 0.5 * g, attributes=[0.5],
        outputs=["w'"]))
ROWS.append(row("gather", [metric(3, 4), index(0, n=1)], lambda x, i: x[i], attributes=[1, "dtype"]))
for s in [[1, 1], [1, 7], [5, 1], [2, 3], [17, 33], [0, 3], [3, 0], [300, 5]]:
    ROWS.append(row("sum_rows", [metric(*s)], lambda x: x.sum(0)))
for layout in LAYOUTS[1:]:
    ROWS.append(row("sum_rows", [metric(6, 9, layout=layout)], lambda x: x.sum(0)))
