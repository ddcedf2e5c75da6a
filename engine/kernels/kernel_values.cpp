#include "engine/kernels/kernel_values.hpp"

#include "engine/core/half.hpp"
#include "engine/core/philox.hpp"

#include <cmath>
#include <cstring>
#include <limits>

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

std::vector<double> initial_values(const KernelBuffer& buffer, std::uint64_t seed) {
    std::uint64_t stream = 14695981039346656037u; // FNV-1a of the name, so that buffers of one name are filled alike in every ladder
    for (const char letter : buffer.name) stream = (stream ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    const Philox random(seed, stream);
    std::vector<double> values(static_cast<std::size_t>(buffer.count()));
    if (buffer.fill == KernelBuffer::Fill::normal) { // in pairs, as they are made
        for (std::uint64_t i = 0; i < values.size(); i += 2) {
            const auto [even, odd] = random.normal_pair(i / 2);
            values[i] = rounded(buffer.type, even * buffer.scale);
            if (i + 1 < values.size()) values[i + 1] = rounded(buffer.type, odd * buffer.scale);
        }
        return values;
    }
    for (std::uint64_t i = 0; i < values.size(); ++i) switch (buffer.fill) {
        case KernelBuffer::Fill::normal: break; // above
        case KernelBuffer::Fill::uniform: values[i] = rounded(buffer.type, random.uniform(i) * buffer.scale); break;
        case KernelBuffer::Fill::index: values[i] = random.below(i, static_cast<std::uint32_t>(buffer.scale)); break;
        case KernelBuffer::Fill::zero: values[i] = 0; break;
        case KernelBuffer::Fill::garbage: values[i] = with_type(buffer.type, [](auto zero) { return garbage<decltype(zero)>(); }); break;
        }
    return values;
}

void store_values(ElementType type, const std::vector<double>& values, std::byte* bytes) {
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const T value = converted<T>(values[i]);
            std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
        }
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
