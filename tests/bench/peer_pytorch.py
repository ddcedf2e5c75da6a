#!/usr/bin/env python3
"""PyTorch as the benchmark's peer: one JSON object per line in, one JSON line out.

    {"cmd": "info"}
        -> {"torch", "python", "blas", "onednn", "cpu_capability", "threads", "cores"}
    {"cmd": "train", "layers": [2, 16, 16, 1], "activation": "tanh", "loss": "mse", "batch": 32,
     "optimizer": "sgd", "lr": 0.1, "momentum": 0.0, "threads": 1, "steps": 500, "mode": "eager"}
        -> {"seconds_per_step", "loss", "optimizer_impl", "variant", "warm_up_seconds"}
    {"cmd": "quit"}  or end of input ends the process. An empty line gets no answer.

    activation   relu | tanh | sigmoid | gelu (erf)
    loss         mse | softmax_cross_entropy | bce_with_logits
    mode         eager | compiled | compiled_step; the two compiled modes need a C++ compiler (CXX, else g++)
    momentum     may be left out: 0

A step is zero_grad(set_to_none=True), forward, loss, backward, optimizer.step(), in float32 on random data of a
fixed seed; one batch stays in memory. `compiled_step` is the whole step (loss, gradients by torch.func, the update
in place) as one compiled graph: what PyTorch reaches when nothing of a training loop's usual shape is kept.

A configuration is built and warmed up on first use and then kept, weights included, so that later calls only train.
On first use every implementation of torch.optim.SGD (for loop, foreach, fused) is timed and the fastest kept, named
in `optimizer_impl`; for `compiled` so is what torch.compile is given, the model and loss or the update as well, named
in `variant`. The loss is that of the last step. A request that cannot be served gives {"error": "one sentence"}.

Standard output carries answers only; whatever PyTorch and its compilers print goes to standard error. Without
PyTorch the process answers nothing, says so on standard error and exits with 77.
"""

import json
import math
import os
import platform
import sys
import time

ANSWERS = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

try:
    import torch
    import torch._dynamo
    import torch.nn.functional as F
except ImportError:
    print("skipped, PyTorch is not installed", file=sys.stderr)
    sys.exit(77)

# torch.compile keeps its results by code object, which all configurations here share; past a limit of 8 it would go
# back to eager without a word, and that would be measured as "compiled".
torch._dynamo.config.recompile_limit = 1000
torch._dynamo.config.accumulated_recompile_limit = 4000
torch._dynamo.config.fail_on_recompile_limit_hit = True

ACTIVATIONS = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh, "sigmoid": torch.nn.Sigmoid, "gelu": torch.nn.GELU}
LOSSES = {
    "mse": F.mse_loss,
    "softmax_cross_entropy": F.cross_entropy,
    "bce_with_logits": F.binary_cross_entropy_with_logits,
}
MODES = ("eager", "compiled", "compiled_step")
IMPLEMENTATIONS = {"for loop": {"foreach": False}, "foreach": {"foreach": True}, "fused": {"fused": True}}
TRIAL_SECONDS = 0.15  # of training per implementation tried


class RequestError(Exception):
    """A request that cannot be served; the text is one sentence for a person."""


def parse(request):
    """The settings of a train request, checked."""

    def number(key, kind, low, high, default=None):
        value = request.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else int):
            raise RequestError(f"'{key}' must be {'a number' if kind is float else 'a whole number'}, not {value!r}.")
        if not low <= value <= high:
            raise RequestError(f"'{key}' must lie between {low} and {high}, not at {value}.")
        return kind(value)

    def choice(key, allowed, default=None):
        value = request.get(key, default)
        if not isinstance(value, str) or value not in allowed:
            raise RequestError(f"'{key}' must be one of {', '.join(allowed)}, not {value!r}.")
        return value

    known = {"cmd", "layers", "activation", "loss", "batch", "optimizer", "lr", "momentum", "threads", "steps", "mode"}
    if unknown := sorted(request.keys() - known):
        raise RequestError(f"'{unknown[0]}' is no setting of train.")
    layers = request.get("layers")
    if not isinstance(layers, list) or len(layers) < 2:
        raise RequestError(f"'layers' must be a list of at least two widths, not {layers!r}.")
    if not all(type(width) is int and 1 <= width <= 65536 for width in layers):
        raise RequestError(f"Every width in 'layers' must be a whole number from 1 to 65536, not {layers!r}.")
    choice("optimizer", ("sgd",), "sgd")
    return {
        "layers": tuple(layers),
        "activation": choice("activation", ACTIVATIONS),
        "loss": choice("loss", LOSSES),
        "batch": number("batch", int, 1, 1 << 20),
        "lr": number("lr", float, 0.0, 1e6),
        "momentum": number("momentum", float, 0.0, 1.0, 0.0),
        "threads": number("threads", int, 1, os.cpu_count() or 1),
        "mode": choice("mode", MODES, "eager"),
    }, number("steps", int, 1, 10_000_000)


def random_batch(layers, loss, batch):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(batch, layers[0], generator=generator)
    if loss == "softmax_cross_entropy":
        return x, torch.randint(0, layers[-1], (batch,), generator=generator)
    if loss == "bce_with_logits":
        return x, torch.randint(0, 2, (batch, layers[-1]), generator=generator).float()
    return x, torch.randn(batch, layers[-1], generator=generator)


def make_net(layers, activation):
    torch.manual_seed(2)
    modules = []
    for fan_in, fan_out in zip(layers, layers[1:]):
        modules += [torch.nn.Linear(fan_in, fan_out), ACTIVATIONS[activation]()]
    return torch.nn.Sequential(*modules[:-1])


def usual_step(config, implementation, compile_model=False, compile_update=False):
    """The training loop's body as people write it."""
    x, y = random_batch(config["layers"], config["loss"], config["batch"])
    net = make_net(config["layers"], config["activation"])
    criterion = LOSSES[config["loss"]]
    parameters = list(net.parameters())
    optimizer = torch.optim.SGD(
        parameters, lr=config["lr"], momentum=config["momentum"], **IMPLEMENTATIONS[implementation]
    )

    def loss_of(inputs, targets):
        return criterion(net(inputs), targets)

    update = optimizer.step
    if compile_model:
        loss_of = torch.compile(loss_of, dynamic=False)
    if compile_update:
        update = torch.compile(optimizer.step, dynamic=False)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(x, y)
        loss.backward()
        update()
        return loss

    return step


def graph_step(config):
    """Loss, gradients and update as one compiled function."""
    x, y = random_batch(config["layers"], config["loss"], config["batch"])
    net = make_net(config["layers"], config["activation"])
    criterion = LOSSES[config["loss"]]
    lr, momentum = config["lr"], config["momentum"]
    weights = {name: value.detach() for name, value in net.named_parameters()}
    velocity = {name: torch.zeros_like(value) for name, value in weights.items()}

    def loss_of(values, inputs, targets):
        return criterion(torch.func.functional_call(net, values, (inputs,)), targets)

    def whole(values, velocities, inputs, targets):
        gradients, loss = torch.func.grad_and_value(loss_of)(values, inputs, targets)
        for name, gradient in gradients.items():
            if momentum:
                gradient = velocities[name].mul_(momentum).add_(gradient)
            values[name].sub_(gradient, alpha=lr)
        return loss

    whole_compiled = torch.compile(whole, dynamic=False, fullgraph=True)

    def step():
        with torch.no_grad():
            return whole_compiled(weights, velocity, x, y)

    return step


def run(step, steps):
    """Seconds per step, and the last loss."""
    begin = time.perf_counter()
    for _ in range(steps):
        loss = step()
    seconds = (time.perf_counter() - begin) / steps
    return seconds, loss.item()


def timed(step):
    """Seconds per step of a warm step: the best of five short runs."""
    for _ in range(20):
        step()
    count = max(5, min(2000, int(TRIAL_SECONDS / 5 / max(run(step, 5)[0], 1e-7))))
    return min(run(step, count)[0] for _ in range(5))


def fastest(choices):
    """Names and step of the choice that takes the least time; each choice is built, warmed up and timed."""
    best = None
    for names, build in choices.items():
        step = build()
        seconds = timed(step)
        print(f"tried {', '.join(names)}: {seconds * 1e6:.1f} us per step", file=sys.stderr, flush=True)
        if best is None or seconds < best[0]:
            best = (seconds, names, step)
    return best[1:]


def choose_step(config):
    """Names and step of a configuration, warm, from the fastest of PyTorch's own choices."""
    if config["mode"] == "compiled_step":
        return fastest({("in the graph", "whole step compiled"): lambda: graph_step(config)})
    eager = {(name, "eager"): lambda name=name: usual_step(config, name) for name in IMPLEMENTATIONS}
    names, step = fastest(eager)
    if config["mode"] == "eager":
        return names, step
    return fastest({
        (names[0], "model compiled"): lambda: usual_step(config, names[0], True),
        ("foreach", "model and update compiled"): lambda: usual_step(config, "foreach", True, True),
    })  # fmt: skip


class Peer:
    def __init__(self):
        self.kept_ = {}  # warm steps and the names of what was chosen, by configuration

    def train(self, request):
        config, steps = parse(request)
        torch.set_num_threads(config["threads"])
        key = tuple(config.items())
        begin = time.perf_counter()
        if key not in self.kept_:
            self.kept_[key] = choose_step(config)
        warm_up = time.perf_counter() - begin
        (implementation, variant), step = self.kept_[key]
        seconds, loss = run(step, steps)
        if not math.isfinite(loss):
            del self.kept_[key]
            raise RequestError("The loss is no longer finite; choose a smaller 'lr'.")
        return {
            "seconds_per_step": seconds,
            "loss": loss,
            "optimizer_impl": implementation,
            "variant": variant,
            "warm_up_seconds": round(warm_up, 3),
        }

    def info(self):
        build = torch.__config__.show()
        return {
            "torch": torch.__version__,
            "python": platform.python_version(),
            "blas": next((line.strip(" -") for line in build.splitlines() if "Math Kernel" in line), "unknown"),
            "onednn": next((line.strip(" -") for line in build.splitlines() if "MKL-DNN" in line), "none"),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),
            "threads": torch.get_num_threads(),
            "cores": os.cpu_count(),
        }

    def answer(self, line):
        try:
            request = json.loads(line)
        except ValueError:
            raise RequestError("The line is not valid JSON.") from None
        if not isinstance(request, dict):
            raise RequestError("A request must be a JSON object.")
        if request.get("cmd") == "info":
            return self.info()
        if request.get("cmd") == "train":
            return self.train(request)
        raise RequestError(f"'cmd' must be info, train or quit, not {request.get('cmd')!r}.")


def one_sentence(error):
    text = str(error).strip().splitlines()
    return f"PyTorch failed with {type(error).__name__}: {text[0].rstrip('.') if text else 'no message'}."


def main(peer):
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            if json.loads(line) == {"cmd": "quit"}:
                break
        except ValueError:
            pass
        try:
            answer = peer.answer(line)
        except RequestError as error:
            answer = {"error": str(error)}
        except Exception as error:  # the benchmark goes on with its other peers
            answer = {"error": one_sentence(error)}
        print(json.dumps(answer), file=ANSWERS, flush=True)


if __name__ == "__main__":
    main(Peer())
