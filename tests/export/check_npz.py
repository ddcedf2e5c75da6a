#!/usr/bin/env python3
"""Checks that numpy reads an .npz file that Gradus exported.

    python3 check_npz.py FILE.npz

Prints name, type and shape of every array and exits with 0. Exits with 1, and one line FAIL with the reason, on
anything odd: a damaged or repeated member, a name that is no plain NAME.npy, a type that is no number, big-endian or
column-major data, bytes missing or left over, data that do not start at a multiple of 64, no array at all, an empty
array, a NaN or an infinity (a run that diverged has them: allow them with --allow-nonfinite).
Without numpy: "skipped, not installed", exit 77.
"""

import argparse
import collections
import io
import sys
import zipfile


class CheckError(Exception):
    """What is wrong with the file, in one sentence."""


def check_array(np, name, data, allow_nonfinite):
    """One array from the bytes of its member."""
    stream = io.BytesIO(data)
    try:
        array = np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:  # numpy lets the errors of its tokenizer and of the memory through as they are
        raise CheckError(f"{name}: {' '.join(str(error).split())}") from None
    if left := len(data) - stream.tell():
        raise CheckError(f"{name}: {left} bytes are left over after the data")
    if array.dtype.kind not in "biuf":
        raise CheckError(f"{name}: type {array.dtype} is neither a number nor a truth value")
    if array.dtype.byteorder == ">":
        raise CheckError(f"{name}: the data are big-endian")
    if not array.flags.c_contiguous:
        raise CheckError(f"{name}: the data are column-major")
    if array.size == 0:
        raise CheckError(f"{name}: the array is empty, shape {array.shape}")
    if (len(data) - array.nbytes) % 64:
        raise CheckError(f"{name}: the data start at byte {len(data) - array.nbytes}, no multiple of 64")
    if array.dtype.kind == "f" and not allow_nonfinite and not np.isfinite(array).all():
        raise CheckError(f"{name}: {np.count_nonzero(~np.isfinite(array))} of {array.size} values are not finite")
    return array


def check(np, path, allow_nonfinite):
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if repeated := [name for name, count in collections.Counter(names).items() if count > 1]:
                raise CheckError(f"member {repeated[0]} appears twice")
            if damaged := archive.testzip():
                raise CheckError(f"member {damaged} has a wrong checksum")
            members = {name: archive.read(name) for name in names}
    except CheckError:
        raise
    except Exception as error:  # of the zip container, its compression or the disk
        raise CheckError(f"the file cannot be read as a zip archive: {error}") from None
    if not members:
        raise CheckError("the archive holds no array")
    for name in members:
        stem, parts = name.removesuffix(".npy"), name.split("/")
        if stem in (name, "") or "\\" in name or name.startswith("/") or ".." in parts:
            raise CheckError(f"'{name}' is no plain array name ending in .npy")
    arrays = {name[:-4]: check_array(np, name, data, allow_nonfinite) for name, data in members.items()}
    with np.load(path, allow_pickle=False) as loaded:  # and once more the way a user would
        if sorted(loaded.files) != sorted(arrays):
            raise CheckError(f"numpy.load lists {sorted(loaded.files)}, the archive {sorted(arrays)}")
        for name, array in arrays.items():
            if not np.array_equal(loaded[name], array, equal_nan=array.dtype.kind == "f"):
                raise CheckError(f"{name}: numpy.load reads other values")
    return arrays


def main():
    parser = argparse.ArgumentParser(description="Checks that numpy reads an exported .npz file.")
    parser.add_argument("file")
    parser.add_argument("--allow-nonfinite", action="store_true", help="accept NaN and infinity")
    arguments = parser.parse_args()
    try:
        import numpy as np
    except ImportError:
        print("skipped, not installed")
        return 77
    try:
        arrays = check(np, arguments.file, arguments.allow_nonfinite)
    except CheckError as error:
        print(f"FAIL {arguments.file}: {error}")
        return 1
    for name, array in arrays.items():
        print(f"{name} {array.dtype} {array.shape}")
    print(f"PASS {arguments.file}: {len(arrays)} arrays")
    return 0


if __name__ == "__main__":
    sys.exit(main())
