#!/usr/bin/env python3
"""Makes model_mlp, model_cnn and model_gpt.safetensors: three nets trained by PyTorch from the same weights and batches, with
three optimizers, in float64, float32 and mixed precision.

    python3 make_models.py            write the files next to this script
    python3 make_models.py --check    make them again in memory and compare; exit 1 if they part
    python3 make_models.py gpt        only the files whose name contains the word

Needs numpy, torch and the IDX files of Fashion-MNIST (Debian: dataset-fashion-mnist).

    mlp   Fashion-MNIST, x (B, 784): fc1 784 -> 32, ReLU, fc2 32 -> 16, ReLU, fc3 16 -> 10; batch 32
    cnn   Fashion-MNIST, x (B, 1, 28, 28): twice conv 3x3 with padding 1 and bias (to 6, to 12), BatchNorm, ReLU, max pool 2x2;
          then fc to 10; batch 8
    gpt   characters of sums such as "37+58=95": tok + pos, four pre-norm blocks (LayerNorm, causal attention of 4 heads with
          biases, GELU with erf, hidden 4 C), LayerNorm, head without bias; C 32, T 16, batch 4

All end in the mean softmax cross-entropy. Weights of linear layers are (in, out). Tensors of a file:

    NAME.init                 float32; exact in every run
    index (200, B) int32      mlp, cnn: rows of the training set in the batch of each step; x = byte / 255
    tokens (N), start (200, B) int32    gpt: a batch has tokens[s : s + T] as x and tokens[s + 1 : s + T + 1] as y
    RUN.loss (steps)          loss of each step's batch before the update
    RUN.NAME.final            after the last step, every 7th element of tensors with more than 512
    RUN.norms                 of the whole tensors, in the order of the metadata's `parameters`
    RUN.scale, RUN.skipped    mixed precision: the scale a step used, and whether it was skipped (int32)

RUN is OPTIMIZER_fp64 (200 steps), OPTIMIZER_fp32 (20 steps) and OPTIMIZER_fp16 or _bf16 (60 steps, fp32 master weights); the
settings stand in the metadata. Mixed precision is torch.autocast and torch.amp.GradScaler on the CPU. The CPU's lists lack two
ops that the CUDA lists compute in fp32, which is what is wanted here: softmax and the cross-entropy get .float() inputs by hand.
layer_norm has fp32 inputs anyway. No decision to skip may hang on rounding: with 1.5 % more and 1.5 % less scale each step must
decide the same, or the run is made of later batches: it begins with batch `RUN.first` of the metadata (0 where that is absent).
"""

import argparse
import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F

from make_mlp import FASHION, decode, encode, read_idx, versions

HERE = pathlib.Path(__file__).resolve().parent
STEPS = {"fp64": 200, "fp32": 20, "fp16": 60, "bf16": 60}
TYPES = {"fp64": torch.float64, "fp32": torch.float32, "fp16": torch.float32, "bf16": torch.float32}
LOW = {"fp16": torch.float16, "bf16": torch.bfloat16}
SCALER = {"init_scale": 2.0**14, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 6}
MARGIN = 0.015



def linear(p, name, x):
    return F.linear(x, p[f"{name}.weight"].t(), p.get(f"{name}.bias"))


def mlp(p, x, _):
    return linear(p, "mlp.fc3", F.relu(linear(p, "mlp.fc2", F.relu(linear(p, "mlp.fc1", x)))))


def cnn(p, x, buffers):
    for i in (1, 2):
        x = F.conv2d(x, p[f"cnn.conv{i}.weight"], p[f"cnn.conv{i}.bias"], padding=1)
        norm = f"cnn.norm{i}"
        x = F.batch_norm(x, buffers[f"{norm}.running_mean"], buffers[f"{norm}.running_var"], p[f"{norm}.weight"],
                         p[f"{norm}.bias"], training=True)  # fmt: skip
        x = F.max_pool2d(F.relu(x), 2)
    return linear(p, "cnn.fc", x.flatten(1))


GPT = {"channels": 32, "heads": 4, "length": 16, "blocks": 4, "batch": 4}


def gpt(p, index, _):
    heads, length, channels = GPT["heads"], GPT["length"], GPT["channels"]
    x = p["gpt.tok.weight"][index] + p["gpt.pos.weight"]
    for block in range(1, GPT["blocks"] + 1):
        at = f"gpt.block{block}"

        def norm(name, value):
            return F.layer_norm(value, (channels,), p[f"{at}.{name}.weight"], p[f"{at}.{name}.bias"])

        def split(name, value):
            return linear(p, f"{at}.attn.{name}", value).view(-1, length, heads, channels // heads).transpose(1, 2)

        y = norm("attention_norm", x)
        q, k, v = split("q_proj", y), split("k_proj", y), split("v_proj", y)
        scores = (q @ k.transpose(2, 3)) * (1 / math.sqrt(channels // heads))
        scores = scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -math.inf)
        weights = torch.softmax(scores.float() if scores.dtype in LOW.values() else scores, -1)
        x = x + linear(p, f"{at}.attn.o_proj", (weights @ v).transpose(1, 2).reshape(-1, length, channels))
        x = x + linear(p, f"{at}.mlp.down_proj", F.gelu(linear(p, f"{at}.mlp.up_proj", norm("mlp_norm", x))))
    x = F.layer_norm(x, (channels,), p["gpt.final_norm.weight"], p["gpt.final_norm.bias"])
    return linear(p, "gpt.head", x)


# --- weights and batches -----------------------------------------------------------------------------------------


def uniform(rng, shape, fan_in):
    return rng.uniform(-1, 1, shape).astype(np.float32) / np.float32(math.sqrt(fan_in))


def dense(rng, init, name, inputs, outputs, bias=True):
    init[f"{name}.weight"] = uniform(rng, (inputs, outputs), inputs)
    if bias:
        init[f"{name}.bias"] = uniform(rng, outputs, inputs)


def near_one(rng, init, name, width):
    """Weights and biases of a norm that are not 1 and 0, so that a lost one shows."""
    init[f"{name}.weight"] = 1 + uniform(rng, width, 100)
    init[f"{name}.bias"] = uniform(rng, width, 100)


def init_mlp(rng):
    init = {}
    for i, (inputs, outputs) in enumerate([(784, 32), (32, 16), (16, 10)], 1):
        dense(rng, init, f"mlp.fc{i}", inputs, outputs)
    return init


def init_cnn(rng):
    init = {}
    for i, (inputs, outputs) in enumerate([(1, 6), (6, 12)], 1):
        init[f"cnn.conv{i}.weight"] = uniform(rng, (outputs, inputs, 3, 3), 9 * inputs)
        init[f"cnn.conv{i}.bias"] = uniform(rng, outputs, 9 * inputs)
        near_one(rng, init, f"cnn.norm{i}", outputs)
    dense(rng, init, "cnn.fc", 12 * 7 * 7, 10)
    return init


def init_gpt(rng, vocabulary):
    channels, init = GPT["channels"], {}
    init["gpt.tok.weight"] = uniform(rng, (vocabulary, channels), 4)
    init["gpt.pos.weight"] = uniform(rng, (GPT["length"], channels), 16)
    for block in range(1, GPT["blocks"] + 1):
        at = f"gpt.block{block}"
        near_one(rng, init, f"{at}.attention_norm", channels)
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            dense(rng, init, f"{at}.attn.{name}", channels, channels)
        near_one(rng, init, f"{at}.mlp_norm", channels)
        dense(rng, init, f"{at}.mlp.up_proj", channels, 4 * channels)
        dense(rng, init, f"{at}.mlp.down_proj", 4 * channels, channels)
    near_one(rng, init, "gpt.final_norm", channels)
    dense(rng, init, "gpt.head", channels, vocabulary, bias=False)
    return init


class Fashion:
    def __init__(self, rng, folder, shape, batch):
        images, images_hash = read_idx(folder / "train-images-idx3-ubyte.gz")
        labels, labels_hash = read_idx(folder / "train-labels-idx1-ubyte.gz")
        self.images, self.labels, self.shape = images.reshape(len(images), -1), labels, shape
        self.tensors = {"index": rng.permutation(len(images))[: 200 * batch].reshape(200, batch).astype(np.int32)}
        self.metadata = {"data": "Fashion-MNIST, training set; x = byte / 255", "train-images-idx3-ubyte.sha256": images_hash,
                         "train-labels-idx1-ubyte.sha256": labels_hash}  # fmt: skip

    def batch(self, step, dtype):
        rows = self.tensors["index"][step]
        x = torch.tensor(self.images[rows] / 255.0, dtype=dtype)
        return x.view(-1, *self.shape), torch.tensor(self.labels[rows].astype(np.int64))


class Sums:
    def __init__(self, rng):
        letters, text = "0123456789+=;", ""
        while len(text) < 4096:
            a, b = rng.integers(0, 100, 2)
            text += f"{a}+{b}={a + b};"
        self.tokens = np.array([letters.index(c) for c in text], np.int32)
        start = rng.integers(0, len(text) - GPT["length"] - 1, (200, GPT["batch"])).astype(np.int32)
        self.tensors = {"tokens": self.tokens, "start": start}
        self.metadata = {"vocabulary": len(letters), "data": text[:40] + "…"}

    def batch(self, step, _):
        windows = np.stack([self.tokens[s : s + GPT["length"] + 1] for s in self.tensors["start"][step]]).astype(np.int64)
        return torch.tensor(windows[:, :-1]), torch.tensor(windows[:, 1:])


# --- training ----------------------------------------------------------------------------------------------------

OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, foreach=False),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9, foreach=False),
    "adam": lambda p: torch.optim.Adam(p, lr=0.001, foreach=False),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.001, weight_decay=0.1, foreach=False),
}


def buffers_of(model, dtype):
    if model is not cnn:
        return {}
    return {f"cnn.norm{i}.{kind}": torch.full((width,), value, dtype=dtype)
            for i, width in ((1, 6), (2, 12)) for kind, value in (("running_mean", 0.0), ("running_var", 1.0))}  # fmt: skip


def loss_of(model, p, x, y, buffers, kind):
    if kind not in LOW:
        logits = model(p, x, buffers)
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), y.reshape(-1))
    with torch.autocast("cpu", dtype=LOW[kind]):
        logits = model(p, x, buffers).float()
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), y.reshape(-1))


def overflows(model, p, x, y, buffers, kind, scale):
    loss = loss_of(model, p, x, y, {name: b.clone() for name, b in buffers.items()}, kind) * scale
    return not all(torch.isfinite(g).all() for g in torch.autograd.grad(loss, list(p.values())))


class NearTheEdge(Exception):
    """A step whose overflow hangs on rounding."""


def train(model, data, init, optimizer_name, kind, first=0):
    dtype = TYPES[kind]
    p = {name: torch.tensor(value, dtype=dtype, requires_grad=True) for name, value in init.items()}
    buffers = buffers_of(model, dtype)
    optimizer = OPTIMIZERS[optimizer_name](list(p.values()))
    scaler = torch.amp.GradScaler("cpu", enabled=kind in LOW, **SCALER)
    losses, scales, skipped = [], [], []
    for step in range(STEPS[kind]):
        x, y = data.batch(first + step, dtype)
        if kind in LOW:
            scale = scaler.get_scale()
            decisions = {overflows(model, p, x, y, buffers, kind, scale * share) for share in (1 - MARGIN, 1.0, 1 + MARGIN)}
            if len(decisions) > 1:
                raise NearTheEdge(f"step {step}")
            scales.append(scale)
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model, p, x, y, buffers, kind)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if kind in LOW:
            skipped.append(int(scaler.get_scale() < scales[-1]))
        losses.append(loss.item())
    out = {"loss": np.array(losses, np.float64 if kind == "fp64" else np.float32)}
    final = {**{name: w.detach().numpy() for name, w in p.items()}, **{name: b.numpy() for name, b in buffers.items()}}
    for name, value in final.items():
        out[f"{name}.final"] = value.reshape(-1)[:: 7 if value.size > 512 else 1].copy()
    out["norms"] = np.array([np.linalg.norm(final[name].astype(np.float64)) for name in p])
    if kind in LOW:
        out["scale"], out["skipped"] = np.array(scales, np.float32), np.array(skipped, np.int32)
    report = f"loss {losses[0]:.4f} -> {losses[-1]:.4f}"
    if kind in LOW:
        report += f", skipped {[i for i, s in enumerate(skipped) if s]}, scale up to {max(scales):g}"
    print(f"{model.__name__} {optimizer_name}_{kind}: {report}", file=sys.stderr)
    return {f"{optimizer_name}_{kind}.{name}": value for name, value in out.items()}


RUNS = {
    "mlp": ["sgd_fp64", "adam_fp64", "adamw_fp64", "sgd_fp32", "adam_fp32", "adamw_fp32", "sgd_fp16", "adam_fp16", "sgd_bf16"],
    "cnn": ["momentum_fp64", "adam_fp64", "adamw_fp64", "momentum_fp32", "adam_fp32", "adamw_fp32", "adam_fp16", "adamw_bf16"],
    "gpt": ["sgd_fp64", "adam_fp64", "adamw_fp64", "sgd_fp32", "adam_fp32", "adamw_fp32", "adamw_fp16", "adamw_bf16"],
}  # fmt: skip
SEEDS = {"mlp": 31, "cnn": 32, "gpt": 33}


def make(name, folder):
    rng = np.random.default_rng(SEEDS[name])
    if name == "gpt":
        data = Sums(rng)
        model, init = gpt, init_gpt(rng, data.metadata["vocabulary"])
    elif name == "cnn":
        data, model, init = Fashion(rng, folder, (1, 28, 28), 8), cnn, init_cnn(rng)
    else:
        data, model, init = Fashion(rng, folder, (784,), 32), mlp, init_mlp(rng)
    tensors = {**data.tensors, **{f"{key}.init": value for key, value in init.items()}}
    firsts = {}
    for run in RUNS[name]:
        for first in range(0, 140):
            try:
                tensors.update(train(model, data, init, *run.split("_"), first))
                break
            except NearTheEdge as edge:
                print(f"{name} {run} from batch {first}: near the edge in {edge}", file=sys.stderr)
        else:
            raise SystemExit(f"{name} {run}: every start comes near the edge; choose another seed")
        if first:
            firsts[f"{run}.first"] = first
    settings = {"sgd": "lr 0.1", "momentum": "lr 0.02, momentum 0.9", "adam": "lr 0.001", "adamw": "lr 0.001, weight decay 0.1"}
    metadata = {**versions(), "made_by": "tests/golden/make_models.py", "case": f"model_{name}", "seed": SEEDS[name],
                "runs": " ".join(RUNS[name]), "parameters": " ".join(init), **settings, **firsts,
                **{f"scaler_{key}": value for key, value in SCALER.items()}, **data.metadata}  # fmt: skip
    return encode(tensors, metadata)


def parted(fresh, stored):
    """The first tensor that differs by more than another order of summation explains, or None."""
    if fresh.keys() != stored.keys():
        return f"tensors {sorted(fresh.keys() ^ stored.keys())} are in one of the two only"
    for key in stored:
        tolerance = 1e-9 if "fp64" in key else 1e-4 if "fp32" in key else 1e-2
        a, b = fresh[key].astype(np.float64), stored[key].astype(np.float64)
        zero = key.endswith((".attn.k_proj.bias.final", "conv1.bias.final", "conv2.bias.final"))
        zero |= "adam" in key and key.endswith("running_mean.final")  # which follows those biases
        if a.shape != b.shape or not (zero or np.linalg.norm(a - b) <= tolerance * np.linalg.norm(b)):
            return f"{key} differs"
    return None


def main():
    parser = argparse.ArgumentParser(description="Makes or checks the golden files of whole models.")
    parser.add_argument("word", nargs="?", default="", help="only files whose name contains this")
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    parser.add_argument("--fashion", type=pathlib.Path, default=FASHION, help="folder of the Fashion-MNIST IDX files")
    given = parser.parse_args()
    torch.set_num_threads(1)
    failed = False
    for name in (name for name in RUNS if given.word in f"model_{name}"):
        data, path = make(name, given.fashion), HERE / f"model_{name}.safetensors"
        if not given.check:
            path.write_bytes(data)
            print(f"{path.name}: {len(data)} bytes")
            continue
        problem = None if data == path.read_bytes() else parted(decode(data), decode(path.read_bytes()))
        failed |= problem is not None
        print(f"{path.name}: {problem or 'the same'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
