#!/usr/bin/env python3
"""Makes layers_fp64.safetensors: layers with their gradients, computed by PyTorch in float64 as their papers write them.

    python3 make_layers.py            write the file next to this script
    python3 make_layers.py --check    make it again in memory and compare; exit 1 if they part

    CASE/x, CASE/PARAMETER            what the layer is called with; every number a multiple of 1/64, so exact in fp32
    CASE/g                            L = Σ g · y (+ 0.75 · balance loss, for mixtures of experts)
    CASE/y, CASE/dx, CASE/d.PARAMETER the output and the gradients of L

Latent attention (mla_*): per head, as equations 37 to 47 of DeepSeek-V2 have it (arXiv 2405.04434); beside y, CASE/latent and
CASE/rotary_key, what a cache keeps. Mixtures of experts (moe_*): token by token and expert by expert; beside y, CASE/balance,
CASE/experts (int32) and CASE/gates. Of two probabilities alike the expert with the lower number comes first.
"""

import math
import pathlib
import sys

import numpy as np
import torch

from make_mlp import encode, versions

HERE = pathlib.Path(__file__).resolve().parent
BALANCE = 0.75


class Numbers:
    """Normal numbers of a seed, rounded to multiples of 1/64, that require a gradient."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.all = {}

    def made(self, name, shape, deviation=1.0):
        drawn = torch.randn(shape, generator=self.generator, dtype=torch.float64) * deviation
        self.all[name] = (torch.round(drawn * 64) / 64).requires_grad_()
        return self.all[name]


def results(numbers, loss, more):
    loss.backward()
    out = {name: t.detach().numpy() for name, t in numbers.all.items()}
    for name, t in numbers.all.items():
        out["dx" if name == "x" else f"d.{name}"] = (torch.zeros_like(t) if t.grad is None else t.grad).numpy()
    return out | {name: t.detach().numpy() for name, t in more.items()}


# --- multi-head latent attention ------------------------------------------------------------------------------------


def turned(x, halves):
    """Rotary embedding of rows (T, D) at positions 0 … T - 1, base 10000."""
    T, D = x.shape
    theta = 10000.0 ** (-torch.arange(D // 2, dtype=torch.float64) * 2 / D)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * theta
    a, b = (x[:, : D // 2], x[:, D // 2 :]) if halves else (x[:, 0::2], x[:, 1::2])
    first, second = a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()
    return torch.cat([first, second], 1) if halves else torch.stack([first, second], 2).reshape(T, D)


def rms(x, weight, eps=1e-6):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * weight


def mla(seed, B, T, C, H, latent, query_latent, content, rotary, values, causal=True, normalise=True, halves=False):
    n = Numbers(seed)
    x = n.made("x", (B, T, C))
    if query_latent:
        q_a = n.made("q_a_proj.weight", (C, query_latent), 0.4)
        q_norm = n.made("q_a_norm.weight", (query_latent,)) if normalise else None
        q_b = n.made("q_b_proj.weight", (query_latent, H * (content + rotary)), 0.4)
    else:
        q_only = n.made("q_proj.weight", (C, H * (content + rotary)), 0.4)
    kv_a = n.made("kv_a_proj.weight", (C, latent + rotary), 0.4)
    kv_norm = n.made("kv_a_norm.weight", (latent,)) if normalise else None
    kv_b = n.made("kv_b_proj.weight", (latent, H * (content + values)), 0.4)
    o = n.made("o_proj.weight", (H * values, C), 0.4)
    g = torch.round(torch.randn((B, T, C), generator=n.generator, dtype=torch.float64) * 64) / 64

    outputs, latents, keys = [], [], []
    for b in range(B):
        if query_latent:
            c_q = x[b] @ q_a
            q = (rms(c_q, q_norm) if normalise else c_q) @ q_b
        else:
            q = x[b] @ q_only
        narrow = x[b] @ kv_a
        c = rms(narrow[:, :latent], kv_norm) if normalise else narrow[:, :latent]
        k_rotary = turned(narrow[:, latent:], halves)
        kv = c @ kv_b
        heads = []
        for h in range(H):
            q_h = q[:, h * (content + rotary) : (h + 1) * (content + rotary)]
            kv_h = kv[:, h * (content + values) : (h + 1) * (content + values)]
            q_h = torch.cat([q_h[:, :content], turned(q_h[:, content:], halves)], 1)
            k_h = torch.cat([kv_h[:, :content], k_rotary], 1)
            scores = q_h @ k_h.T / math.sqrt(content + rotary)
            if causal:
                scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), -math.inf)
            heads.append(torch.softmax(scores, 1) @ kv_h[:, content:])
        outputs.append(torch.cat(heads, 1) @ o)
        latents.append(c)
        keys.append(k_rotary[None])
    y = torch.stack(outputs)
    more = {"g": g, "y": y, "latent": torch.stack(latents), "rotary_key": torch.stack(keys)}
    return results(n, (g * y).sum(), more)


# --- mixtures of experts --------------------------------------------------------------------------------------------


def moe(seed, N, C, hidden, E, K, swiglu=True, normalise=True, zero_rows=()):
    n = Numbers(seed)
    x = n.made("x", (N, C))
    with torch.no_grad():
        for row in zero_rows:
            x[row] = 0
    router = n.made("router.weight", (C, E), 0.7)
    gate = n.made("experts.gate_proj.weight", (E, C, hidden), 0.5) if swiglu else None
    up = n.made("experts.up_proj.weight", (E, C, hidden), 0.5)
    down = n.made("experts.down_proj.weight", (E, hidden, C), 0.5)
    g = torch.round(torch.randn((N, C), generator=n.generator, dtype=torch.float64) * 64) / 64

    p = torch.softmax(x @ router, 1)
    chosen = torch.sort(p, dim=1, descending=True, stable=True)[1][:, :K]
    rows, gates = [], []
    taken = torch.zeros(E, dtype=torch.float64)
    for i in range(N):
        weights = p[i][chosen[i]]
        if normalise:
            weights = weights / weights.sum()
        y = torch.zeros(C, dtype=torch.float64)
        for k in range(K):
            e = int(chosen[i, k])
            taken[e] += 1
            h = x[i] @ up[e]
            h = torch.nn.functional.silu(x[i] @ gate[e]) * h if swiglu else torch.nn.functional.gelu(h)
            y = y + weights[k] * (h @ down[e])
        rows.append(y)
        gates.append(weights)
    y = torch.stack(rows)
    balance = E * (taken / (N * K) * p.mean(0)).sum()
    more = {"g": g, "y": y, "balance": balance, "experts": chosen.to(torch.int32), "gates": torch.stack(gates)}
    return results(n, (g * y).sum() + BALANCE * balance, more)


CASES = {
    "mla": lambda: mla(1, B=2, T=5, C=12, H=3, latent=6, query_latent=8, content=4, rotary=2, values=5),
    "mla_plain_queries": lambda: mla(2, B=1, T=7, C=10, H=2, latent=4, query_latent=0, content=3, rotary=4, values=3),
    "mla_halves_no_norm": lambda: mla(3, B=2, T=4, C=8, H=4, latent=5, query_latent=3, content=2, rotary=4, values=6,
                                      normalise=False, halves=True),  # fmt: skip
    "mla_sees_all": lambda: mla(4, B=1, T=6, C=9, H=1, latent=7, query_latent=4, content=6, rotary=2, values=2, causal=False),
    "mla_one_token": lambda: mla(5, B=3, T=1, C=6, H=2, latent=3, query_latent=4, content=2, rotary=2, values=3),
    "mla_equal_widths": lambda: mla(6, B=2, T=6, C=8, H=2, latent=4, query_latent=0, content=4, rotary=2, values=6),
    "moe": lambda: moe(11, N=14, C=6, hidden=5, E=4, K=2),
    "moe_switch": lambda: moe(12, N=12, C=5, hidden=7, E=4, K=1, normalise=False),
    "moe_mlp": lambda: moe(13, N=10, C=4, hidden=6, E=5, K=3, swiglu=False),
    "moe_weights_as_they_are": lambda: moe(14, N=9, C=6, hidden=4, E=6, K=2, normalise=False),
    "moe_experts_without_tokens": lambda: moe(15, N=3, C=4, hidden=3, E=16, K=1),
    "moe_all_experts": lambda: moe(16, N=7, C=4, hidden=5, E=3, K=3),
    "moe_one_token": lambda: moe(17, N=1, C=6, hidden=4, E=4, K=2),
    "moe_one_expert": lambda: moe(18, N=6, C=3, hidden=4, E=1, K=1),
    "moe_ties": lambda: moe(19, N=6, C=4, hidden=3, E=5, K=2, zero_rows=(1, 4)),
}


def main(arguments):
    torch.set_num_threads(1)
    tensors = {}
    for case, make in CASES.items():
        tensors |= {f"{case}/{name}": np.ascontiguousarray(value) for name, value in make().items()}
    data = encode(tensors, versions() | {"made_by": "tests/golden/make_layers.py"})
    path = HERE / "layers_fp64.safetensors"
    if "--check" not in arguments:
        path.write_bytes(data)
        print(f"{path.name}: {len(CASES)} cases, {len(tensors)} tensors, {len(data) / 1024:.0f} KiB")
        return 0
    same = path.exists() and path.read_bytes() == data
    print(f"{path.name} is {'' if same else 'not '}what is made now")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
