"""The small library that the family files of this folder are written with. One family file is one list of rows:

    from rows import row, tensor, index, output
    ROWS = [
        row("relu", [tensor(3, 5, kind="away_from_zero")], torch.relu),
        row("softmax", [tensor(4, 7, layout="transposed")], lambda z: torch.softmax(z, 1), attributes=[1], outputs=["p"]),
        row("max", [tensor(4, 7, kind="distinct")], lambda x: tuple(torch.max(x, 1)), attributes=[1, 0, 1],
            outputs=["y", output("index", "i32")]),
    ]

A row is data: op, inputs, attributes, and the PyTorch function that says what is right. Every row is run in fp32, fp64, fp16
and bf16, forwards and backwards, and gradchecked in fp64. L = Σ over the differentiated outputs of Σ_i g_i · y_i, with g made
like an input; the gradient of input `x` is called `dx`.

Inputs are made of counters (Philox of the row's seed, the input's number, the element), here and in tests/ops/rows/inputs.cpp
alike, so a golden file holds results only. Every number is exact in every floating type.

kind, of floating inputs
    normal            multiples of 1/16 in [-1.875, 1.875], bell-shaped, 0 among them
    wide              the same times 4: multiples of 1/4 in [-7.5, 7.5]
    positive          1/16 … 2
    away_from_zero    ±1/8 … ±33/16: no kink at 0
    between_integers  odd multiples of 1/16 in [-4, 4]: no kink at integers or halves
    distinct          no two alike, multiples of 1/16 around 0, at most 512 elements: no ties
    probabilities     1/16 … 15/16
    distribution      multiples of 1/64 that sum to 1 along the last axis, some 0
    zero_one          0 or 1
    integers(a,b)     integers from a to b, both included, |·| <= 256
    constant(c)       c everywhere
    additive_mask     0 or -inf, the first of the last axis always 0
kind, of others (index() and mask() make them)
    index(n)          int32 in [0, n)
    index_or(n,c)     the same, about a quarter of them c instead (a label that is to be ignored)
    permutation(n,a)  int32 in [0, n), no two alike along axis a
    boolean           0 or 1, DType::boolean
    bytes             uint8

layout: how the tensor lies in memory; what it holds is the same
    contiguous
    transposed        the last two axes change places in memory (rank >= 2)
    permuted          the axes lie in reverse order (rank >= 2)
    sliced            a part of a larger buffer: an offset, every second element of the last axis; NaN lies between (rank >= 1)
    expanded          axis 0 has stride 0: one slice stands for all (rank >= 1); the slices are alike
"""

import math
import zlib
from dataclasses import dataclass

import numpy as np
import torch

LAYOUTS = {"contiguous": 0, "transposed": 2, "permuted": 2, "sliced": 1, "expanded": 1}  # the least rank
DTYPES = ("fp32", "fp64", "fp16", "bf16")
HALVES = {"fp16": torch.float16, "bf16": torch.bfloat16}


# --- what a family file says ---------------------------------------------------------------------------------------


@dataclass
class Input:
    shape: list
    kind: str
    layout: str
    grad: bool
    name: str = ""


@dataclass
class Output:
    name: str
    # of the row's dtype; "statistic": fp32 in fp16 and bf16 rows; or one of its own: i32, boolean, f32, f64, f16, bf16, u8, i64
    type: str = "floating"
    grad: bool = True
    shape: list = None  # the results' own, set when they are made


@dataclass
class Row:
    op: str
    inputs: list
    function: object
    attributes: list
    outputs: list
    upstream: str
    no_gradcheck: str
    zero: dict
    dtypes: tuple
    half: str
    draw: int
    note: str
    name: str = ""
    seed: int = 0
    every: dict = None  # of a large tensor only every n-th element is kept


def tensor(*shape, kind="normal", layout="contiguous", grad=True, name=""):
    """A floating input of the row's dtype. Names default to x, a and b, or in0, in1 …, by how many there are."""
    return Input(list(shape), kind, layout, grad, name)


def index(*shape, n, ignored=None, distinct_along=None, layout="contiguous", name=""):
    """An int32 input with numbers in [0, n)."""
    kind = f"index({n})"
    if ignored is not None:
        kind = f"index_or({n},{ignored})"
    if distinct_along is not None:
        kind = f"permutation({n},{distinct_along})"
    return Input(list(shape), kind, layout, False, name)


def mask(*shape, layout="contiguous", name=""):
    """A boolean input."""
    return Input(list(shape), "boolean", layout, False, name)


def output(name, type="floating", grad=None):
    return Output(name, type, type == "floating" if grad is None else grad)


def row(op, inputs, function, attributes=(), outputs=("y",), *, upstream="made", no_gradcheck="", zero=None,
        dtypes=DTYPES, half="counted", draw=0, note=""):
    """One row.

    function      takes the inputs as float64, int64 and bool tensors, returns one tensor or a tuple of them, one per output
    attributes    numbers as the op's docstring says; "dtype" stands for the number of the row's DType, "dtype:i32" for int32's
    outputs       names, or output(...) where one is no floating tensor of the row's dtype or takes no gradient
    upstream      "made": g is made (away_from_zero); "one": ∂L = 1 is built into the op, which has one differentiated
                  output, a scalar
    no_gradcheck  the reason why central differences say nothing here
    zero          {"dx": reason}: this gradient is 0 by construction; it is checked to be near 0, not compared
    dtypes        fewer than all only with a note
    draw          another number draws other inputs; with a note that says what was wrong with the first
    half          what fp16 and bf16 gradients are compared with.
                  "counted": the exact gradient; the bound is the type's rounding times the number of rounded tensors on the way.
                  "saved": PyTorch's gradient made of saved tensors rounded to the type, where PyTorch saves what this op saves
                  (tanh and softmax save their output); or of what `function` passes through rounding(). The bound
                  is one rounding.
    """
    outputs = [Output(o.name, o.type, o.grad) if isinstance(o, Output) else output(o) for o in outputs]
    names = {1: ["x"], 2: ["a", "b"]}.get(len(inputs), [f"in{i}" for i in range(len(inputs))])
    inputs = [Input(i.shape, i.kind, i.layout, i.grad, i.name or n) for i, n in zip(inputs, names)]
    if upstream == "one":
        assert sum(o.grad for o in outputs) == 1
    if not any(o.grad for o in outputs):
        for i in inputs:
            i.grad = False
    if not any(i.grad for i in inputs):
        for o in outputs:
            o.grad = False
    for i in inputs:
        assert len(i.shape) >= LAYOUTS[i.layout], f"{op}: {i.layout} needs a higher rank than {i.shape}"
        assert len(i.shape) <= 6
    assert (tuple(dtypes) == DTYPES and draw == 0) or note, f"{op}: fewer types and other draws need a note"
    assert len(attributes) <= 16 and len(inputs) <= 8 and len(outputs) <= 8
    return Row(op, inputs, function, list(attributes), outputs, upstream, no_gradcheck, dict(zero or {}), tuple(dtypes), half,
               draw, note)  # fmt: skip


def shapes(seed, count, *most):
    """`count` drawn shapes, the same for the same arguments; axis k has 1 to most[k] elements."""
    words = philox(seed, 3, 0, count * len(most)).reshape(count, len(most))
    return [[1 + int(w) % m for w, m in zip(line, most)] for line in words]


_half = None  # the type of the pass in which fp16 or bf16 gradients are made


def exact():
    """Whether PyTorch's own gradient is asked for, not one of fp16 or bf16 made of rounded saved tensors."""
    return _half is None


def rounding(x):
    """x, and in the pass that makes a half type's gradients x rounded to that type; its gradient passes unchanged."""
    return x if _half is None else x + (x.detach().to(_half).to(x.dtype) - x.detach())


# --- numbers ------------------------------------------------------------------------------------------------------


def philox(seed, stream, start, count):
    """Words start … start + count of the stream: engine/core/philox.hpp, word i is block(i / 4)[i % 4]."""
    first, last = start // 4, (start + count + 3) // 4
    n = np.arange(first, last, dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    c = [n & low, n >> np.uint64(32), np.full_like(n, stream & 0xFFFFFFFF), np.full_like(n, stream >> 32)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), p1 & low, (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), p0 & low]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    words = np.stack(c, 1).reshape(-1)
    return words[start - 4 * first : start - 4 * first + count]


def below(words, bound):
    return (words * np.uint64(bound) >> np.uint64(32)).astype(np.int64)


def order(words):
    """The places of the words from the smallest to the largest, the first of two alike first."""
    return np.argsort(words, kind="stable")


def bell(words):
    return sum((words >> np.uint64(8 * k) & np.uint64(15)).astype(np.int64) for k in range(4)) - 30


def made(kind, shape, seed, stream):
    """The elements of a kind, in row-major order, as float64, int64 (index) or bool (boolean)."""
    name, _, inside = kind.partition("(")
    arguments = [float(a) for a in inside.rstrip(")").split(",")] if inside else []
    n = math.prod(shape)
    w = philox(seed, stream, 0, n)
    if name == "normal":
        v = bell(w) / 16
    elif name == "wide":
        v = bell(w) / 4
    elif name == "positive":
        v = (1 + below(w, 32)) / 16
    elif name == "away_from_zero":
        size = 2 + below(w, 32)
        v = np.where((w & np.uint64(1)) == 1, -size, size) / 16
    elif name == "between_integers":
        v = (2 * below(w, 64) - 63) / 16
    elif name == "distinct":
        assert n <= 512, "distinct: at most 512 elements"
        ranks = np.empty(n, np.int64)
        ranks[order(w)] = np.arange(n)
        v = (ranks - n // 2) / 16
    elif name == "probabilities":
        v = (1 + below(w, 15)) / 16
    elif name == "distribution":
        classes = shape[-1]
        v = np.zeros(n)
        if n:
            drops = below(philox(seed, stream, 0, n // classes * 64), classes).reshape(-1, 64)
            for line, drop in enumerate(drops):
                v[line * classes : (line + 1) * classes] = np.bincount(drop, minlength=classes) / 64
    elif name == "zero_one":
        v = (w & np.uint64(1)).astype(np.float64)
    elif name == "integers":
        a, b = map(int, arguments)
        assert max(abs(a), abs(b)) <= 256
        v = (a + below(w, b - a + 1)).astype(np.float64)
    elif name == "constant":
        v = np.full(n, arguments[0])
    elif name == "additive_mask":
        first = np.arange(n) % shape[-1] == 0
        v = np.where(first | ((w & np.uint64(1)) == 0), 0.0, -np.inf)
    elif name == "index":
        v = below(w, int(arguments[0]))
    elif name == "index_or":
        v = np.where((w & np.uint64(3)) == 0, int(arguments[1]), below(w, int(arguments[0])))
    elif name == "permutation":
        size, axis = map(int, arguments)
        assert shape[axis] <= size
        moved = [s for a, s in enumerate(shape) if a != axis]
        lines = math.prod(moved)
        words = philox(seed, stream, 0, lines * size).reshape(lines, size)
        picked = np.array([order(line)[: shape[axis]] for line in words], np.int64).reshape(*moved, shape[axis])
        v = np.moveaxis(picked, -1, axis)
    elif name == "boolean":
        v = (w & np.uint64(1)) == 1
    elif name == "bytes":
        v = (w & np.uint64(255)).astype(np.float64)
    else:
        raise ValueError(f"no kind of input is called {kind}")
    return np.array(v.reshape(shape) if n else np.zeros(shape, np.asarray(v).dtype), order="C")


def made_input(i, seed, stream):
    if i.layout == "expanded" and i.shape[0] > 0:
        return np.array(np.broadcast_to(made(i.kind, [1, *i.shape[1:]], seed, stream), i.shape), order="C")
    return made(i.kind, i.shape, seed, stream)


# --- results ------------------------------------------------------------------------------------------------------


def number_rows(rows, word=""):
    """Names the rows op.000, op.001 …, with a family's WORD op.WORD.000 …, and draws their seeds from the names."""
    count = {}
    for r in rows:
        n = count.get(r.op, 0)
        count[r.op] = n + 1
        r.name = f"{r.op}.{word}{n:03}"
        r.seed = zlib.crc32(f"{r.name}#{r.draw}".encode() if r.draw else r.name.encode())


def computed(r, half=None):
    """Outputs and gradients of a row by name, made by PyTorch in float64; with `half`, the gradients of that type."""
    global _half
    inputs = [torch.from_numpy(made_input(i, r.seed, k)) for k, i in enumerate(r.inputs)]
    for i, t in zip(r.inputs, inputs):
        t.requires_grad_(i.grad)
    unpack = (lambda t: t) if half is None else (lambda t: t.to(half).to(t.dtype) if t.is_floating_point() else t)
    _half = half
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
            results = r.function(*inputs)
            results = list(results) if isinstance(results, (tuple, list)) else [results]
            assert len(results) == len(r.outputs), f"{r.name}: {len(results)} results for {len(r.outputs)} outputs"
            total = torch.zeros((), dtype=torch.float64)
            for k, (o, y) in enumerate(zip(r.outputs, results)):
                if o.grad:
                    g = np.ones(y.shape) if r.upstream == "one" else made("away_from_zero", list(y.shape), r.seed, 100 + k)
                    total = total + (torch.from_numpy(g.reshape(tuple(y.shape))) * y).sum()
            wanted = [t for i, t in zip(r.inputs, inputs) if i.grad]
            gradients = [torch.zeros_like(t) for t in wanted]
            if total.requires_grad:
                found = torch.autograd.grad(total, wanted, allow_unused=True)
                gradients = [z if g is None else g for g, z in zip(found, gradients)]
    finally:
        _half = None
    out = {}
    for o, y in zip(r.outputs, results):
        floating = o.type in ("floating", "statistic", "f32", "f64", "f16", "bf16")
        out[o.name] = y.detach().numpy().astype(np.float64 if floating else np.int32)
    for i, g in zip([i for i in r.inputs if i.grad], gradients):
        out["d" + i.name] = g.detach().numpy().astype(np.float64)
    return out


MOST_KEPT = 384  # elements
LARGE, MOST_KEPT_OF_LARGE = 10_000, 128


def thinned(r, out):
    """Of large tensors every n-th element, n prime and no divisor of an axis, so that every row, column and channel has some."""
    for name, value in out.items():
        if value.size > MOST_KEPT:
            step = -(-value.size // (MOST_KEPT if value.size < LARGE else MOST_KEPT_OF_LARGE))
            while any(step % k == 0 for k in range(2, step)) or any(size % step == 0 for size in value.shape):
                step += 1
            r.every[name] = step
            out[name] = value.reshape(-1)[::step]
    return out


def golden(r):
    """Every tensor of the row's golden file, by name after the row's."""
    out = computed(r)
    for o in r.outputs:
        o.shape = list(out[o.name].shape)
    names = [o.name for o in r.outputs] + ["d" + i.name for i in r.inputs if i.grad]
    assert len(set(names)) == len(names), f"{r.name}: two tensors of one name in {names}"
    for name, value in out.items():
        assert not np.isnan(np.asarray(value, np.float64)).any(), f"{r.name}: NaN in {name}"
        norm = float(np.linalg.norm(value)) if np.isfinite(np.asarray(value, np.float64)).all() else 1.0
        assert name in r.zero or norm == 0 or norm > 1e-10, f"{r.name}: {name} is all but 0 ({norm}); name it in zero="
    for name in r.zero:
        assert np.abs(out[name]).max(initial=0) < 1e-12, f"{r.name}: {name} is not 0"
    if r.half == "saved":
        for dtype, half in HALVES.items():
            if dtype in r.dtypes:
                for name, value in computed(r, half).items():
                    if name[0] == "d" and name[1:] in [i.name for i in r.inputs] and not np.array_equal(value, out[name]):
                        out[f"{name}.{dtype}"] = value
    r.every = {}
    return {name: np.array(value, order="C") for name, value in thinned(r, out).items()}


def briefly(part, **defaults):
    return {key: value for key, value in vars(part).items() if key not in defaults or value != defaults[key]}


def described(r):
    """The row as the runner reads it."""
    out = {"row": r.name, "op": r.op, "seed": r.seed, "inputs": [briefly(i, layout="contiguous", grad=False) for i in r.inputs],
           "attributes": [a if isinstance(a, str) or math.isfinite(a) else str(float(a)) for a in r.attributes],
           "outputs": [briefly(o, type="floating", grad=False) for o in r.outputs]}  # fmt: skip
    if r.upstream != "made":
        out["upstream"] = r.upstream
    if r.dtypes != DTYPES:
        out["dtypes"] = r.dtypes
    if r.half != "counted":
        out["half"] = r.half
    for key in ("every", "no_gradcheck", "zero", "note"):
        if getattr(r, key):
            out[key] = getattr(r, key)
    return out
