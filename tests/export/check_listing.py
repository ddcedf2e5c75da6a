#!/usr/bin/env python3
"""Checks that a card's listing, run by PyTorch, trains as the engine did.

    python3 check_listing.py RUN.npz listing.py

RUN.npz: every iteration of a run from its start. The lines of the listing are executed as they stand, but for its import of
torchvision and what gives `data` and `batches`: the weights of its model are set to those the run began with, and `batches`
are the run's own. Prints the largest difference of the losses and exits with 0; with 1 and one line FAIL where a loss is
further than 1e-4 from the engine's. Without torch or numpy: "skipped, not installed", exit 77.
"""

import ast
import sys

TOLERANCE = 1e-4


def main():
    try:
        import numpy as np
        import torch
    except ImportError:
        print("skipped, not installed")
        return 77
    run, listing = sys.argv[1:]
    with open(listing, encoding="utf-8") as file:
        program = ast.parse(file.read(), listing)

    def of_the_data(node):
        if isinstance(node, ast.ImportFrom):
            return node.module == "torchvision"
        return isinstance(node, ast.Assign) and node.targets[0].id in ("data", "batches")

    losses, names = [], {}

    def run_lines(nodes):
        exec(compile(ast.Module(body=nodes, type_ignores=[]), listing, "exec"), names)

    lines = [node for node in program.body if not of_the_data(node)]
    if [isinstance(node, ast.For) for node in lines].index(True) != len(lines) - 1:
        print(f"FAIL {listing}: it does not end in one loop")
        return 1
    run_lines(lines[:-1])
    with np.load(run) as arrays:
        layers = [layer for layer in names["model"] if isinstance(layer, torch.nn.Linear)]
        with torch.no_grad():
            for number, layer in enumerate(layers, 1):  # PyTorch keeps W as (out, in)
                layer.weight.copy_(torch.from_numpy(arrays[f"setup/W{number}"].T.copy()))
                layer.bias.copy_(torch.from_numpy(arrays[f"setup/b{number}"]))
        steps = sorted({name.split("/")[0] for name in arrays.files if name.startswith("iter_")})

        def batches():
            for step in steps:
                yield torch.from_numpy(arrays[f"{step}/x"]), torch.from_numpy(arrays[f"{step}/y"].astype(np.int64))
                losses.append(names["loss"].item())

        names["batches"] = batches()
        run_lines(lines[-1:])
        expected = [float(arrays[f"{step}/loss"]) for step in steps]
    if len(losses) != len(expected) or len(losses) < 2 or not expected[-1] < expected[0]:
        print(f"FAIL {run}: {len(losses)} losses of {len(expected)}, or nothing was trained")
        return 1
    worst = max(abs(a - b) for a, b in zip(losses, expected))
    if not worst <= TOLERANCE:
        print(f"FAIL {listing}: a loss is {worst:.3g} from the engine's")
        return 1
    print(f"PASS {listing}: {len(losses)} losses, at most {worst:.3g} from the engine's")
    return 0


if __name__ == "__main__":
    sys.exit(main())
