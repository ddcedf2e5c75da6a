#!/usr/bin/env python3
"""Holds what Gradus counts of its kernels against what Nsight Compute reads from a GPU's counters, and the bits of their outputs.

On the machine with the GPU, with the folder that tests/gpu/bundle made and this file:

    ncu --clock-control none --csv --page raw --log-file ncu.csv --section SourceCounters \\
        --metrics "$(python3 compare_counters.py --metrics)" ./gradus-gpu --once >launches.tsv

Here, with a gradus of the same commit:

    python3 compare_counters.py launches.tsv ncu.csv --gradus build/release/app/gradus [--keep FOLDER] [--table FILE] >counters.md

--keep FOLDER  holds what `gradus kernel NAME --json` says of each kernel, so that it is asked only once
--table FILE   the measured numbers, a line for each kernel, which tests/kernels holds ours against: with ~ before those that are not ours

Writes Markdown. Gradus counts what the source says; a compiler may merge, hoist and drop accesses, so that kernels differ where it does,
and the table says by how much.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import subprocess
import sys

# Ours, and the profiler's sum of these. Sectors and wavefronts by instruction, then what the units moved.
GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
COUNTERS = {
    "global sectors": ["memory_l2_theoretical_sectors_global"],
    "load requests": [GLOBAL.format("requests", "ld")],
    "load sectors": [GLOBAL.format("sectors", "ld")],
    "store requests": [GLOBAL.format("requests", "st")],
    "store sectors": [GLOBAL.format("sectors", "st")],
    "atomic requests": [GLOBAL.format("requests", "atom"), GLOBAL.format("requests", "red")],
    "shared wavefronts": ["memory_l1_wavefronts_shared"],
}
OCCUPANCY = "sm__maximum_warps_per_active_cycle_pct"
REGISTERS = "launch__registers_per_thread"
# What stands at the head of the table: one mechanism each.
CALIBRATION = (
    "vector_add/1_naive vector_add/3_vectorised copy/1_naive strided_copy/1_stride_32 strided_copy/2_stride_16 strided_copy/3_stride_8 "
    "strided_copy/4_stride_4 strided_copy/5_stride_2 strided_copy/6_stride_1 misaligned_copy/1_offset_1 misaligned_copy/4_offset_0 struct_layout/1_aos "
    "struct_layout/2_soa struct_layout/3_aosoa transpose/1_naive transpose/2_tiled transpose/3_padded reduction/1_modulo reduction/2_strided "
    "reduction/3_sequential reduction/7_shuffle reduction/9_atomic histogram/1_global prefix_scan/2_blelloch prefix_scan/3_padded "
    "matmul/1_naive matmul/2_coalesced matmul/3_shared matmul/5_tile_2d matmul/6_vectorised matmul/7_warp_tiles matmul/8_double_buffered attention/4_flash"
).split()


class BadInput(Exception):
    """What is wrong with a file, in one sentence."""


def read_launches(path):
    """The rungs in their order: their kernels, and the hashes of their outputs."""
    rungs = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.rstrip("\n").split("\t")
            if words[0] == "launch" and len(words) == 5:
                rungs.setdefault(words[1], {"kernels": [], "outputs": {}})["kernels"].append(words[2])
            elif words[0] == "output" and len(words) == 4 and words[1] in rungs:
                rungs[words[1]]["outputs"][words[2]] = words[3]
            elif words[0] != "left out":
                raise BadInput(f"{path}:{number}: not a line of gradus-gpu --once")
    if not rungs:
        raise BadInput(f"{path} has no launch")
    return rungs


def read_profile(path):
    """A dictionary of metrics for each launch, in their order."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("==")))
    if len(rows) < 3 or "Kernel Name" not in rows[0]:
        raise BadInput(f"{path} is not what ncu --csv --page raw writes")
    return [dict(zip(rows[0], row)) for row in rows[2:]]


def number(profile, metric):
    if metric not in profile:
        raise BadInput(f"the profile lacks {metric}")
    return float(profile[metric].replace(",", ""))


def ask_gradus(program, rung, keep):
    kept = os.path.join(keep, rung.replace("/", ".") + ".json") if keep else None
    if kept and os.path.exists(kept) and os.path.getsize(kept):
        with open(kept, encoding="utf-8") as file:
            return json.load(file)
    run = subprocess.run([program, "kernel", rung, "--json"], capture_output=True, text=True, check=False)
    if run.returncode:
        raise BadInput(f"{program} kernel {rung}: {run.stderr.strip() or 'a check failed'}")
    if kept:
        with open(kept, "w", encoding="utf-8") as file:
            file.write(run.stdout)
    return json.loads(run.stdout)


def counted(kernel):
    """Our counters of a rung, summed over its launches."""
    out = dict.fromkeys(COUNTERS, 0)
    for launch in kernel["launches"]:
        for line in launch["counters"]["lines"]:
            space, op = line.get("space"), line["op"]
            op = "load" if op == "copy-async" else op  # the GPU's units see no difference
            if space == "global":
                out["global sectors"] += line["sectors"]
                if op in ("load", "store", "atomic"):
                    out[op + " requests"] += line["steps"]
                if op in ("load", "store"):
                    out[op + " sectors"] += line["sectors"]
            elif space == "shared":
                out["shared wavefronts"] += line["wavefronts"]
    return out


def measured(profiles):
    return {name: sum(number(profile, metric) for profile in profiles for metric in metrics) for name, metrics in COUNTERS.items()}


def cell(ours, theirs):
    if ours == theirs:
        return f"{ours:,.0f}" if ours else ""
    return f"{ours:,.0f} ≠ {theirs:,.0f}"


def occupancy_rows(rung, kernel, profiles):
    """What the model says at compute capability 9.0 or whichever the profile names, against the profiler's."""
    for launch, profile in zip(kernel["launches"], profiles):
        model = next((one for one in launch.get("occupancy", []) if one.get("architecture") == profile["CC"]), None)
        if model and "fraction" in model:
            yield rung, launch["launch"]["kernel"], model, number(profile, OCCUPANCY) / 100, int(number(profile, REGISTERS))


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def report(rungs, profiles, kernels):
    device = profiles[0].get("device__attribute_display_name", "")
    sums = {}
    at = 0
    occupancies = []
    for rung, found in rungs.items():
        own = profiles[at : at + len(found["kernels"])]
        at += len(own)
        for kernel, profile in zip(found["kernels"], own):
            if kernel.split("<")[0] not in profile["Kernel Name"]:
                raise BadInput(f"{rung}: launch {kernel} meets the profile of {profile['Kernel Name']}")
        sums[rung] = (counted(kernels[rung]), measured(own))
        occupancies += occupancy_rows(rung, kernels[rung], own)
    if at != len(profiles):
        raise BadInput(f"{at} launches meet {len(profiles)} profiles")

    names = list(COUNTERS)
    print(f"# Counted and measured{': ' + device if device else ''}\n")
    print("Gradus counts accesses as the source has them; Nsight Compute reads them from the GPU, of the same launches. A cell has one number where both")
    print("say the same, and counted ≠ measured where not.\n\n## One mechanism each\n")
    table(["Kernel"] + names, ([rung] + [cell(*(side[name] for side in sums[rung])) for name in names] for rung in CALIBRATION if rung in sums))

    print(f"## All {len(sums)} kernels\n")
    rows = []
    for name in names:
        pairs = [(ours[name], theirs[name]) for ours, theirs in sums.values() if ours[name] or theirs[name]]
        equal = sum(a == b for a, b in pairs)
        near = sum(a != b and abs(a - b) <= 0.01 * max(a, b) for a, b in pairs)
        rows.append([name, str(len(pairs)), str(equal), str(near), str(len(pairs) - equal - near)])
    table(["Counter", "Kernels that have it", "equal", "within 1 %", "further apart"], rows)
    print("Further apart:\n")
    apart = []
    for rung, (ours, theirs) in sums.items():
        cells = [cell(ours[name], theirs[name]) if abs(ours[name] - theirs[name]) > 0.01 * max(ours[name], theirs[name]) else "" for name in names]
        if any(cells):
            apart.append([rung] + cells)
    table(["Kernel"] + names, apart)

    print("## Occupancy\n")
    wrong = [row for row in occupancies if abs(row[2]["fraction"] - row[3]) > 1e-9]
    registers = [row for row in occupancies if max(16, row[2]["registers"]) != row[4]]
    print(f"{len(occupancies)} launches: the model's share of the warps equals the profiler's theoretical occupancy in {len(occupancies) - len(wrong)};")
    print(f"registers of a thread are the profiler's in {len(occupancies) - len(registers)}, where a launch has at least 16.\n")
    if wrong:
        table(["Launch", "modelled", "measured"], ([f"{rung}: {kernel}", f"{model['fraction']:.4f}", f"{theirs:.4f}"] for rung, kernel, model, theirs, _ in wrong))

    print("## Bits of the outputs\n")
    same, other = [], []
    for rung, found in rungs.items():
        hashes = {one["name"]: one for one in kernels[rung]["outputs"]}
        for name, there in found["outputs"].items():
            (same if hashes[name]["hash"] == there else other).append((rung, name, hashes[name]["error"]["value"]))
    print(f"{len(same)} of {len(same) + len(other)} outputs have the same bits on the GPU and in the interpreter. The others:\n")
    table(["Output", "from the reference, in the interpreter"], ([f"{rung}: {name}", f"{error:.2g}"] for rung, name, error in other))
    return sums


def write_table(path, device, sums):
    with open(path, "w", encoding="utf-8") as file:
        print(f"# Read from {device} by Nsight Compute; see tests/gpu/compare_counters.py. ~ before a number: the compiler's code has other accesses.", file=file)
        print("\t".join(["kernel"] + list(COUNTERS)), file=file)
        for rung, (ours, theirs) in sums.items():
            print("\t".join([rung] + [("" if ours[name] == theirs[name] else "~") + f"{theirs[name]:.0f}" for name in COUNTERS]), file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launches", nargs="?")
    parser.add_argument("profile", nargs="?")
    parser.add_argument("--gradus", default="build/release/app/gradus")
    parser.add_argument("--keep")
    parser.add_argument("--table")
    parser.add_argument("--metrics", action="store_true", help="names what ncu is to be asked for")
    wish = parser.parse_args()
    if wish.metrics:
        print(",".join([metric for metrics in COUNTERS.values() for metric in metrics if not metric.startswith("memory_")] + [OCCUPANCY, REGISTERS]))
        return 0
    if not wish.launches or not wish.profile:
        parser.error("LAUNCHES and PROFILE are needed")
    try:
        rungs, profiles = read_launches(wish.launches), read_profile(wish.profile)
        if wish.keep:
            os.makedirs(wish.keep, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            kernels = dict(zip(rungs, workers.map(lambda rung: ask_gradus(wish.gradus, rung, wish.keep), rungs)))
        sums = report(rungs, profiles, kernels)
        if wish.table:
            write_table(wish.table, profiles[0].get("device__attribute_display_name", ""), sums)
    except (BadInput, OSError) as error:
        print(f"compare_counters.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
