#include "engine/backend/cpu/kernel_parts.hpp"

#include <utility>

namespace gradus::cpu {

namespace {

/// Neighbouring running sums that are made together where the axis is not the innermost.
constexpr std::int64_t scan_columns = 256;

/// Entries of a stretch of a long line. Stretches start from the sums of those before them, so they can be made side by side.
constexpr std::int64_t scan_stretch = 4096;
constexpr int scan_chains = 4; ///< stretches that one thread makes at a time: one chain alone waits for each of its additions

/// A long line whose entries lie one after another, as stretches of nearly equal lengths, counted in the direction of the sum.
template <class T> class LongLine {
public:
    LongLine(const T* x, T* y, std::int64_t count, bool exclusive, bool backwards)
        : x_(backwards ? x + count - 1 : x), y_(backwards ? y + count - 1 : y), count_(count), step_(backwards ? -1 : 1),
          exclusive_(exclusive), stretches_((count + scan_stretch - 1) / scan_stretch) {}
    std::int64_t stretches() const { return stretches_; }
    std::int64_t from(std::int64_t stretch) const { return count_ * stretch / stretches_; }
    double sum(std::int64_t stretch) const {
        double lane[4] = {};
        const std::int64_t until = from(stretch + 1);
        std::int64_t i = from(stretch);
        for (; i + 4 <= until; i += 4)
            for (int j = 0; j < 4; ++j) lane[j] += static_cast<double>(x_[(i + j) * step_]);
        for (; i < until; ++i) lane[0] += static_cast<double>(x_[i * step_]);
        return (lane[0] + lane[2]) + (lane[1] + lane[3]);
    }
    /// Stretches [first, first + scan_chains) as far as there are; `before` holds the sum before each.
    void make(std::int64_t first, const double* before) const {
        if (stretches_ - first < scan_chains) {
            for (; first < stretches_; ++first) run(from(first), from(first + 1), *before++);
            return;
        }
        double running[scan_chains];
        std::int64_t start[scan_chains], together = count_;
        for (int c = 0; c < scan_chains; ++c) {
            running[c] = before[c], start[c] = from(first + c);
            together = std::min(together, from(first + c + 1) - start[c]);
        }
        for (std::int64_t i = 0; i < together; ++i)
            for (int c = 0; c < scan_chains; ++c) running[c] = one(start[c] + i, running[c]);
        for (int c = 0; c < scan_chains; ++c) run(start[c] + together, from(first + c + 1), running[c]);
    }

private:
    double one(std::int64_t i, double before) const {
        const double after = before + static_cast<double>(x_[i * step_]);
        y_[i * step_] = static_cast<T>(exclusive_ ? before : after);
        return after;
    }
    void run(std::int64_t i, std::int64_t until, double running) const {
        for (; i < until; ++i) running = one(i, running);
    }
    const T* x_;
    T* y_;
    std::int64_t count_, step_;
    bool exclusive_;
    std::int64_t stretches_;
};

template <class T>
GradusStatus scan_long_lines(const GradusCall* call, std::int64_t lines, std::int64_t count, bool exclusive, bool backwards) {
    const auto line = [&](std::int64_t i) {
        return LongLine<T>(in<T>(call, 0) + i * count, out<T>(call, 0) + i * count, count, exclusive, backwards);
    };
    const std::int64_t stretches = line(0).stretches(), groups = (stretches + scan_chains - 1) / scan_chains;
    std::vector<double> before(static_cast<std::size_t>(lines * stretches));
    over_pieces(call, lines * stretches, scan_stretch, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) before[static_cast<std::size_t>(i)] = line(i / stretches).sum(i % stretches);
    });
    for (std::int64_t i = 0; i < lines; ++i) {
        double sum = 0;
        for (std::int64_t stretch = 0; stretch < stretches; ++stretch)
            sum += std::exchange(before[static_cast<std::size_t>(i * stretches + stretch)], sum);
    }
    over_pieces(call, lines * groups, scan_chains * scan_stretch, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            const std::int64_t first = i % groups * scan_chains;
            line(i / groups).make(first, before.data() + i / groups * stretches + first);
        }
    });
    return GRADUS_OK;
}

// y_i = Σ_{j <= i} x_j along an axis; attributes: axis, exclusive, from the last element backwards. One chain in double precision
// per line, or per stretch of a long one, in the axis' order: the cuts depend on the shape alone.
template <class T> GradusStatus run_prefix_scan(const GradusCall* call) {
    const GradusArray& x = call->inputs[0];
    const auto axis = static_cast<int>(call->attributes[0]);
    const bool exclusive = call->attributes[1] != 0, backwards = call->attributes[2] != 0;
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < axis; ++i) outer *= x.sizes[i];
    for (int i = axis + 1; i < x.rank; ++i) inner *= x.sizes[i];
    const std::int64_t count = x.sizes[axis], blocks = (inner + scan_columns - 1) / scan_columns;
    if (elements(x) == 0) return GRADUS_OK;
    if (inner == 1 && count >= scan_chains * scan_stretch) return scan_long_lines<T>(call, outer, count, exclusive, backwards);
    over_pieces(call, outer * blocks, count * (inner / blocks), [&](std::int64_t from, std::int64_t until) {
        double sum[scan_columns];
        for (std::int64_t task = from; task < until; ++task) {
            const std::int64_t first = inner * (task % blocks) / blocks, columns = inner * (task % blocks + 1) / blocks - first;
            const std::int64_t line = task / blocks * count * inner + first;
            if (inner == 1) { // the sum stays in a register
                const T* from_x = in<T>(call, 0) + line;
                T* to = out<T>(call, 0) + line;
                double running = 0;
                for (std::int64_t i = 0; i < count; ++i) {
                    const std::int64_t at = backwards ? count - 1 - i : i;
                    const double before = running;
                    running += static_cast<double>(from_x[at]);
                    to[at] = static_cast<T>(exclusive ? before : running);
                }
                continue;
            }
            std::fill(sum, sum + columns, 0.0);
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t at = line + (backwards ? count - 1 - i : i) * inner;
                const T* from_x = in<T>(call, 0) + at;
                T* to = out<T>(call, 0) + at;
                for (std::int64_t j = 0; j < columns; ++j) {
                    const double before = sum[j];
                    sum[j] += static_cast<double>(from_x[j]);
                    to[j] = static_cast<T>(exclusive ? before : sum[j]);
                }
            }
        }
    });
    return GRADUS_OK;
}

} // namespace

std::span<const Kernel> scan_kernels() {
    static constexpr std::array<Kernel, 2> kernels{{
        {"prefix_scan", DType::f32, run_prefix_scan<float>},
        {"prefix_scan", DType::f64, run_prefix_scan<double>},
    }};
    return kernels;
}

} // namespace gradus::cpu
