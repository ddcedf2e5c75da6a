#include "engine/kernels/kernel_values.hpp"

#include "engine/core/half.hpp"
#include "engine/core/philox.hpp"
#include "engine/core/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace gradus {

namespace {

/// Calls f with a value of the type that stands for `type` in this program.
template <class F>
decltype(auto) with_type(ElementType type, F&& f) {
    switch (type) {
    case ElementType::f32: return f(float{});
    case ElementType::f16: return f(half{});
    case ElementType::bf16: return f(bfloat16{});
    case ElementType::f64: return f(double{});
    case ElementType::i32: return f(std::int32_t{});
    case ElementType::u32: return f(std::uint32_t{});
    case ElementType::i64: return f(std::int64_t{});
    case ElementType::i8: return f(std::int8_t{});
    case ElementType::u8: break;
    }
    return f(std::uint8_t{});
}

template <class T>
T converted(double value) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(value));
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
    else return T(value);
}

template <class T>
double garbage() {
    if constexpr (std::is_integral_v<T>) return static_cast<double>(std::numeric_limits<T>::max());
    else return std::numeric_limits<double>::quiet_NaN();
}

template <class T>
void store(const double* values, std::size_t count, std::byte* bytes) {
    for (std::size_t i = 0; i < count; ++i) {
        const T value = converted<T>(values[i]);
        std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
    }
}

/// Elements [from, until) of a buffer that begins at `bytes`.
template <class T>
void write_part(const KernelBuffer& buffer, const Philox& random, std::uint64_t from, std::uint64_t until, std::byte* bytes) {
    std::array<double, 1024> values; // in the first level of cache
    if (buffer.fill == KernelBuffer::Fill::zero) values.fill(0);
    if (buffer.fill == KernelBuffer::Fill::garbage) values.fill(garbage<T>());
    for (std::uint64_t first = from; first < until; first += values.size()) {
        const std::size_t count = std::min<std::uint64_t>(values.size(), until - first);
        switch (buffer.fill) {
        case KernelBuffer::Fill::normal:
            random.normals(first, {values.data(), count});
            for (std::size_t i = 0; i < count; ++i) values[i] *= buffer.scale;
            break;
        case KernelBuffer::Fill::uniform:
            for (std::size_t i = 0; i < count; ++i) values[i] = random.uniform(first + i) * buffer.scale;
            break;
        case KernelBuffer::Fill::index:
            for (std::size_t i = 0; i < count; ++i) values[i] = random.below(first + i, static_cast<std::uint32_t>(buffer.scale));
            break;
        case KernelBuffer::Fill::zero:
        case KernelBuffer::Fill::garbage: break; // above
        }
        store<T>(values.data(), count, bytes + first * sizeof(T));
    }
}

} // namespace

std::string_view cuda_name_of(ElementType type) {
    switch (type) {
    case ElementType::f32: return "float";
    case ElementType::f16: return "__half";
    case ElementType::bf16: return "__nv_bfloat16";
    case ElementType::f64: return "double";
    case ElementType::i32: return "int";
    case ElementType::u32: return "unsigned";
    case ElementType::i64: return "long long";
    case ElementType::i8: return "signed char";
    case ElementType::u8: return "unsigned char";
    }
    return "?";
}

std::string_view name_of(ElementType type) {
    switch (type) {
    case ElementType::f32: return "fp32";
    case ElementType::f16: return "fp16";
    case ElementType::bf16: return "bf16";
    case ElementType::f64: return "fp64";
    case ElementType::i32: return "int32";
    case ElementType::u32: return "uint32";
    case ElementType::i64: return "int64";
    case ElementType::i8: return "int8";
    case ElementType::u8: return "uint8";
    }
    return "?";
}

double rounded(ElementType type, double value) {
    return with_type(type, [&](auto zero) { return static_cast<double>(converted<decltype(zero)>(value)); });
}

void write_initial(const KernelBuffer& buffer, std::uint64_t seed, std::byte* bytes) {
    std::uint64_t stream = 14695981039346656037u; // FNV-1a of the name, so that buffers of one name are filled alike in every ladder
    for (const char letter : buffer.name) stream = (stream ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    const Philox random(seed, stream);
    const auto count = static_cast<std::uint64_t>(buffer.count());
    constexpr std::uint64_t piece = 1 << 16; // elements
    const auto pieces = static_cast<int>((count + piece - 1) / piece);
    constexpr int few = 4; // which one thread makes sooner than others begin
    WorkerPool workers(pieces <= few ? 1 : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16));
    with_type(buffer.type, [&](auto zero) {
        using T = decltype(zero);
        workers.parallel_for(pieces, [&](int number) {
            const std::uint64_t first = static_cast<std::uint64_t>(number) * piece;
            write_part<T>(buffer, random, first, std::min(count, first + piece), bytes);
        });
    });
}

std::vector<double> load_values(ElementType type, const std::byte* bytes, std::size_t count) {
    std::vector<double> values(count);
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t i = 0; i < count; ++i) {
            T value;
            std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
            values[i] = static_cast<double>(value);
        }
    });
    return values;
}

void store_values(ElementType type, const std::vector<double>& values, std::byte* bytes) {
    with_type(type, [&]<class T>(T) { store<T>(values.data(), values.size(), bytes); });
}

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) { // infinities and NaN where they belong
            if (std::isfinite(b[i])) norm += b[i] * b[i];
            continue;
        }
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    if (a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

} // namespace gradus
