"""Arithmetic, functions, comparisons and choices element by element, and a bias with an activation in one pass."""

import torch
import torch.nn.functional as F

from rows import index, mask, output, row, shapes, tensor

KINK = "a tie or a bound lies on a kink"

# a and b: alike (empty, one element, odd, more than a vector of every path), then stretched to each other in every way.
ALIKE = [[0], [], [7], [15, 33], [2, 3, 5]]
STRETCHED = [([5, 7], [7]), ([7], [5, 7]), ([6, 9], []), ([], [6, 9]), ([5, 7], [5, 1]), ([5, 1], [1, 7]), ([4, 1, 6], [3, 1]),
             ([2, 3, 1, 5], [4, 1]), ([300], [1]), ([3, 0], [3, 1]), ([19, 33], [33]), ([2, 3, 4], [2, 1, 4]), ([1, 1],
                 [3])]  # fmt: skip
LAID_OUT = [([5, 7], "transposed", [5, 7], "contiguous"), ([5, 7], "contiguous", [5, 7], "transposed"),
            ([2, 3, 5], "permuted", [3, 5], "transposed"), ([6, 9], "sliced", [9], "contiguous"), ([6, 9], "contiguous", [9],
                "sliced"),
            ([4, 6], "expanded", [4, 6], "contiguous"), ([8, 11], "transposed", [8, 1], "sliced")]  # fmt: skip


def pairs(op, function, a="normal", b="normal", few=False, grad_b=True, **more):
    """Rows of an op on two operands of these kinds; `few` leaves some shapes out."""
    alike = ALIKE[1:4] if few else ALIKE
    stretched = STRETCHED[::3] if few else STRETCHED
    laid_out = LAID_OUT[::3] if few else LAID_OUT
    out = [row(op, [tensor(*s, kind=a), tensor(*s, kind=b, grad=grad_b)], function, **more) for s in alike]
    out += [row(op, [tensor(*s, kind=a), tensor(*t, kind=b, grad=grad_b)], function, **more) for s, t in stretched]
    out += [row(op, [tensor(*s, kind=a, layout=k), tensor(*t, kind=b, layout=l, grad=grad_b)], function, **more) for s, k, t,
        l in laid_out]
    return out


def redrawn(rows, numbers):
    for i in numbers:
        rows[i].draw, rows[i].note = 1, "the first draw's sum over rounded terms all but cancelled"
    return rows


def singles(op, function, attributes=(), kind="normal", few=False, **more):
    """Rows of an op on one tensor."""
    some = [[0], [], [7], [15, 33], [2, 3, 5], [257]] + shapes(2, 1, 9, 40)
    laid_out = [("transposed", [5, 7]), ("permuted", [2, 3, 5]), ("sliced", [6, 9]), ("expanded", [4, 6])]
    some, laid_out = (some[2:4], laid_out[:1]) if few else (some, laid_out)
    out = [row(op, [tensor(*s, kind=kind)], function, attributes, **more) for s in some]
    return out + [row(op, [tensor(*s, kind=kind, layout=l)], function, attributes, **more) for l, s in laid_out]


def comparisons(op, function):
    """Floating operands with many ties, whole numbers, truth values."""
    kind, yes = "integers(-2,2)", [output("y", "boolean")]
    some = [([0], [0]), ([15, 33], [15, 33]), ([6, 9], [9]), ([5, 1], [1, 7]), ([4, 6], [])]
    out = [row(op, [tensor(*s, kind=kind), tensor(*t, kind=kind)], function, outputs=yes) for s, t in some]
    out.append(row(op, [tensor(5, 7, kind=kind, layout="transposed"), tensor(7, kind=kind, layout="sliced")], function,
        outputs=yes))
    out.append(row(op, [index(6, 9, n=3), index(9, n=3)], function, outputs=yes, dtypes=("fp32",),
        note="int32, no floating type in it"))
    out.append(row(op, [mask(6, 9), mask(6, 1)], function, outputs=yes, dtypes=("fp32",), note="bool, no floating type in it"))
    return out


def choices():
    """where(m, a, b): each of the three stretched, and laid out in every way."""
    some = [([0], [0], [0]), ([], [], []), ([9], [9], [9]), ([17, 33], [17, 33], [17, 33]), ([6, 9], [9], [6, 9]), ([9], [6, 9],
        [6, 9]),
            ([6, 1], [1, 9], []), ([6, 9], [], [9]), ([2, 3, 4], [3, 1], [4]), ([5, 1, 7], [7], [5, 3, 1])]  # fmt: skip
    out = [row("where", [mask(*m), tensor(*a), tensor(*b)], torch.where) for m, a, b in some]
    out += [row("where", [mask(5, 7, layout=k), tensor(5, 7, layout=l), tensor(7, layout=n)], torch.where)
            for k, l, n in [("transposed", "contiguous", "sliced"), ("contiguous", "transposed", "contiguous"), ("expanded",
                "sliced", "contiguous")]]
    return out


def biased(op, function, x="normal", b="normal", **more):
    some = [[7], [1, 1], [17, 33], [2, 3, 5], [2, 3, 1, 5], [0, 4], [40, 9], [3, 129]]
    out = [row(op, [tensor(*s, kind=x), tensor(s[-1], kind=b)], function, **more) for s in some]
    out.append(row(op, [tensor(5, 7, kind=x, layout="transposed"), tensor(7, kind=b)], function, **more))
    out.append(row(op, [tensor(4, 6, kind=x, layout="sliced"), tensor(6, kind=b, layout="sliced")], function, **more))
    return out


ROWS = [
    *pairs("add", torch.add),
    *pairs("subtract", torch.subtract, few=True),
    *pairs("multiply", torch.multiply),
    *redrawn(pairs("divide", torch.divide, a="away_from_zero", b="away_from_zero"), [22]),
    # odd sixteenths against quarters: never alike
    *pairs("maximum", torch.maximum, a="between_integers", b="wide"),
    *pairs("minimum", torch.minimum, a="between_integers", b="wide", few=True),
    *pairs("maximum", torch.maximum, a="integers(-2,2)", b="integers(-2,2)", few=True, no_gradcheck=KINK),
    *pairs("minimum", torch.minimum, a="integers(-2,2)", b="integers(-2,2)", few=True, no_gradcheck=KINK),
    *pairs("power_tensor", torch.pow, a="positive", few=True),
    *pairs("power_tensor", torch.pow, a="away_from_zero", b="integers(-3,3)", few=True, grad_b=False),
    *comparisons("equal", torch.eq),
    *comparisons("not_equal", torch.ne),
    *comparisons("less", torch.lt),
    *comparisons("less_equal", torch.le),
    *comparisons("greater", torch.gt),
    *comparisons("greater_equal", torch.ge),
    *choices(),
    *singles("negate", torch.neg),
    *singles("exp", torch.exp, half="saved"),
    *singles("exp", torch.exp, kind="wide", few=True, half="saved"),
    *singles("log", torch.log, kind="positive"),
    *singles("sqrt", torch.sqrt, kind="positive", half="saved"),
    *singles("reciprocal", torch.reciprocal, kind="away_from_zero", half="saved"),
    *singles("abs", torch.abs, kind="away_from_zero"),
    *singles("abs", torch.abs, kind="integers(-1,1)", few=True, no_gradcheck=KINK),
    *singles("power", lambda x: x**2, [2]),
    *singles("power", lambda x: x**3, [3], few=True),
    *singles("power", lambda x: x**-1, [-1], kind="away_from_zero", few=True),
    *singles("power", lambda x: x**-2, [-2], kind="away_from_zero", few=True),
    *singles("power", lambda x: x**0.5, [0.5], kind="positive", few=True),
    *singles("power", lambda x: x**-0.5, [-0.5], kind="positive", few=True),
    *singles("power", lambda x: x**2.75, [2.75], kind="positive", few=True),
    *[row("power", [tensor(*s, kind="away_from_zero")], lambda x: x**17, [17], dtypes=("fp32", "fp64", "bf16"),
        note="fp16 ends at 65504")
      for s in ([7], [17, 33])],
    *singles("power", lambda x: x**1, [1], few=True),
    *singles("power", lambda x: x**0, [0], few=True),
    *singles("clamp", lambda x: x.clamp(-0.53, 0.71), [-0.53, 0.71]),
    *singles("clamp", lambda x: x.clamp(-0.5, 0.75), [-0.5, 0.75], few=True, no_gradcheck=KINK),
    *singles("clamp", lambda x: x.clamp(min=0.03), [0.03, 1e30], few=True),
    *singles("leaky_relu", lambda x: F.leaky_relu(x, 0.01), [0.01], kind="away_from_zero"),
    *singles("leaky_relu", lambda x: F.leaky_relu(x, 0.2), [0.2], kind="away_from_zero", few=True),
    *singles("leaky_relu", lambda x: F.leaky_relu(x, 0.0), [0], few=True, no_gradcheck=KINK),
    *singles("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")),
    *singles("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), kind="wide", few=True),
    *biased("bias_relu", lambda x, b: torch.relu(x + b), x="between_integers", b="wide"),
    *biased("bias_gelu", lambda x, b: F.gelu(x + b)),
    *biased("bias_gelu_tanh", lambda x, b: F.gelu(x + b, approximate="tanh")),
]
