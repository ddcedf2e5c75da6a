#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/core/philox.hpp"

#include <cmath>

namespace gradus::cpu {

namespace {

/// Streams from here on are dropout's: those of weights, data and points are small numbers, and a step is below 2^48.
constexpr std::uint64_t dropout_streams = std::uint64_t{0xD60F} << 48;

/// What a kept element is multiplied by; 0 where none is kept.
double kept_scale(const GradusCall* call) { return call->attributes[0] < 1 ? 1 / (1 - call->attributes[0]) : 0.0; }

// x -> (y, mask); attributes: p, seed, step. Element i is kept where word i of the stream, in [0, 2^32), is at least p · 2^32.
template <class T> GradusStatus run_dropout(const GradusCall* call) {
    const double p = call->attributes[0], seed = call->attributes[1], step = call->attributes[2];
    if (!(seed >= 0 && seed < 0x1p53 && step >= 0 && step < 0x1p48)) return GRADUS_BAD_ARGUMENT;
    const Philox random(static_cast<std::uint64_t>(seed), dropout_streams | static_cast<std::uint64_t>(step));
    const auto dropped_below = static_cast<std::uint64_t>(std::ceil(p * 0x1p32)); // the product is exact
    const T scale = static_cast<T>(kept_scale(call));
    const std::int64_t count = elements(call->outputs[0]);
    const T* x = in<T>(call, 0);
    T* y = out<T>(call, 0);
    auto* mask = out<std::uint8_t>(call, 1);
    over_pieces(call, (count + 3) / 4, 4, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t block = from; block < until; ++block) {
            const Philox::Block words = random.block(static_cast<std::uint64_t>(block));
            const std::int64_t here = std::min<std::int64_t>(4, count - 4 * block);
            for (std::int64_t k = 0; k < here; ++k) {
                const std::int64_t i = 4 * block + k;
                const bool kept = words[static_cast<std::size_t>(k)] >= dropped_below;
                mask[i] = kept;
                y[i] = kept ? x[i] * scale : T(0);
            }
        }
    });
    return GRADUS_OK;
}

// (dy, mask) -> dx; attribute 0 is p.
template <class T> GradusStatus run_dropout_backward(const GradusCall* call) {
    const T scale = static_cast<T>(kept_scale(call));
    const T* dy = in<T>(call, 0);
    const auto* mask = in<std::uint8_t>(call, 1);
    T* dx = out<T>(call, 0);
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) dx[i] = mask[i] != 0 ? dy[i] * scale : T(0);
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 2> typed() {
    return {{{"dropout", dtype_of<T>, run_dropout<T>}, {"dropout_backward", dtype_of<T>, run_dropout_backward<T>}}};
}

} // namespace

std::span<const Kernel> dropout_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
