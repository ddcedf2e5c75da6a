"""Ops that change where elements lie and under which shape, never a value; and casts."""

import torch

from rows import index, mask, output, row, tensor

ROWS = []
LAYOUTS = ["contiguous", "transposed", "permuted", "sliced", "expanded"]

for s, to in [
    ([6], [2, 3]), ([2, 6], [3, -1]), ([2, 6], [12]), ([1], []), ([], [1, 1]), ([0, 3], [3, 0]), ([0], [0, 5]), ([2, 3, 4], [2,
        12]),
    ([2, 3, 4], [6, 4]), ([2, 3, 4], [4, 3, 2]), ([5, 1, 7], [5, 7]), ([5, 7], [5, 1, 7, 1]), ([17, 15], [3, 85]), ([2, 3, 2, 5,
        1, 3], [180]),
]:  # fmt: skip
    ROWS.append(row("reshape", [tensor(*s)], lambda x, to=to: x.reshape(to), attributes=[len(to), *to]))
for layout in LAYOUTS[1:]:  # where strides can say it, a view; else a copy comes first
    for to in [[4, 6, 5], [24, 5], [4, 30], [120], [2, 2, 6, 5]]:
        ROWS.append(row("reshape", [tensor(4, 6, 5, layout=layout)], lambda x, to=to: x.reshape(to), attributes=[len(to), *to]))

for s, a, b in [([1, 1], 0, 1), ([3, 5], 0, 1), ([3, 5], 1, 0), ([3, 5], 1, 1), ([0, 4], 0, 1), ([2, 3, 4], 0, 2), ([2, 3, 4, 5],
    1, 2), ([17, 33], 0, 1),
                ([2, 3, 1, 2, 3, 2], 1, 4)]:  # fmt: skip
    ROWS.append(row("transpose", [tensor(*s)], lambda x, a=a, b=b: x.transpose(a, b), attributes=[a, b]))
for layout in LAYOUTS[1:]:
    ROWS.append(row("transpose", [tensor(4, 6, 5, layout=layout)], lambda x: x.transpose(0, 2), attributes=[0, 2]))

for s, axes in [([7], [0]), ([], []), ([3, 5], [1, 0]), ([2, 3, 4], [2, 0, 1]), ([2, 3, 4], [0, 1, 2]), ([3, 3, 3], [2, 0, 1]),
    ([2, 3, 4, 5], [0, 2, 3, 1]), ([2, 0, 3], [1, 2, 0]),
                ([2, 3, 1, 2, 3, 2], [5, 3, 1, 0, 2, 4]), ([15, 17], [1, 0])]:  # fmt: skip
    ROWS.append(row("permute", [tensor(*s)], lambda x, axes=axes: x.permute(axes), attributes=[len(axes), *axes]))
for layout in LAYOUTS[1:]:
    ROWS.append(row("permute", [tensor(4, 6, 5, layout=layout)], lambda x: x.permute(1, 2, 0), attributes=[3, 1, 2, 0]))


def sliced(axis, start, stop, step):
    return lambda x: x[(slice(None),) * axis + (slice(start, stop, step),)]


for s, axis, start, stop, step in [
    ([1], 0, 0, 1, 1), ([9], 0, 2, 8, 3), ([9], 0, 4, 4, 1), ([0, 3], 1, 1, 3, 1), ([5, 7], 0, 1, 4, 1), ([5, 7], 1, 0, 7, 2),
        ([5, 7], 1, 6, 7, 5),
    ([3, 4, 5], 1, 1, 3, 1), ([3, 4, 5], 2, 1, 5, 2), ([17, 33], 1, 3, 31, 4),
]:  # fmt: skip
    ROWS.append(row("slice", [tensor(*s)], sliced(axis, start, stop, step), attributes=[axis, start, stop, step]))
for layout in LAYOUTS[1:]:
    ROWS.append(row("slice", [tensor(4, 6, 5, layout=layout)], sliced(1, 1, 6, 2), attributes=[1, 1, 6, 2]))


def put_back(axis, start, stop, step, size):
    def function(x):
        shape = list(x.shape)
        shape[axis] = size
        return torch.slice_scatter(torch.zeros(shape, dtype=x.dtype), x, axis, start, stop, step)

    return function


for s, axis, start, stop, step, size in [([1], 0, 0, 1, 1, 1), ([2], 0, 2, 8, 3, 9), ([3, 7], 0, 1, 4, 1, 5), ([5, 4], 1, 0, 7,
    2, 7), ([3, 2, 5], 1, 1, 3, 1, 4)]:
    ROWS.append(row("slice_backward", [tensor(*s, grad=False)], put_back(axis, start, stop, step, size), attributes=[axis, start,
        stop, step, size]))

for s, to in [([1], [4]), ([], [3]), ([3, 1], [3, 5]), ([1, 5], [4, 5]), ([4], [3, 4]), ([1, 1], [7, 3]), ([2, 1, 3], [5, 2, 4,
    3]), ([1, 4], [0, 4]),
              ([3, 1], [-1, 6]), ([3, 5], [3, 5]), ([1, 33], [17, 33])]:  # fmt: skip
    ROWS.append(row("expand", [tensor(*s)], lambda x, to=to: x.expand(to), attributes=[len(to), *to]))
for layout in LAYOUTS[1:]:
    ROWS.append(row("expand", [tensor(4, 1, 5, layout=layout)], lambda x: x.expand(4, 3, 5), attributes=[3, 4, 3, 5]))

for s in [[0], [], [1], [7], [3, 5], [2, 3, 4], [17, 33]]:
    ROWS.append(row("contiguous", [tensor(*s)], lambda x: x.clone()))
for layout in LAYOUTS[1:]:
    for s in [[3, 5], [2, 3, 4], [2, 3, 4, 5], [1, 7]]:
        ROWS.append(row("contiguous", [tensor(*s, layout=layout)], lambda x: x.clone()))


def concatenated(axis):
    return lambda *parts: torch.cat(parts, axis)


for axis, *parts in [
    (0, [3]), (0, [1], [1]), (0, [2], [5]), (0, [2, 3], [4, 3]), (1, [2, 3], [2, 4]), (1, [2, 3], [2, 0], [2, 1]), (0, [0, 3],
        [0, 3]), (1, [2, 1, 4], [2, 3, 4], [2, 2, 4]),
    (2, [2, 3, 1], [2, 3, 5]), (0, [1, 5], [2, 5], [3, 5], [4, 5], [5, 5], [6, 5], [7, 5], [8, 5]), (1, [15, 17], [15, 16]),
]:  # fmt: skip
    names = [f"x{i}" for i in range(len(parts))]
    ROWS.append(row("concat", [tensor(*s, name=n) for s, n in zip(parts, names)], concatenated(axis), attributes=[axis]))
for layout in LAYOUTS[1:]:
    ROWS.append(row("concat", [tensor(3, 4, 5, layout=layout), tensor(3, 2, 5)], concatenated(1), attributes=[1]))
    ROWS.append(row("concat", [tensor(3, 4, 5), tensor(3, 4, 1, layout=layout)], concatenated(2), attributes=[2]))

for s, axis, *sizes in [([3], 0, 3), ([5], 0, 2, 3), ([6, 3], 0, 1, 2, 3), ([3, 6], 1, 2, 4), ([3, 6], 1, 6, 0), ([0, 4], 1, 1,
    3), ([2, 7, 3], 1, 3, 4), ([2, 3, 9], 2, 1, 1, 7),
                        ([36, 5], 0, 1, 2, 3, 4, 5, 6, 7, 8), ([17, 31], 1, 16, 15)]:  # fmt: skip
    names = [f"y{i}" for i in range(len(sizes))]
    ROWS.append(row("split", [tensor(*s)], lambda x, sizes=sizes, axis=axis: torch.split(x, sizes, axis), attributes=[axis,
        len(sizes), *sizes], outputs=names))
for layout in LAYOUTS[1:]:
    ROWS.append(row("split", [tensor(4, 6, 5, layout=layout)], lambda x: torch.split(x, [2, 4], 1), attributes=[1, 2, 2, 4],
        outputs=["y0", "y1"]))

# What an op gives in the row's own type, then in each of the others; the numbers are exact in all of them.
for s in [[0], [], [1], [3, 5], [17, 33]]:
    ROWS.append(row("cast", [tensor(*s)], lambda x: x.clone(), attributes=["dtype"]))
for layout in LAYOUTS:
    for to in ["f32", "f64", "f16", "bf16"]:
        ROWS.append(row("cast", [tensor(4, 6, layout=layout)], lambda x: x.clone(), attributes=[f"dtype:{to}"],
            outputs=[output("y", to, grad=True)],
                        no_gradcheck="" if to == "f64" else "a difference is lost in rounding"))
for s in [[0], [1], [4, 7]]:
    ROWS.append(row("cast", [index(*s, n=100)], lambda x: x.double(), attributes=["dtype"]))
    ROWS.append(row("cast", [mask(*s)], lambda x: x.double(), attributes=["dtype"]))
for s, to in [([0, 1, 3], [0, 4, 3]), ([1, 0], [5, 0])]:
    ROWS.append(row("expand", [tensor(*s)], lambda x, to=to: x.expand(to), attributes=[len(to), *to]))
for s, axis, start, stop, step, size in [([0, 4], 0, 2, 2, 1, 5), ([3, 0], 1, 0, 0, 1, 4)]:
    ROWS.append(row("slice_backward", [tensor(*s, grad=False)], put_back(axis, start, stop, step, size), attributes=[axis, start,
        stop, step, size]))  # fmt: skip
for layout in LAYOUTS[1:]:
    ROWS.append(row("slice_backward", [tensor(4, 6, grad=False, layout=layout)], put_back(1, 2, 14, 2, 15), attributes=[1, 2, 14, 2, 15]))
for s, axis in [([1], 0), ([1, 1], 1)]:
    ROWS.append(row("split", [tensor(*s)], lambda x, axis=axis: torch.split(x, [1], axis), attributes=[axis, 1, 1], outputs=["y0"]))
