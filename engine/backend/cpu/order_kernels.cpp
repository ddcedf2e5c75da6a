// top_k and sort: lines along the last axis, put in one order that has no ties, so that any algorithm gives the same.
#include "engine/backend/cpu/index_parts.hpp"

#include <atomic>

namespace gradus::cpu {

namespace {

template <class T> struct Entry {
    T value;
    std::int32_t at;
};

/// a > b, where a NaN is larger than every number.
template <class T> bool larger(T a, T b) { return a > b || (a != a && b == b); }

template <class T> bool descending(const Entry<T>& a, const Entry<T>& b) {
    return larger(a.value, b.value) || (!larger(b.value, a.value) && a.at < b.at);
}
template <class T> bool ascending(const Entry<T>& a, const Entry<T>& b) {
    return larger(b.value, a.value) || (!larger(a.value, b.value) && a.at < b.at);
}

/// (x) -> (values, index): of each line what `put(first, until)` has brought to the front.
template <class T, class Put> GradusStatus over_lines(const GradusCall* call, Put&& put) {
    const GradusArray &x = call->inputs[0], &y = call->outputs[0];
    const std::int64_t length = x.sizes[x.rank - 1], kept = y.sizes[y.rank - 1];
    if (kept == 0) return GRADUS_OK;
    std::atomic<bool> failed{false};
    over_pieces(call, elements(x) / length, length, [&](std::int64_t from, std::int64_t until) {
        const auto entries = scratch<Entry<T>>(length);
        if (!entries) return failed.store(true);
        for (std::int64_t line = from; line < until; ++line) {
            const T* values = in<T>(call, 0) + line * length;
            for (std::int64_t i = 0; i < length; ++i)
                entries[static_cast<std::size_t>(i)] = {values[i], static_cast<std::int32_t>(i)};
            put(entries.get(), entries.get() + length);
            for (std::int64_t i = 0; i < kept; ++i) {
                out<T>(call, 0)[line * kept + i] = entries[static_cast<std::size_t>(i)].value;
                out<std::int32_t>(call, 1)[line * kept + i] = entries[static_cast<std::size_t>(i)].at;
            }
        }
    });
    return failed ? GRADUS_FAILED : GRADUS_OK;
}

template <class T> GradusStatus run_top_k(const GradusCall* call) {
    const std::int64_t k = call->outputs[0].sizes[call->outputs[0].rank - 1];
    return over_lines<T>(call, [k](Entry<T>* from, Entry<T>* until) { std::partial_sort(from, from + k, until, descending<T>); });
}
// attribute 0: descending
template <class T> GradusStatus run_sort(const GradusCall* call) {
    const bool down = call->attributes[0] != 0;
    return over_lines<T>(call, [down](Entry<T>* from, Entry<T>* until) {
        down ? std::sort(from, until, descending<T>) : std::sort(from, until, ascending<T>);
    });
}

template <class T> constexpr std::array<Kernel, 2> typed() {
    return {{{"top_k", dtype_of<T>, run_top_k<T>}, {"sort", dtype_of<T>, run_sort<T>}}};
}

} // namespace

std::span<const Kernel> order_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
