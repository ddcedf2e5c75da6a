#!/usr/bin/env python3
"""PyTorch as the peer of `gradus bench cpu`: the lines of peer_pytorch.py, and

    {"cmd": "op", "op": "product", "sizes": [n], "threads": 1, "seconds": 0.1}      C = A · B of n × n matrices
    {"cmd": "op", "op": "softmax" | "layer_norm" | "rms_norm" | "gelu", "sizes": [rows, columns], ...}
    {"cmd": "op", "op": "conv2d", "sizes": [images, channels, outputs, side], ...}  3 × 3, border 1, with bias
        -> {"seconds"}: the least of one call; outputs are written to memory that is there, where PyTorch can
    {"cmd": "gpt", "layers": 4, "heads": 4, "channels": 128, "time": 64, "batch": 12, "vocabulary": 65,
     "threads": 1, "mode": "eager" | "compiled", "seconds": 1.0}
        -> {"seconds", "loss", "optimizer_impl"}: the least of one training step, AdamW, in float32
"""

import time

import peer_pytorch as base
import torch
import torch.nn.functional as F


def least_seconds(call, budget):
    call()
    least, spent, calls = 1e9, 0.0, 1
    while spent < budget or least == 1e9:
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        seconds = time.perf_counter() - begin
        spent += seconds
        least = min(least, seconds / calls)
        if seconds < 50e-6:
            calls = min(1000, calls * 2)
    return least


def op_call(op, sizes):
    """The op as a function without arguments, on random tensors."""
    torch.manual_seed(1)
    if op == "product":
        a, b = torch.rand(2, sizes[0], sizes[0]) * 2 - 1
        out = torch.empty_like(a)
        return lambda: torch.mm(a, b, out=out)
    if op == "conv2d":
        images, channels, outputs, side = sizes
        x, weight = torch.randn(images, channels, side, side), torch.randn(outputs, channels, 3, 3)
        bias = torch.randn(outputs)
        return lambda: F.conv2d(x, weight, bias, padding=1)
    rows, columns = sizes
    x, weight, bias = torch.randn(rows, columns), torch.randn(columns), torch.randn(columns)
    out, mean, rstd = torch.empty_like(x), torch.empty(rows, 1), torch.empty(rows, 1)
    aten = torch.ops.aten
    calls = {
        "softmax": lambda: aten._softmax.out(x, 1, False, out=out),
        "layer_norm": lambda: aten.native_layer_norm.out(x, [columns], weight, bias, 1e-5, out0=out, out1=mean, out2=rstd),
        "rms_norm": lambda: F.rms_norm(x, [columns], weight, 1e-5),
        "gelu": lambda: aten.gelu.out(x, out=out),
    }
    if op not in calls:
        raise base.RequestError(f"There is no op '{op}'.")
    return calls[op]


class Attention(torch.nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(channels, 3 * channels, bias=False)
        self.out = torch.nn.Linear(channels, channels, bias=False)

    def forward(self, x):
        batch, rows, channels = x.shape
        q, k, v = (t.view(batch, rows, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(channels, 2))
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(o.transpose(1, 2).reshape(batch, rows, channels))


class Block(torch.nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.attention_norm, self.mlp_norm = torch.nn.LayerNorm(channels), torch.nn.LayerNorm(channels)
        self.attention = Attention(channels, heads)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(channels, 4 * channels), torch.nn.GELU(), torch.nn.Linear(4 * channels, channels)
        )

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.mlp(self.mlp_norm(x))


class Gpt(torch.nn.Module):
    """The plain pre-norm GPT of nanoGPT's recipe, without dropout; the head has weights of its own."""

    def __init__(self, layers, heads, channels, rows, vocabulary):
        super().__init__()
        self.token, self.place = torch.nn.Embedding(vocabulary, channels), torch.nn.Embedding(rows, channels)
        self.blocks = torch.nn.Sequential(*(Block(channels, heads) for _ in range(layers)))
        self.norm = torch.nn.LayerNorm(channels)
        self.head = torch.nn.Linear(channels, vocabulary, bias=False)

    def forward(self, index, label):
        x = self.token(index) + self.place.weight
        z = self.head(self.norm(self.blocks(x)))
        return F.cross_entropy(z.view(-1, z.shape[-1]), label.view(-1))


def gpt_step(request, implementation):
    torch.manual_seed(1)
    rows, batch, vocabulary = request["time"], request["batch"], request["vocabulary"]
    model = Gpt(request["layers"], request["heads"], request["channels"], rows, vocabulary)
    index, label = torch.randint(0, vocabulary, (2, batch, rows))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, **base.IMPLEMENTATIONS[implementation])
    loss_of = torch.compile(model, dynamic=False) if request["mode"] == "compiled" else model

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(index, label)
        loss.backward()
        optimizer.step()
        return loss

    return step


class CpuPeer(base.Peer):
    def gpt(self, request):
        key = repr({k: v for k, v in request.items() if k != "seconds"})
        if key not in self.kept_:
            timed = {}
            for name in ("foreach", "fused"):
                step = gpt_step(request, name)
                step()
                timed[least_seconds(step, 0.3)] = (name, step)
            self.kept_[key] = timed[min(timed)]
        name, step = self.kept_[key]
        seconds = least_seconds(step, request["seconds"])
        return {"seconds": seconds, "loss": step().item(), "optimizer_impl": name}

    def op(self, request):
        key = repr((request["op"], request["sizes"]))
        if self.kept_.get("op", ("",))[0] != key:  # one at a time: they are large
            self.kept_["op"] = (key, op_call(request["op"], request["sizes"]))
        with torch.no_grad():
            return {"seconds": least_seconds(self.kept_["op"][1], request["seconds"])}

    def answer(self, line):
        request = base.json.loads(line)
        if not isinstance(request, dict) or request.get("cmd") not in ("op", "gpt"):
            return super().answer(line)
        torch.set_num_threads(request["threads"])
        return self.op(request) if request["cmd"] == "op" else self.gpt(request)


if __name__ == "__main__":
    base.main(CpuPeer())
