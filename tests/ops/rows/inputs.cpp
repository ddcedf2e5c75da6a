#include "tests/ops/rows/inputs.hpp"

#include "engine/core/half.hpp"
#include "engine/core/philox.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace gradus::test {

namespace {

/// "index_or(5,-100)" -> {5, -100}.
std::vector<double> arguments_of(const std::string& kind) {
    std::vector<double> out;
    const std::size_t open = kind.find('(');
    if (open == std::string::npos) return out;
    for (const char* at = kind.data() + open + 1; at < kind.data() + kind.size(); ++at) {
        double number = 0;
        const auto [end, error] = std::from_chars(at, kind.data() + kind.size(), number);
        if (error != std::errc{}) throw std::runtime_error("no number in " + kind);
        out.push_back(number);
        at = end; // at the comma or the closing parenthesis
    }
    return out;
}

struct Words {
    Philox philox;
    std::uint32_t operator[](std::uint64_t i) const { return philox.block(i / 4)[i % 4]; }
    double below(std::uint64_t i, double bound) const {
        return std::floor((*this)[i] * bound * 0x1p-32);
    } // exact: 32 + 21 bits
};

/// The places of `count` words from `first` on, from the smallest word to the largest, the first of two alike first.
std::vector<std::size_t> order(const Words& words, std::size_t first, std::size_t count) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return words[first + a] < words[first + b]; });
    return places;
}

void make_distinct(const Words& words, std::vector<double>& out) {
    const std::vector<std::size_t> places = order(words, 0, out.size());
    const double half = std::floor(static_cast<double>(out.size()) / 2);
    for (std::size_t rank = 0; rank < out.size(); ++rank) out[places[rank]] = (static_cast<double>(rank) - half) / 16;
}

void make_distribution(const Words& words, std::size_t classes, std::vector<double>& out) {
    for (std::size_t line = 0; line * classes < out.size(); ++line)
        for (std::size_t drop = 0; drop < 64; ++drop)
            out[line * classes +
                static_cast<std::size_t>(words.below(line * 64 + drop, static_cast<double>(classes)))] += 1.0 / 64;
}

void make_permutation(const Words& words, const Shape& shape, std::size_t size, int axis, std::vector<double>& out) {
    std::size_t inner = 1;
    for (int i = axis + 1; i < shape.rank(); ++i) inner *= static_cast<std::size_t>(shape[i]);
    const auto length = static_cast<std::size_t>(shape[axis]);
    for (std::size_t line = 0; line * length < out.size(); ++line) {
        const std::vector<std::size_t> places = order(words, line * size, size);
        for (std::size_t k = 0; k < length; ++k)
            out[(line / inner * length + k) * inner + line % inner] = static_cast<double>(places[k]);
    }
}

void put(std::byte* base, Dim position, DType dtype, double number) {
    const auto write = [&](auto value) {
        std::memcpy(base + static_cast<std::size_t>(position) * sizeof value, &value, sizeof value);
    };
    switch (dtype) {
    case DType::f32: return write(static_cast<float>(number));
    case DType::f64: return write(number);
    case DType::f16: return write(half(number));
    case DType::bf16: return write(bfloat16(number));
    case DType::i32: return write(static_cast<std::int32_t>(number));
    case DType::i64: return write(static_cast<std::int64_t>(number));
    case DType::u8:
    case DType::boolean: return write(static_cast<std::uint8_t>(number));
    }
}

/// What nobody may read: NaN, or an index outside of everything.
double poison(DType dtype) {
    return is_floating(dtype) ? NAN : dtype == DType::i32 || dtype == DType::i64 ? 0x7f7f7f7f : 1;
}

Layout layout_of(const Shape& shape, const std::string& name) {
    Layout layout{shape, {}, 0};
    const int rank = shape.rank();
    std::vector<int> order(static_cast<std::size_t>(rank)); // axes from the outermost in memory to the innermost
    std::iota(order.begin(), order.end(), 0);
    if (name == "transposed")
        std::swap(order[static_cast<std::size_t>(rank) - 2], order[static_cast<std::size_t>(rank) - 1]);
    else if (name == "permuted") std::reverse(order.begin(), order.end());
    else if (name != "contiguous" && name != "sliced") throw std::runtime_error("no layout is called " + name);
    const bool sliced = name == "sliced";
    Dim stride = sliced ? 2 : 1;
    for (int i = rank - 1; i >= 0; --i) {
        const int axis = order[static_cast<std::size_t>(i)];
        layout.strides[static_cast<std::size_t>(axis)] = stride;
        stride *= shape[axis];
        if (sliced && i == rank - 1) ++stride; // rows end with an element that is not theirs
    }
    if (sliced) layout.offset = 1 + (rank > 1 ? layout.strides[0] : 0);
    return layout;
}

} // namespace

std::vector<double> made_numbers(const std::string& kind, const Shape& shape, std::uint64_t seed,
                                 std::uint64_t stream) {
    const Words words{Philox(seed, stream)};
    const std::string name = kind.substr(0, kind.find('('));
    const std::vector<double> arguments = arguments_of(kind);
    std::vector<double> out(static_cast<std::size_t>(shape.elements()));
    const auto each = [&](auto&& make) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = make(i);
    };
    const auto bell = [&](std::size_t i) {
        const std::uint32_t w = words[i];
        return static_cast<double>((w & 15) + (w >> 8 & 15) + (w >> 16 & 15) + (w >> 24 & 15)) - 30;
    };
    const auto odd = [&](std::size_t i) { return (words[i] & 1) == 1; };
    const std::size_t last = shape.rank() > 0 ? static_cast<std::size_t>(shape[shape.rank() - 1]) : 1;
    if (name == "normal") each([&](std::size_t i) { return bell(i) / 16; });
    else if (name == "wide") each([&](std::size_t i) { return bell(i) / 4; });
    else if (name == "positive") each([&](std::size_t i) { return (1 + words.below(i, 32)) / 16; });
    else if (name == "away_from_zero")
        each([&](std::size_t i) { return (odd(i) ? -1 : 1) * (2 + words.below(i, 32)) / 16; });
    else if (name == "between_integers") each([&](std::size_t i) { return (2 * words.below(i, 64) - 63) / 16; });
    else if (name == "distinct") make_distinct(words, out);
    else if (name == "probabilities") each([&](std::size_t i) { return (1 + words.below(i, 15)) / 16; });
    else if (name == "distribution") make_distribution(words, last, out);
    else if (name == "zero_one" || name == "boolean") each([&](std::size_t i) { return odd(i) ? 1.0 : 0.0; });
    else if (name == "integers")
        each([&](std::size_t i) { return arguments.at(0) + words.below(i, arguments.at(1) - arguments.at(0) + 1); });
    else if (name == "constant") each([&](std::size_t) { return arguments.at(0); });
    else if (name == "additive_mask")
        each([&](std::size_t i) { return i % last == 0 || !odd(i) ? 0.0 : -std::numeric_limits<double>::infinity(); });
    else if (name == "index") each([&](std::size_t i) { return words.below(i, arguments.at(0)); });
    else if (name == "index_or")
        each([&](std::size_t i) { return (words[i] & 3) == 0 ? arguments.at(1) : words.below(i, arguments.at(0)); });
    else if (name == "permutation")
        make_permutation(words, shape, static_cast<std::size_t>(arguments.at(0)), static_cast<int>(arguments.at(1)),
                         out);
    else if (name == "bytes") each([&](std::size_t i) { return static_cast<double>(words[i] & 255); });
    else throw std::runtime_error("no kind of input is called " + kind);
    return out;
}

Tensor laid_out(const std::vector<double>& numbers, const Shape& shape, DType dtype, const std::string& name) {
    static const auto pool = std::make_shared<BufferPool>();
    const Layout layout = layout_of(shape, name);
    const Dim extent = extent_of(layout) + 1;
    StorageRef storage = pool->allocate(static_cast<std::size_t>(extent) * size_of(dtype));
    auto* base = static_cast<std::byte*>(storage.data());
    for (Dim i = 0; i < extent; ++i) put(base, i, dtype, poison(dtype));
    for (std::size_t flat = 0; flat < numbers.size(); ++flat) {
        Dim rest = static_cast<Dim>(flat), position = layout.offset;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            position += rest % shape[axis] * layout.strides[static_cast<std::size_t>(axis)];
            rest /= shape[axis];
        }
        put(base, position, dtype, numbers[flat]);
    }
    return Tensor(std::move(storage), layout, dtype);
}

DType dtype_of_kind(const std::string& kind, DType row) {
    const std::string name = kind.substr(0, kind.find('('));
    if (name == "index" || name == "index_or" || name == "permutation") return DType::i32;
    return name == "boolean" ? DType::boolean : name == "bytes" ? DType::u8 : row;
}

Tensor input_of(const OpRow& row, std::size_t i, DType dtype, bool contiguous) {
    const RowInput& input = row.inputs[i];
    const DType type = dtype_of_kind(input.kind, dtype);
    if (input.layout != "expanded")
        return laid_out(made_numbers(input.kind, input.shape, row.seed, i), input.shape, type,
                        contiguous ? "contiguous" : input.layout);
    Shape slice;
    for (int axis = 0; axis < input.shape.rank(); ++axis)
        slice.append({axis == 0 ? std::min<Dim>(1, input.shape[0]) : input.shape[axis], {}});
    const std::vector<double> once = made_numbers(input.kind, slice, row.seed, i);
    if (!contiguous) return laid_out(once, slice, type, "contiguous");
    std::vector<double> all;
    for (Dim k = 0; k < input.shape[0]; ++k) all.insert(all.end(), once.begin(), once.end());
    return laid_out(all, input.shape, type, "contiguous");
}

std::vector<double> upstream_of(const OpRow& row, std::size_t i) {
    if (row.upstream_is_one) return std::vector<double>(static_cast<std::size_t>(row.outputs[i].shape.elements()), 1.0);
    return made_numbers("away_from_zero", row.outputs[i].shape, row.seed, 100 + i);
}

} // namespace gradus::test
