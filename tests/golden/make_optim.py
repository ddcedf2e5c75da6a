#!/usr/bin/env python3
"""Makes optim_fp64.safetensors: what torch.optim does with two parameters and given gradients in 20 steps, in float64.

    python3 make_optim.py            write the file next to this script
    python3 make_optim.py --check    make it again in memory and compare; exit 1 if they part

    W.init (5, 7), b.init (3)        the parameters before step 0
    W.grad (20, 5, 7), b.grad (20, 3)    their gradients, the same for every case
    CASE.W (20, 5, 7), CASE.b (20, 3)    the parameters after each step
    CASE.lr (20)                     the rate of each step, for the cases with a schedule
    CASE.norm (20)                   the norm before clipping, for the cases that clip it

momentum_lr is the other convention, v <- mu v - lr g, W <- W + v (Sutskever et al. 2013), which torch.optim does not have: it
is written out here. accumulated: the gradient of step t is the mean of those of the steps t, t + 1, t + 2 and t + 3 (modulo
20). groups: W and b in groups of their own.
"""

import pathlib
import sys

import numpy as np
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR, StepLR

from make_mlp import encode, versions

HERE = pathlib.Path(__file__).resolve().parent
STEPS = 20
SGD, RMS, ADAM, ADAMW = torch.optim.SGD, torch.optim.RMSprop, torch.optim.Adam, torch.optim.AdamW


class MomentumLr(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                v = self.state[p].setdefault("v", torch.zeros_like(p))
                v.mul_(group["momentum"]).sub_(group["lr"] * p.grad)
                p.add_(v)


def warmup_cosine(optimizer):
    """Five steps of warm-up, lr (step + 1) / 5, then a cosine over the other fifteen down to a tenth."""
    first = LinearLR(optimizer, start_factor=1 / 5, end_factor=1.0, total_iters=4)
    lr = optimizer.param_groups[0]["initial_lr"]
    return SequentialLR(optimizer, [first, CosineAnnealingLR(optimizer, T_max=15, eta_min=lr / 10)], milestones=[5])


CASES = {  # makes the optimizer of [W, b]; how its gradients and its rate change
    "sgd": (lambda p: SGD(p, lr=0.1), {}),
    "sgd_l2": (lambda p: SGD(p, lr=0.1, weight_decay=0.3), {}),
    "momentum": (lambda p: SGD(p, lr=0.05, momentum=0.9), {}),
    "momentum_l2": (lambda p: SGD(p, lr=0.05, momentum=0.9, weight_decay=0.1), {}),
    "momentum_lr": (lambda p: MomentumLr(p, lr=0.05, momentum=0.9), {}),
    "momentum_lr_drops": (lambda p: MomentumLr(p, lr=0.05, momentum=0.9), {"schedule": lambda o: StepLR(o, 6, 0.5)}),
    "momentum_drops": (lambda p: SGD(p, lr=0.05, momentum=0.9), {"schedule": lambda o: StepLR(o, 6, 0.5)}),
    "nesterov": (lambda p: SGD(p, lr=0.05, momentum=0.9, nesterov=True), {}),
    "nesterov_l2": (lambda p: SGD(p, lr=0.05, momentum=0.8, nesterov=True, weight_decay=0.1), {}),
    "rmsprop": (lambda p: RMS(p, lr=0.01), {}),
    "rmsprop_l2": (lambda p: RMS(p, lr=0.01, alpha=0.9, eps=1e-6, weight_decay=0.1), {}),
    "adam": (lambda p: ADAM(p, lr=0.01), {}),
    "adam_betas": (lambda p: ADAM(p, lr=0.1, betas=(0.8, 0.95), eps=1e-4), {}),
    "adam_l2": (lambda p: ADAM(p, lr=0.01, weight_decay=0.1), {}),
    "adamw": (lambda p: ADAMW(p, lr=0.01, weight_decay=0.1), {}),
    "adamw_cosine": (lambda p: ADAMW(p, lr=0.02, weight_decay=0.5), {"schedule": lambda o: CosineAnnealingLR(o, T_max=20)}),
    "sgd_warmup_cosine": (lambda p: SGD(p, lr=0.1), {"schedule": warmup_cosine}),
    "sgd_constant": (lambda p: SGD(p, lr=0.1), {"schedule": lambda o: LambdaLR(o, lambda step: 1.0)}),
    "clip_norm": (lambda p: SGD(p, lr=0.1), {"norm": 6.0}),
    "clip_value": (lambda p: SGD(p, lr=0.1), {"value": 0.75}),
    "adamw_clip_norm": (lambda p: ADAMW(p, lr=0.01, weight_decay=0.1), {"norm": 2.0}),
    "accumulated": (lambda p: SGD(p, lr=0.1, momentum=0.9), {"micro": 4}),
    "groups": (lambda p: ADAMW([{"params": p[:1], "lr": 0.02, "weight_decay": 0.2},
                                {"params": p[1:], "lr": 0.005, "weight_decay": 0.0}]), {}),
}  # fmt: skip


def run(make, how, start, gradients):
    parameters = [torch.nn.Parameter(torch.from_numpy(s.copy())) for s in start]
    optimizer = make(parameters)
    schedule = how["schedule"](optimizer) if "schedule" in how else None
    out = {"W": [], "b": [], "lr": [], "norm": []}
    for step in range(STEPS):
        for p, g in zip(parameters, gradients):
            micro = how.get("micro", 1)
            p.grad = sum(torch.from_numpy(g[(step + i) % STEPS].copy()) / micro for i in range(micro))
        if "norm" in how:
            out["norm"].append(torch.nn.utils.clip_grad_norm_(parameters, how["norm"], foreach=False).item())
        if "value" in how:
            torch.nn.utils.clip_grad_value_(parameters, how["value"], foreach=False)
        out["lr"].append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if schedule:
            schedule.step()
        out["W"].append(parameters[0].detach().numpy().copy())
        out["b"].append(parameters[1].detach().numpy().copy())
    if not schedule:
        del out["lr"]
    if "norm" not in how:
        del out["norm"]
    return {name: np.stack(values) for name, values in out.items()}


def main(arguments):
    rng = np.random.default_rng(6)
    start = [rng.normal(size=(5, 7)), rng.normal(size=3)]
    gradients = [rng.normal(size=(STEPS, 5, 7)), rng.normal(size=(STEPS, 3))]
    tensors = {"W.init": start[0], "b.init": start[1], "W.grad": gradients[0], "b.grad": gradients[1]}
    for case, (make, how) in CASES.items():
        tensors.update({f"{case}.{name}": value for name, value in run(make, how, start, gradients).items()})
    metadata = versions() | {"made_by": "tests/golden/make_optim.py", "steps": STEPS, "cases": " ".join(CASES)}
    data, path = encode(tensors, metadata), HERE / "optim_fp64.safetensors"
    if "--check" not in arguments:
        path.write_bytes(data)
    elif path.read_bytes() != data:
        print(f"{path.name} is not what is made now")
        return 1
    print(f"{path.name}: {len(CASES)} cases, {len(data) / 1024:.0f} KiB")
    return 0


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(main(sys.argv[1:]))
