"""Optimizers beside sgd and momentum, decay of weights, clipping and accumulation: one step each; optim_fp64 has 20."""

import torch

from rows import index, output, row, shapes, tensor

SHAPES = [[], [1], [1, 7], [5, 1], [17, 23], [0, 4], [3, 0]] + shapes(7, 4, 12, 20)


def momentum_lr(lr, mu):
    return lambda w, g, v: (w + mu * v - lr * g, mu * v - lr * g)


def nesterov(lr, mu):
    return lambda w, g, v: (w - lr * (g + mu * (mu * v + g)), mu * v + g)


def rmsprop(lr, alpha, eps):
    def step(w, g, s):
        s = alpha * s + (1 - alpha) * g * g
        return w - lr * g / (s.sqrt() + eps), s

    return step


def adam(lr, beta1, beta2, eps, decay=0.0):
    def step(w, g, m, v, t):
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
        m_hat, v_hat = m / (1 - beta1**t), v / (1 - beta2**t)
        return w * (1 - lr * decay) - lr * m_hat / (v_hat.sqrt() + eps), m, v

    return step


def clip(limit):
    return lambda g, norm: g * torch.clamp(limit / (norm + 1e-6), max=1.0)


def named(s, names, positive="", layout="contiguous"):
    return [tensor(*s, grad=False, name=n, kind="positive" if n in positive else "normal", layout=layout) for n in names]


def norm(*x):
    return torch.cat([t.flatten() for t in x]).norm()


ROWS = []


def add(s, layout="contiguous"):
    step = index(n=1000, name="t")
    for op, function, attributes in [("momentum_lr", momentum_lr, [0.1, 0.9]), ("nesterov", nesterov, [0.1, 0.9])]:
        ROWS.append(row(op, named(s, "wgv", layout=layout), function(*attributes), attributes=attributes, outputs=["w'", "v'"]))
    smoothing = [0.01, 0.99, 1e-8]
    ROWS.append(row("rmsprop", named(s, "wgs", "s", layout), rmsprop(*smoothing), attributes=smoothing, outputs=["w'", "s'"]))
    for op, attributes in [("adam", [0.01, 0.9, 0.999, 1e-8]), ("adamw", [0.02, 0.8, 0.95, 1e-3, 0.1])]:
        inputs = named(s, "wgmv", "v", layout) + [step]
        ROWS.append(row(op, inputs, adam(*attributes), attributes=attributes, outputs=["w'", "m'", "v'"]))
    ROWS.append(row("l2_gradient", named(s, "gw", layout=layout), lambda g, w: g + 0.3 * w, attributes=[0.3], outputs=["g'"]))
    ROWS.append(row("accumulate", [*named(s, ["sum", "g"], layout=layout)], lambda sum, g: sum + 0.25 * g, attributes=[0.25, 1]))
    ROWS.append(row("accumulate", [*named(s, ["sum", "g"], layout=layout)], lambda sum, g: 0.25 * g, attributes=[0.25, 0]))
    ROWS.append(row("clip_by_norm", named(s, ["g"], layout=layout) + named([], ["n"], "n"), clip(0.75), attributes=[0.75]))
    ROWS.append(row("global_norm", named(s, ["x"], layout=layout), norm))


for s in SHAPES:
    add(s)
for layout in ("transposed", "sliced", "expanded"):
    add([6, 7], layout)
for k in (2, 3, 7, 8):
    names = [f"in{i}" for i in range(k)]
    ROWS.append(row("global_norm", [tensor(i % 3, i + 1, grad=False, name=n) for i, n in enumerate(names)], norm))
    ROWS.append(row("global_norm", [tensor(k, grad=False, name=n) for n in names], norm))
ROWS += [row("count_step", [index(n=n, name="t")], lambda t: t + 1, outputs=[output("t'", "i32")]) for n in (1, 5, 1000, 100_000)]
