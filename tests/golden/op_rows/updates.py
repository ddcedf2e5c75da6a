"""Ops without a gradient: metrics, updates of parameters, rows of a data set."""

import torch

from rows import index, mask, output, row, shapes, tensor

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

# --- loss scaling ------------------------------------------------------------------------------------------------


def non_finite(*inputs):
    return torch.tensor(any(bool((~torch.isfinite(x)).any()) if x.is_floating_point() else bool(x.any()) for x in inputs))


def next_scale(growth, backoff, interval):
    def function(s, n, b):
        if b:
            return s * backoff, torch.zeros_like(n)
        return (s * growth, torch.zeros_like(n)) if n + 1 == interval else (s, n + 1)

    return function


for s in [[], [1], [7], [5, 3], [0], [17, 33]]:
    for kind in ("normal", "additive_mask", "constant(0)"):
        if kind == "additive_mask" and not s:
            continue
        ROWS.append(row("has_non_finite", [metric(*s, kind=kind)], non_finite, outputs=[output("b", "boolean")]))
    ROWS.append(row("unscale", [metric(*s, name="g"), metric(kind="constant(4)", name="s")], lambda g, s: g / s))
for layout in LAYOUTS[1:]:
    ROWS.append(row("has_non_finite", [metric(4, 6, layout=layout)], non_finite, outputs=[output("b", "boolean")]))
    ROWS.append(row("unscale", [metric(4, 6, layout=layout, name="g"), metric(kind="constant(0.5)", name="s")], lambda g, s: g / s))
for k in (2, 5, 8):
    for last in ("normal", "additive_mask"):
        inputs = [metric(i % 3, i + 1, name=f"in{i}") for i in range(k - 1)] + [metric(4, 3, kind=last, name="last")]
        ROWS.append(row("has_non_finite", inputs, non_finite, outputs=[output("b", "boolean")]))
for number in range(4):
    ROWS.append(row("has_non_finite", [mask(name="b1"), metric(3, name="g"), mask(name="b2")], non_finite,
        outputs=[output("b", "boolean")], draw=number, note="a draw of the flags each"))  # fmt: skip
for growth, backoff, interval in ((2, 0.5, 1), (2, 0.5, 3), (1.5, 0.25, 2), (4, 1, 2)):
    for number in range(4):
        ROWS.append(row("update_loss_scale", [metric(kind="constant(8)", name="s"), index(n=3, name="n"), mask(name="b")],
            next_scale(growth, backoff, interval), attributes=[growth, backoff, interval],
            outputs=[output("s'", "floating", False), output("n'", "i32")], draw=number, note="a draw of the count and the flag each"))  # fmt: skip

# --- what the first rows leave out -------------------------------------------------------------------------------

for layout in LAYOUTS[1:]:
    ROWS += [
        row("one_hot_accuracy", [metric(6, 7, kind="distinct", layout=layout), metric(6, 7, kind="distinct", layout="transposed")],
            one_hot_accuracy),
        row("binary_accuracy", [metric(6, 1, layout=layout), metric(6, 1, kind="zero_one", layout="sliced")], binary_accuracy(0.5),
            attributes=[0.5]),
        row("momentum", [metric(5, 8, name="w"), metric(5, 8, layout=layout, name="g"), metric(5, 8, name="v")], momentum(0.1, 0.9),
            attributes=[0.1, 0.9], outputs=["w'", "v'"]),
    ]  # fmt: skip
for s in [[0, 4], [4, 0], [0]]:
    ROWS.append(row("momentum", [metric(*s, name="w"), metric(*s, name="g"), metric(*s, name="v")], momentum(0.1, 0.9),
        attributes=[0.1, 0.9], outputs=["w'", "v'"]))  # fmt: skip
