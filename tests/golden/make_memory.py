"""What a training step of the models in tests/memory/models.cpp holds at its peak in PyTorch, on the CPU.

    python tests/golden/make_memory.py        writes tests/golden/memory_peaks.json

How it is measured: torch.profiler with profile_memory=True reports every allocation and free of PyTorch's CPU allocator, with its
bytes and time; that is all tensors, those that autograd saves and those inside ops included. The peak is the most of the running
sum over a step in the steady state (the third), above what was there before it: parameters, optimizer state and the batch. Gradients
are set to None before a step, as zero_grad() does. Beside it stands a second count, of the storages that a dispatch mode sees alive
after every op, without what lives inside an op only; it must not be larger. Scratch memory of oneDNN and MKL is in neither.
"""
import json
import os
import weakref

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(1)
torch.set_num_threads(2)


class Block(nn.Module):
    def __init__(self, width, heads, in_steps):
        super().__init__()
        self.heads, self.in_steps = heads, in_steps
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attention(self, x):
        B, T, C = x.shape
        q, k, v = (part(x).view(B, T, self.heads, C // self.heads).transpose(1, 2) for part in (self.q, self.k, self.v))
        if not self.in_steps:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-1, -2) * (C // self.heads) ** -0.5
            scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
            y = scores.softmax(-1) @ v
        return self.o(y.transpose(1, 2).reshape(B, T, C))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, in_steps):
        super().__init__()
        C, V, T = 128, 512, 64
        self.token, self.place = nn.Embedding(V, C), nn.Embedding(T, C)
        self.blocks = nn.ModuleList(Block(C, 4, in_steps) for _ in range(4))
        self.norm, self.head = nn.LayerNorm(C), nn.Linear(C, V, bias=False)

    def forward(self, tokens, places):
        x = self.token(tokens) + self.place(places)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.ups = nn.ModuleList(nn.Linear(64, 256, bias=False) for _ in range(16))
        self.downs = nn.ModuleList(nn.Linear(256, 64, bias=False) for _ in range(16))

    def forward(self, x):
        for up, down in zip(self.ups, self.downs):
            x = x + down(F.relu(up(x)))
        return x


def mlp():
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
    return net, (torch.randn(128, 784),), torch.randint(10, (128,)), F.cross_entropy


def cnn():
    net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 7 * 7, 10))
    return net, (torch.randn(64, 1, 28, 28),), torch.randint(10, (64,)), F.cross_entropy


def gpt(in_steps):
    inputs = torch.randint(512, (8, 64)), torch.arange(64)
    return Gpt(in_steps), inputs, torch.randint(512, (512,)), F.cross_entropy


def residual():
    return Residual(), (torch.randn(64, 64),), torch.randn(64, 64), F.mse_loss


MODELS = {"mlp": mlp, "cnn": cnn, "gpt": lambda: gpt(False), "gpt_in_steps": lambda: gpt(True), "residual_mlp": residual}


def bytes_of(tensors):
    seen = {}
    for tensor in tensors:
        storage = tensor.untyped_storage()
        seen[storage.data_ptr()] = storage.nbytes()
    return sum(seen.values())


class Alive(TorchDispatchMode):
    """The most bytes of storages that are alive after an op."""

    def __init__(self, there_before):
        super().__init__()
        self.storages, self.now, self.peak = {tensor.untyped_storage()._cdata: None for tensor in there_before}, 0, 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        flat = out if isinstance(out, (tuple, list)) else (out,)
        for tensor in flat:
            if isinstance(tensor, torch.Tensor):
                self.see(tensor.untyped_storage())
        self.peak = max(self.peak, self.now)
        return out

    def see(self, storage):
        key = storage._cdata
        if key in self.storages:
            return
        size = storage.nbytes()
        self.storages[key] = weakref.finalize(storage, self.forget, key, size)
        self.now += size

    def forget(self, key, size):
        self.storages.pop(key, None)
        self.now -= size


def measured(make):
    net, inputs, target, loss_of = make()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(net(*inputs), target)
        loss.backward()
        optimizer.step()

    for _ in range(2):
        step()
    optimizer.zero_grad(set_to_none=True)
    state = [s for entry in optimizer.state.values() for s in entry.values()]
    there = [*net.parameters(), *state, *inputs, target]
    before = bytes_of(there)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        step()
    events = [e for e in profile.profiler.kineto_results.events() if e.name() == "[memory]"]
    now = peak = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        now += event.nbytes()
        peak = max(peak, now)
    optimizer.zero_grad(set_to_none=True)
    with Alive(there) as alive:
        step()
    return {"peak_bytes": before + peak, "before_bytes": before, "allocations": sum(e.nbytes() > 0 for e in events),
            "alive_after_ops_bytes": before + alive.peak}


if __name__ == "__main__":
    out = {"made_by": f"tests/golden/make_memory.py, PyTorch {torch.__version__}, CPU",
           "models": {name: measured(make) for name, make in MODELS.items()}}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory_peaks.json"), "w") as file:
        json.dump(out, file, indent=1)
        file.write("\n")
    print(json.dumps(out, indent=1))
