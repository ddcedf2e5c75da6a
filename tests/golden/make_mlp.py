#!/usr/bin/env python3
"""Makes the golden files of this folder with PyTorch: small networks trained for some steps, and single ops.

    python3 make_mlp.py            write every *.safetensors file next to this script
    python3 make_mlp.py --check    make them again in memory and compare with the files; exit 1 if they part
    python3 make_mlp.py mlp_fp64   only the files whose name contains the word

Needs numpy and torch; for mlp_fashion_fp64 also the IDX files of Fashion-MNIST (Debian: dataset-fashion-mnist).

Container: safetensors. 8 bytes little-endian length of the header, the header (JSON, padded with spaces so that
the data start at a multiple of 8), then the raw little-endian bytes of each tensor, row-major, without gaps.
Larger element types come first, so that every tensor is aligned to its element. `__metadata__` holds
strings: the case's settings, how the file was made, and by which versions.

Convention: one example per row. z = x @ W + b with x (N, in), W (in, out), b (out). nn.Linear keeps the transpose.
Layer k = 1..L:  z_k = a_(k-1) @ W_k + b_k,  a_0 = x,  a_k = f(z_k) for k < L. The loss is taken of z_L as it is
(softmax and sigmoid of the last layer belong to the loss).

    softmax_cross_entropy   mean over the rows of  log(sum_j exp z_j) - z_y
    mse                     mean over all elements of  (z - y)^2
    bce_with_logits         mean over all elements of  max(z, 0) - z y + log(1 + exp(-|z|))
    gelu                    z Phi(z), with erf (no tanh approximation)
    sgd                     v = mu v + g, W -= lr v; v starts at 0; mu = 0 is plain descent (torch.optim.SGD)

Tensors of a file mlp_*; "step 0" is the first step, before its update:

    x (N, in)                inputs of all rows; absent in mlp_fashion_fp64, see below
    y (N) int32 | (N, out)   classes | float targets
    index (steps, B) int32   rows of x and y in the batch of each step
    loss (steps)             loss of each step's batch, before that step's update
    W1.init, b1.init, ...    weights before step 0
    W1.step1, b1.step1, ...  weights after step 0's update
    W1.final, b1.final, ...  weights after the last step
    vW1.final, vb1.final     momentum after the last step, only where momentum is not 0
    z1.step0, a1.step0, ...  activations of step 0, (B, width); no a_L
    p.step0                  softmax or sigmoid of z_L, where the loss has one
    dz1.step0, da1.step0, dW1.step0, db1.step0, dx.step0    gradients of the loss

mlp_fashion_fp64 leaves the images out. Row i of `index` names rows of the training set (train-images-idx3-ubyte,
train-labels-idx1-ubyte, SHA-256 of the unpacked files in the metadata); x = byte / 255. To stay small it has no
W1.step1 and no dW1.step0.

Tensors of ops_fp64, for op `o` and example number i, all float64 unless said; dy is the given gradient of y:

    matmul.i    x (N, K), w (K, M), y = x @ w, dy -> dx, dw
    bias.i      x (N, C), b (C), y = x + b, dy -> dx, db
    relu.i, tanh.i, sigmoid.i, gelu.i               x, y, dy -> dx    (derivative of relu at 0 is 0)
    softmax_cross_entropy.i   x (N, C), target (N) int32, p (N, C) -> loss (1), dx
    bce_with_logits.i, mse.i  x (N, C), target (N, C) -> loss (1), dx
"""

import argparse
import gzip
import hashlib
import json
import math
import pathlib
import platform
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
FASHION = pathlib.Path("/usr/share/datasets/fashion-mnist")
DTYPES = {"float64": "F64", "float32": "F32", "int32": "I32"}


# --- safetensors -----------------------------------------------------------------------------------------------


def encode(tensors, metadata):
    """Bytes of a safetensors file. Larger elements first, then by name, as the reference writer does."""
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    header = {"__metadata__": {key: str(value) for key, value in metadata.items()}}
    body = b""
    for name in order:
        array = tensors[name]
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        header[name] = {
            "dtype": DTYPES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def decode(data):
    """Tensors of a safetensors file, by name."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    names = {code: name for name, code in DTYPES.items()}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = data[8 + length + begin : 8 + length + end]
        tensors[name] = np.frombuffer(raw, np.dtype(names[entry["dtype"]]).newbyteorder("<")).reshape(entry["shape"])
    return tensors


def versions():
    return {
        "made_by": "tests/golden/make_mlp.py",
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }


# --- networks --------------------------------------------------------------------------------------------------

ACTIVATIONS = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "gelu": lambda z: F.gelu(z, approximate="none"),
}
LOSSES = {
    "softmax_cross_entropy": F.cross_entropy,
    "mse": F.mse_loss,
    "bce_with_logits": F.binary_cross_entropy_with_logits,
}
PROBABILITIES = {
    "softmax_cross_entropy": lambda z: torch.softmax(z, 1),
    "bce_with_logits": torch.sigmoid,
}


def initial_weights(rng, widths):
    """He-scaled normal weights, and biases that are small but not zero, so that a lost bias shows."""
    weights = {}
    for k, (fan_in, fan_out) in enumerate(zip(widths, widths[1:]), 1):
        weights[f"W{k}"] = rng.normal(0.0, math.sqrt(2.0 / fan_in), (fan_in, fan_out))
        weights[f"b{k}"] = rng.normal(0.0, 0.1, fan_out)
    return weights


def forward(weights, x, activation, depth):
    """Activations by name; the last is the logits or prediction z_L."""
    values = {}
    a = x
    for k in range(1, depth + 1):
        values[f"z{k}"] = a @ weights[f"W{k}"] + weights[f"b{k}"]
        if k < depth:
            a = values[f"a{k}"] = ACTIVATIONS[activation](values[f"z{k}"])
    return values


def train(case, x, y, index, init):
    """Trains one network; returns the file's tensors except x, y and index, and the relu margin."""
    dtype = getattr(torch, case["dtype"])
    depth = len(case["layers"]) - 1
    inputs = torch.tensor(x, dtype=dtype)
    targets = torch.tensor(y, dtype=torch.int64 if y.dtype == np.int32 else dtype)
    weights = {name: torch.tensor(value, dtype=dtype, requires_grad=True) for name, value in init.items()}
    optimizer = torch.optim.SGD(list(weights.values()), lr=case["lr"], momentum=case["momentum"])
    out = {f"{name}.init": w.detach().numpy().copy() for name, w in weights.items()}
    losses = []
    margin = math.inf  # smallest |z| met by a relu: far from 0, no rounding can flip a unit
    for step, rows in enumerate(index):
        batch_x = inputs[rows.astype(np.int64)].requires_grad_(step == 0)
        batch_y = targets[rows.astype(np.int64)]
        values = forward(weights, batch_x, case["activation"], depth)
        last = values[f"z{depth}"]
        loss = LOSSES[case["loss"]](last, batch_y)
        if step == 0:
            for value in values.values():
                value.retain_grad()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if step == 0:
            for name, value in values.items():
                out[f"{name}.step0"] = value.detach().numpy().copy()
                out[f"d{name}.step0"] = value.grad.numpy().copy()
            for name, w in weights.items():
                out[f"d{name}.step0"] = w.grad.numpy().copy()
            out["dx.step0"] = batch_x.grad.numpy().copy()
            if case["loss"] in PROBABILITIES:
                out["p.step0"] = PROBABILITIES[case["loss"]](last).detach().numpy().copy()
        optimizer.step()
        if step == 0:
            out.update({f"{name}.step1": w.detach().numpy().copy() for name, w in weights.items()})
        losses.append(loss.item())
        if case["activation"] == "relu":
            hidden = [values[f"z{k}"].detach().abs().min().item() for k in range(1, depth)]
            margin = min(margin, *hidden)
    out.update({f"{name}.final": w.detach().numpy().copy() for name, w in weights.items()})
    if case["momentum"]:
        for name, w in weights.items():
            out[f"v{name}.final"] = optimizer.state[w]["momentum_buffer"].numpy().copy()
    out["loss"] = np.array(losses, case["dtype"])
    return out, margin


def describe(name, case, margin):
    metadata = {"case": name, **versions(), **case, "layers": ",".join(map(str, case["layers"]))}
    if case["activation"] == "relu":
        metadata["relu_margin"] = f"{margin:.3g}"
    return metadata


def teacher_classes(rng, x, classes):
    """Learnable labels: the largest output of a fixed random linear map, with some rows relabelled."""
    labels = np.argmax(x @ rng.normal(size=(x.shape[1], classes)), axis=1)
    noisy = rng.random(len(x)) < 0.1
    return np.where(noisy, rng.integers(0, classes, len(x)), labels).astype(np.int32)


def batches(rng, rows, batch, steps):
    return np.stack([rng.permutation(rows)[:batch] for _ in range(steps)]).astype(np.int32)


CLASSIFIER = {"layers": [12, 16, 8, 5], "loss": "softmax_cross_entropy", "batch": 9, "rows": 90, "lr": 0.1}
MLP_CASES = {
    "mlp_fp64_sgd": {**CLASSIFIER, "activation": "relu", "momentum": 0.0, "steps": 200, "dtype": "float64"},
    "mlp_fp64_momentum": {**CLASSIFIER, "activation": "tanh", "momentum": 0.9, "steps": 200, "dtype": "float64"},
    "mlp_fp64_gelu_mse": {
        "layers": [2, 16, 16, 1], "activation": "gelu", "loss": "mse", "batch": 32, "rows": 128,
        "lr": 0.1, "momentum": 0.0, "steps": 200, "dtype": "float64",
    },
    "mlp_fp64_sigmoid_bce": {
        "layers": [2, 8, 1], "activation": "sigmoid", "loss": "bce_with_logits", "batch": 16, "rows": 64,
        "lr": 2.0, "momentum": 0.0, "steps": 200, "dtype": "float64",
    },
    "mlp_fp32_sgd": {**CLASSIFIER, "activation": "relu", "momentum": 0.0, "steps": 20, "dtype": "float32"},
    "mlp_fp32_momentum": {**CLASSIFIER, "activation": "tanh", "momentum": 0.9, "steps": 20, "dtype": "float32"},
}  # fmt: skip


def make_mlp(name):
    case = {**MLP_CASES[name], "seed": 20}
    rng = np.random.default_rng(case["seed"])
    widths = case["layers"]
    x = rng.normal(size=(case["rows"], widths[0])).astype(case["dtype"])
    if case["loss"] == "softmax_cross_entropy":
        y = teacher_classes(rng, x, widths[-1])
    elif case["loss"] == "bce_with_logits":  # exclusive or of the signs, a task that needs the hidden layer
        y = (x[:, :1] * x[:, 1:] > 0).astype(case["dtype"])
    else:
        y = (np.sin(2.0 * x[:, :1]) * x[:, 1:]).astype(case["dtype"])
    index = batches(rng, case["rows"], case["batch"], case["steps"])
    tensors, margin = train(case, x, y, index, initial_weights(rng, widths))
    return encode({"x": x, "y": y, "index": index, **tensors}, describe(name, case, margin))


def read_idx(path):
    """An IDX file of bytes as an array, and the SHA-256 of its unpacked bytes."""
    data = gzip.decompress(path.read_bytes())
    if data[:3] != b"\0\0\x08":
        raise ValueError(f"{path} is no IDX file of bytes")
    rank = data[3]
    shape = struct.unpack_from(f">{rank}I", data, 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape), hashlib.sha256(data).hexdigest()


def make_fashion(name, folder):
    case = {
        "layers": [784, 24, 10], "activation": "relu", "loss": "softmax_cross_entropy", "batch": 64,
        "lr": 0.1, "momentum": 0.0, "steps": 200, "dtype": "float64", "seed": 21,
    }  # fmt: skip
    images, images_hash = read_idx(folder / "train-images-idx3-ubyte.gz")
    labels, labels_hash = read_idx(folder / "train-labels-idx1-ubyte.gz")
    rng = np.random.default_rng(case["seed"])
    steps, batch = case["steps"], case["batch"]
    index = rng.permutation(len(images))[: steps * batch].reshape(steps, batch).astype(np.int32)
    used = index.reshape(-1)
    x = images.reshape(len(images), -1)[used] / 255.0
    y = labels[used].astype(np.int32)
    local = np.arange(steps * batch, dtype=np.int32).reshape(steps, batch)
    tensors, margin = train(case, x, y, local, initial_weights(rng, case["layers"]))
    for large in ("W1.step1", "dW1.step0", "dx.step0"):
        del tensors[large]
    metadata = describe(name, case, margin)
    metadata["data"] = "Fashion-MNIST, training set; x = byte / 255"
    metadata["train-images-idx3-ubyte.sha256"] = images_hash
    metadata["train-labels-idx1-ubyte.sha256"] = labels_hash
    return encode({"index": index, **tensors}, metadata)


# --- single ops ------------------------------------------------------------------------------------------------

SHAPES = [(1, 1), (1, 7), (5, 1), (9, 5), (17, 33), (3, 129)]
# Signed zeros and values near them, in an example of their own: beside a large element the norm would hide the error
# of a small one. Then the bend, and the flat parts, where a careless formula overflows. The flat row has one ordinary
# element: alone, its gradients would be rounding noise, which no two correct formulas share.
SPECIAL = [
    [0.0, -0.0, 1e-300, -1e-300, 1e-8, -1e-8],
    [0.5, -0.5, 1.0, -1.0, 5.0, -5.0],
    [0.5, 20.0, -20.0, 40.0, -40.0, 700.0, -700.0, 745.0, -745.0, 1e4, -1e4],
]


def leaf(array):
    return torch.tensor(array, dtype=torch.float64, requires_grad=True)


def elementwise_inputs(rng):
    yield from (rng.normal(0.0, 2.0, shape) for shape in SHAPES)
    yield from (np.array([row]) for row in SPECIAL)


def make_ops(name):
    seed = 22
    rng = np.random.default_rng(seed)
    tensors = {}

    def put(op, i, **values):
        for key, value in values.items():
            array = value.detach().numpy() if isinstance(value, torch.Tensor) else value
            tensors[f"{op}.{i}.{key}"] = np.array(array)

    products = [(1, 1, 1), (1, 7, 1), (3, 1, 5), (9, 12, 16), (17, 33, 5), (31, 2, 17)]
    for i, (n, k, m) in enumerate(products):
        x, w, dy = leaf(rng.normal(size=(n, k))), leaf(rng.normal(size=(k, m))), rng.normal(size=(n, m))
        y = x @ w
        y.backward(torch.tensor(dy))
        put("matmul", i, x=x, w=w, y=y, dy=dy, dx=x.grad, dw=w.grad)
    for i, (n, c) in enumerate(SHAPES):
        x, b, dy = leaf(rng.normal(size=(n, c))), leaf(rng.normal(size=c)), rng.normal(size=(n, c))
        y = x + b
        y.backward(torch.tensor(dy))
        put("bias", i, x=x, b=b, y=y, dy=dy, dx=x.grad, db=b.grad)
    for op, function in ACTIVATIONS.items():
        for i, values in enumerate(elementwise_inputs(rng)):
            x, dy = leaf(values), rng.normal(size=values.shape)
            y = function(x)
            y.backward(torch.tensor(dy))
            put(op, i, x=x, y=y, dy=dy, dx=x.grad)
    # A row of equal logits, and rows whose exponentials overflow or vanish without the shift by the maximum.
    steep = np.array(
        [[0.0, 0.0, 0.0, 0.0], [1e3, 0.0, -1e3, 999.0], [-1e3, -1e3, -1001.0, -2e3], [710.0, 1.0, 2.0, 3.0]]
    )
    for i, values in enumerate([*(rng.normal(0.0, 3.0, shape) for shape in SHAPES), steep]):
        target = rng.integers(0, values.shape[1], len(values)).astype(np.int32)
        x = leaf(values)
        loss = F.cross_entropy(x, torch.tensor(target, dtype=torch.int64))
        loss.backward()
        p = torch.softmax(x, 1)
        put("softmax_cross_entropy", i, x=x, target=target, p=p, loss=loss.reshape(1), dx=x.grad)
    for i, values in enumerate(elementwise_inputs(rng)):
        target = rng.integers(0, 2, values.shape).astype(np.float64)
        if i == 3:  # soft targets are legal too
            target = rng.random(values.shape)
        x = leaf(values)
        loss = F.binary_cross_entropy_with_logits(x, torch.tensor(target))
        loss.backward()
        put("bce_with_logits", i, x=x, target=target, loss=loss.reshape(1), dx=x.grad)
    for i, shape in enumerate(SHAPES):
        x, target = leaf(rng.normal(size=shape)), rng.normal(size=shape)
        loss = F.mse_loss(x, torch.tensor(target))
        loss.backward()
        put("mse", i, x=x, target=target, loss=loss.reshape(1), dx=x.grad)
    return encode(tensors, {"case": name, **versions(), "seed": seed, "dtype": "float64"})


# --- command line ----------------------------------------------------------------------------------------------


def parted(name, fresh, stored):
    """The first tensor that differs by more than another order of summation explains, or None."""
    tolerance = 1e-5 if "fp32" in name else 1e-9
    if fresh.keys() != stored.keys():
        return f"tensors {sorted(fresh.keys() ^ stored.keys())} are in one of the two only"
    for key in stored:
        a, b = fresh[key].astype(np.float64), stored[key].astype(np.float64)
        if a.shape != b.shape:
            return f"{key} has shape {a.shape}, the file {b.shape}"
        error, scale = np.linalg.norm(a - b), np.linalg.norm(b)
        if not error <= tolerance * scale:
            return f"{key} differs by {error / scale if scale else error:.3g} of its norm, allowed {tolerance:g}"
    return None


def main():
    parser = argparse.ArgumentParser(description="Makes or checks the golden files of this folder.")
    parser.add_argument("word", nargs="?", default="", help="only files whose name contains this")
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    parser.add_argument("--fashion", type=pathlib.Path, default=FASHION, help="folder of the Fashion-MNIST IDX files")
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    makers = {name: make_mlp for name in MLP_CASES}
    makers["mlp_fashion_fp64"] = lambda name: make_fashion(name, arguments.fashion)
    makers["ops_fp64"] = make_ops
    makers = {name: maker for name, maker in makers.items() if arguments.word in name}
    if not makers:
        parser.error(f"no golden file has '{arguments.word}' in its name")
    failed = False
    for name, maker in makers.items():
        path = HERE / f"{name}.safetensors"
        data = maker(name)
        if not arguments.check:
            path.write_bytes(data)
            print(f"{path.name}: {len(data)} bytes")
            continue
        stored = path.read_bytes()
        problem = None if data == stored else parted(name, decode(data), decode(stored))
        failed |= problem is not None
        print(f"{path.name}: {problem or ('same bytes' if data == stored else 'same within rounding')}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
