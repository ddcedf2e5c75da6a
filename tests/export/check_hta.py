#!/usr/bin/env python3
"""Checks that HolisticTraceAnalysis (HTA) reads a trace that Gradus exported.

    python3 check_hta.py FILE.json.gz STEPS

Loads a folder that holds only this trace, and checks that HTA finds exactly STEPS different ProfilerStep#N steps,
the ones the file names, and that its temporal breakdown runs and agrees with the span of the file's kernel events.
Prints one line, PASS or FAIL with the reason, and exits with 0 or 1. Without HTA: "skipped, not installed", exit 77.

HTA rounds fractional microseconds inwards unless it is told not to, which gives events shorter than one microsecond a
negative length, and its breakdown then fails. A trace of whole microseconds needs no option, so none is set here.
"""

import gzip
import json
import logging
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile
import warnings

STEP = re.compile(r"ProfilerStep\s*#\s*(\d+)$")


class CheckError(Exception):
    """What is wrong with the trace, in one sentence."""


def read_events(path):
    """The complete events of the file, read without HTA."""
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if path.name.endswith(".gz") else data
        record = json.loads(text)
    except (OSError, EOFError, ValueError) as error:
        raise CheckError(f"{path} cannot be read: {error}") from None
    if not isinstance(record, dict) or not isinstance(record.get("traceEvents"), list):
        raise CheckError("the file is no JSON object with a list 'traceEvents'")
    if not all(isinstance(event, dict) for event in record["traceEvents"]):
        raise CheckError("an element of 'traceEvents' is no JSON object")
    return [event for event in record["traceEvents"] if event.get("ph") == "X"]


def expected_steps(events):
    names = [event["name"] for event in events if event.get("name", "").startswith("ProfilerStep")]
    steps = []
    for name in names:
        match = STEP.match(name)
        if not match:
            raise CheckError(f"the name '{name}' is not of the form ProfilerStep#N")
        steps.append(int(match.group(1)))
    if len(set(steps)) != len(steps):
        raise CheckError("a ProfilerStep#N appears twice")
    return sorted(steps)


def kernel_span(events):
    """From the first start to the last end of the events on a stream that have a correlation, in microseconds."""
    kernels = [e for e in events if e.get("args", {}).get("stream", -1) >= 0 and e["args"].get("correlation", -1) >= 0]
    if not kernels:
        raise CheckError("no event has a stream and a correlation, so HTA has no kernels to break down")
    return max(e["ts"] + e["dur"] for e in kernels) - min(e["ts"] for e in kernels)


def check(path, steps, analysis):
    events = read_events(path)
    named = expected_steps(events)
    if len(named) != steps:
        raise CheckError(f"the file names {len(named)} steps, expected {steps}")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, pathlib.Path(folder) / path.name)
        loaded = analysis(trace_dir=folder, include_last_profiler_step=True)
    ranks = sorted(loaded.t.traces)
    if len(ranks) != 1:
        raise CheckError(f"HTA found ranks {ranks}, expected one")
    found = [int(step) for step in loaded.get_profiler_steps()]
    if found != named:
        raise CheckError(f"HTA found {len(found)} steps {found[:8]}, expected {steps}")
    span = kernel_span(events)
    row = loaded.get_temporal_breakdown(visualize=False).iloc[0]
    parts = [float(row[f"{part}_time_pctg"]) for part in ("idle", "compute", "non_compute")]
    if not all(math.isfinite(part) and part >= 0 for part in parts) or not abs(sum(parts) - 100) <= 0.1:
        raise CheckError(f"the parts of the temporal breakdown are {parts} percent and do not make 100")
    if not abs(float(row["kernel_time(us)"]) - span) <= 0.01 + 1e-6 * span:
        raise CheckError(f"HTA sees {row['kernel_time(us)']} us from first to last kernel, the file says {span}")
    return f"{steps} steps, kernels span {span:.3f} us, {parts[1]:.1f} % of it computing, {parts[0]:.1f} % idle"


def main():
    if len(sys.argv) != 3 or not sys.argv[2].isdigit() or not sys.argv[1].endswith((".json", ".json.gz")):
        print("usage: check_hta.py FILE.json.gz STEPS")
        return 2
    warnings.filterwarnings("ignore")
    os.environ.pop("HTA_DISABLE_NS_ROUNDING", None)
    try:
        from hta.trace_analysis import TraceAnalysis
    except ImportError:
        print("skipped, not installed")
        return 77
    logging.disable(logging.CRITICAL)
    path = pathlib.Path(sys.argv[1])
    try:
        print(f"PASS {path.name}: {check(path, int(sys.argv[2]), TraceAnalysis)}")
        return 0
    except CheckError as error:
        print(f"FAIL {path.name}: {error}")
    except Exception as error:  # whatever HTA stumbles over is a failure of the trace
        print(f"FAIL {path.name}: HTA stopped with {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
