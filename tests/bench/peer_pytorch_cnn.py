#!/usr/bin/env python3
"""train_cnn's net trained by PyTorch: the same shapes, optimizer, schedule and number of steps, its own random weights and order.

    python3 peer_pytorch_cnn.py [--threads 2] [--steps 2800] [--batch 128] [--channels 16,32] [--optimizer adamw] [--lr 0.004]

Prints one JSON line: seconds of the training steps alone, by the clock and of processor time, and of the test beside them, seconds
per step (median), the test accuracy at the end, and how it was run. The images lie in memory as float32 before the clock starts; a step is indexing of a
batch, zero_grad, forward, loss, backward, optimizer.step. Needs torch, numpy and dataset-fashion-mnist; without them it exits
with 77.
"""

import argparse
import gzip
import json
import math
import os
import pathlib
import statistics
import sys
import time

try:
    import numpy as np
    import torch
    from torch import nn
except ImportError as missing:
    print(f"skipped, {missing.name} is not installed", file=sys.stderr)
    sys.exit(77)

FOLDER = pathlib.Path(os.environ.get("GRADUS_FASHION_MNIST", "/usr/share/datasets/fashion-mnist"))


def read(name, offset):
    return np.frombuffer(gzip.decompress((FOLDER / name).read_bytes()), np.uint8, offset=offset)


def split(prefix):
    images = read(f"{prefix}-images-idx3-ubyte.gz", 16).reshape(-1, 1, 28, 28)
    labels = read(f"{prefix}-labels-idx1-ubyte.gz", 8)
    return torch.tensor(images / np.float32(255)), torch.tensor(labels.astype(np.int64))


def network(channels):
    layers, inputs, side = [], 1, 28
    for outputs in channels:
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(), nn.MaxPool2d(2)]
        inputs, side = outputs, side // 2
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(inputs * side * side, 10))


def factor(step, warmup, total):
    """The linear warm-up and cosine of engine/optim/schedule."""
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


def test(net, x, y):
    net.eval()
    with torch.no_grad():
        right = sum((net(x[i : i + 500]).argmax(1) == y[i : i + 500]).sum().item() for i in range(0, len(x), 500))
    net.train()
    return right / len(x)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, default=2800)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--channels", default="16,32")
    parser.add_argument("--optimizer", default="adamw", choices=["sgd", "momentum", "adam", "adamw"])
    parser.add_argument("--lr", type=float, default=0.004)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--warmup", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"skipped, there is no {FOLDER}", file=sys.stderr)
        sys.exit(77)
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    (x, y), (test_x, test_y) = split("train"), split("t10k")
    net = network([int(width) for width in given.channels.split(",")])
    optimizer = {
        "sgd": lambda p: torch.optim.SGD(p, given.lr, weight_decay=given.weight_decay),
        "momentum": lambda p: torch.optim.SGD(p, given.lr, momentum=0.9, weight_decay=given.weight_decay),
        "adam": lambda p: torch.optim.Adam(p, given.lr, weight_decay=given.weight_decay),
        "adamw": lambda p: torch.optim.AdamW(p, given.lr, weight_decay=given.weight_decay),
    }[given.optimizer](net.parameters())
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: factor(step, given.warmup, given.steps))
    criterion = nn.CrossEntropyLoss()
    per_epoch, times, order = len(x) // given.batch, [], None
    cpu = time.process_time()
    for step in range(given.steps):
        if step % per_epoch == 0:
            order = torch.randperm(len(x))
        begin = time.perf_counter()
        rows = order[step % per_epoch * given.batch :][: given.batch]
        optimizer.zero_grad(set_to_none=True)
        criterion(net(x[rows]), y[rows]).backward()
        optimizer.step()
        schedule.step()
        times.append(time.perf_counter() - begin)
    cpu = time.process_time() - cpu
    begin = time.perf_counter()
    accuracy = test(net, test_x, test_y)
    print(json.dumps({
        "train_seconds": round(sum(times), 3),
        "train_cpu_seconds": round(cpu, 3),
        "test_seconds": round(time.perf_counter() - begin, 3),
        "seconds_per_step": statistics.median(times),
        "test_accuracy": accuracy,
        **vars(given),
        "torch": torch.__version__,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
