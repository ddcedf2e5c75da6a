"""The losses of the first lessons, softmax of a matrix, and add_bias."""

import torch
import torch.nn.functional as F

from rows import exact, index, output, row, rounding, shapes, tensor

SHAPES = [[1, 1], [1, 7], [5, 1], [2, 3], [17, 33], [3, 129], [40, 10]] + shapes(2, 5, 12, 20)
LAYOUTS = ["transposed", "sliced", "expanded"]


class FromProbabilities(torch.autograd.Function):
    """Cross-entropy of logits whose gradient is made of the saved p, as the engine does it: ∂z = (p - y) / B."""

    @staticmethod
    def forward(ctx, z, y, p):
        ctx.save_for_backward(p, y)
        return F.cross_entropy(z, y) if not y.is_floating_point() else F.binary_cross_entropy_with_logits(z, y)

    @staticmethod
    def backward(ctx, dl):
        p, y = ctx.saved_tensors
        if y.is_floating_point():
            return dl * (p - y) / p.numel(), None, None
        return dl * (p - F.one_hot(y, p.shape[1])) / p.shape[0], None, None


def softmax_cross_entropy(z, y):
    p = torch.softmax(z, 1)
    return p, F.cross_entropy(z, y) if exact() else FromProbabilities.apply(z, y, rounding(p.detach()))


def binary_cross_entropy(z, y):
    p = torch.sigmoid(z)
    return p, F.binary_cross_entropy_with_logits(z, y) if exact() else FromProbabilities.apply(z, y, rounding(p.detach()))


LOSS = {"outputs": [output("p", grad=False), "loss"], "upstream": "one", "half": "saved"}
ONE_CLASS = {"dz": "one class is certain"}


def certain(shape):
    return {"zero": ONE_CLASS} if shape[-1] == 1 else {}


ROWS = []
for s in SHAPES:
    ROWS += [
        row("softmax_cross_entropy", [tensor(*s, name="z"), index(s[0], n=s[1], name="target")], softmax_cross_entropy, **LOSS,
            **certain(s)),
        row("binary_cross_entropy", [tensor(*s, name="z"), tensor(*s, kind="probabilities", grad=False, name="target")],
            binary_cross_entropy, **LOSS),
        row("mean_squared_error", [tensor(*s, name="z"), tensor(*s, grad=False, name="target")], F.mse_loss,
            outputs=["loss"], upstream="one"),
        row("quadratic", [tensor(*s, name="w"), tensor(*s, kind="positive", grad=False, name="a")],
            lambda w, a: (a * w * w).sum() / 2, outputs=["loss"], upstream="one"),
        row("softmax", [tensor(*s, name="z")], lambda z: torch.softmax(z, 1), outputs=["p"], half="saved", **certain(s)),
        row("cross_entropy", [tensor(*s, kind="probabilities", name="p"), index(s[0], n=s[1], name="target")],
            lambda p, y: F.nll_loss(torch.log(p), y), outputs=["loss"], upstream="one"),
        row("add_bias", [tensor(*s, name="x"), tensor(s[1], name="b")], torch.add),
    ]  # fmt: skip
for layout in LAYOUTS:
    z = tensor(6, 5, layout=layout, name="z")
    ROWS += [
        row("softmax_cross_entropy", [z, index(6, n=5, layout="sliced", name="target")], softmax_cross_entropy, **LOSS),
        row("binary_cross_entropy", [z, tensor(6, 5, kind="zero_one", grad=False, name="target")], binary_cross_entropy, **LOSS),
        row("mean_squared_error", [z, tensor(6, 5, grad=False, layout="transposed", name="target")], F.mse_loss,
            outputs=["loss"], upstream="one"),
        row("softmax", [z], lambda z: torch.softmax(z, 1), outputs=["p"], half="saved"),
        row("add_bias", [tensor(6, 5, layout=layout, name="x"), tensor(5, layout="sliced", name="b")], torch.add),
    ]  # fmt: skip
for layout in LAYOUTS:
    ROWS += [
        row("cross_entropy", [tensor(6, 5, kind="probabilities", layout=layout, name="p"), index(6, n=5, layout="sliced", name="target")],
            lambda p, y: F.nll_loss(torch.log(p), y), outputs=["loss"], upstream="one"),
        row("quadratic", [tensor(6, 5, layout=layout, name="w"), tensor(6, 5, kind="positive", grad=False, layout="transposed", name="a")],
            lambda w, a: (a * w * w).sum() / 2, outputs=["loss"], upstream="one"),
    ]  # fmt: skip
ROWS.append(row("add_bias", [tensor(0, 5, name="x"), tensor(5, name="b")], torch.add))
