#!/usr/bin/env python3
"""Makes the golden results of the op rows with PyTorch, from the family files in op_rows/ (see op_rows/rows.py).

    python3 op_rows.py                     every family
    python3 op_rows.py softmax pool        these families
    python3 op_rows.py --check [FAMILY…]   makes them again in memory and compares with the files; exit 1 if they part

Writes two files per family beside this script:

    op_rows_FAMILY.json         the rows, one a line: what tests/ops/rows reads
    op_rows_FAMILY.safetensors  for row R of inputs x, … and outputs y, …: R/y the output, R/dx the gradient, in float64
                                (int32 where the output is an index or a truth value); R/dx.fp16, R/dx.bf16 where a half
                                type's gradient is made of saved tensors of that type (rows with "half": "saved")

Needs numpy and torch. The same versions give the same bytes.
"""

import importlib
import json
import pathlib
import sys
import warnings

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "op_rows"), str(HERE)]

import rows as library  # noqa: E402
from make_mlp import encode  # noqa: E402


def families():
    return sorted(p.stem for p in (HERE / "op_rows").glob("*.py") if p.stem != "rows")


def made(family):
    """The two files of a family, as bytes by suffix, and its rows."""
    module = importlib.import_module(family)
    rows = module.ROWS
    library.number_rows(rows, getattr(module, "WORD", ""))
    tensors = {}
    for r in rows:
        try:
            tensors.update({f"{r.name}/{name}": value for name, value in library.golden(r).items()})
        except Exception as error:
            raise RuntimeError(f"{family}: {r.name} with {[i.shape for i in r.inputs]}: {error}") from error
    metadata = {"made_by": "tests/golden/op_rows.py", "family": family, "rows": len(rows), "torch": torch.__version__,
                "numpy": np.__version__, "cpu_capability": torch.backends.cpu.get_cpu_capability(), "threads": 1}  # fmt: skip
    lines = ",\n".join(json.dumps(library.described(r), ensure_ascii=False, separators=(",", ":")) for r in rows)
    return {".json": f"[\n{lines}\n]\n".encode(), ".safetensors": encode(tensors, metadata)}, rows


def main(arguments):
    check = "--check" in arguments
    wanted = [a for a in arguments if a != "--check"] or families()
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)  # of what a family's function makes of integers
    torch.use_deterministic_algorithms(True)
    warnings.filterwarnings("ignore", message=".*degrees of freedom")  # of empty rows, which are meant
    total, parted = 0, False
    for family in wanted:
        files, rows = made(family)
        total += len(rows)
        for suffix, data in files.items():
            path = HERE / f"op_rows_{family}{suffix}"
            if not check:
                path.write_bytes(data)
            elif not path.exists() or path.read_bytes() != data:
                parted = True
                print(f"{path.name} is not what is made now")
        ops = sorted({r.op for r in rows})
        checked = sum(len(r.dtypes) for r in rows)
        print(f"{family}: {len(rows)} rows, {checked} with their types, {len(ops)} ops, "
              f"{sum(map(len, files.values())) / 1024:.0f} KiB: {' '.join(ops)}")  # fmt: skip
    print(f"{total} rows; torch {torch.__version__}, numpy {np.__version__}")
    return 1 if parted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
