// Normalisations of channels over the batch. A piece is some channels, and a channel's sums go over the images in order.
#include "engine/backend/cpu/norm_parts.hpp"

namespace gradus::cpu {

namespace {

/// Channels side by side in one pass where each has one value per image, so that lines of memory are read once: x (N, C).
constexpr std::int64_t columns_at_once = 32;

/// What the kernels below need of some neighbouring channels of x (N, C, …): sums over the batch, and maps of it.
template <class T> struct Batch {
    const NormLoops<T>& loops;
    Channels of;
    double count = static_cast<double>(of.images * of.entries);

    const T* at(const T* x, std::int64_t image, std::int64_t channel) const {
        return x + (image * of.channels + channel) * of.entries;
    }
    T* at(T* x, std::int64_t image, std::int64_t channel) const { return x + (image * of.channels + channel) * of.entries; }

    /// {mean, rstd, Σ (x - mean)²} of channels [channel, channel + some).
    void moments(const T* x, std::int64_t channel, std::int64_t some, double eps, Moments* out) const {
        double sums[columns_at_once] = {}, squares[columns_at_once] = {};
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t c = 0; c < some; ++c)
                sums[c] +=
                    of.entries == 1 ? static_cast<double>(at(x, n, channel)[c]) : loops.sum(at(x, n, channel + c), of.entries);
        for (std::int64_t c = 0; c < some; ++c) out[c].mean = count > 0 ? sums[c] / count : 0;
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t c = 0; c < some; ++c) {
                const double d = of.entries == 1 ? static_cast<double>(at(x, n, channel)[c]) - out[c].mean : 0;
                squares[c] += of.entries == 1 ? d * d : loops.squares(at(x, n, channel + c), of.entries, out[c].mean);
            }
        for (std::int64_t c = 0; c < some; ++c) {
            out[c].squares = squares[c];
            out[c].rstd = inverse_deviation(count > 0 ? squares[c] / count : 0, eps);
        }
    }

    /// y = (x - mean) · rstd · w + b.
    void normalize(const T* x, const T* w, const T* b, T* y, std::int64_t channel, std::int64_t some, const Moments* m) const {
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t c = 0; c < some; ++c) {
                const double scale = m[c].rstd * static_cast<double>(w[channel + c]), shift = static_cast<double>(b[channel + c]);
                if (of.entries == 1)
                    at(y, n, channel)[c] =
                        static_cast<T>((static_cast<double>(at(x, n, channel)[c]) - m[c].mean) * scale + shift);
                else loops.scale_and_shift(at(x, n, channel + c), at(y, n, channel + c), of.entries, m[c].mean, scale, shift);
            }
    }

    /// Adds Σ ∂y, Σ ∂y · (x - mean) and Σ (x - mean) of channel c to sums[3c] and the two after it.
    void gradient_moments(const T* dy, const T* x, std::int64_t channel, std::int64_t some, const Moments* m,
                          double* sums) const {
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t c = 0; c < some; ++c) {
                double part[3];
                if (of.entries == 1) {
                    part[0] = static_cast<double>(at(dy, n, channel)[c]);
                    part[2] = static_cast<double>(at(x, n, channel)[c]) - m[c].mean;
                    part[1] = part[0] * part[2];
                } else {
                    loops.moments(at(dy, n, channel + c), at(x, n, channel + c), nullptr, of.entries, m[c].mean, part);
                }
                for (int i = 0; i < 3; ++i) sums[3 * c + i] += part[i];
            }
    }

    /// ∂x = ∂y · scale - a - x̂ · b of each channel.
    void gradient(const T* dy, const T* x, T* dx, std::int64_t channel, std::int64_t some, const Moments* m, const double* scale,
                  const double* a, const double* b) const {
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t c = 0; c < some; ++c)
                if (of.entries == 1)
                    at(dx, n, channel)[c] =
                        static_cast<T>(static_cast<double>(at(dy, n, channel)[c]) * scale[c] - a[c] -
                                       (static_cast<double>(at(x, n, channel)[c]) - m[c].mean) * m[c].rstd * b[c]);
                else
                    loops.gradient(at(dy, n, channel + c), at(x, n, channel + c), at(dx, n, channel + c), of.entries, m[c].mean,
                                   m[c].rstd, scale[c], a[c], b[c]);
    }
};

/// Calls work(channel, some) for at most `columns_at_once` neighbouring channels at a time.
template <class Work> void over_channels(const GradusCall* call, const Channels& of, Work&& work) {
    const std::int64_t at_once = of.entries == 1 ? columns_at_once : 1;
    over_pieces(call, (of.channels + at_once - 1) / at_once, at_once * of.images * of.entries,
                [&](std::int64_t from, std::int64_t until) {
                    for (std::int64_t i = from; i < until; ++i) work(i * at_once, std::min(at_once, of.channels - i * at_once));
                });
}

// (x, w, b, running mean, running var) -> (y, mean, rstd, running mean', running var')
template <class T> GradusStatus run_batch_norm(const GradusCall* call) {
    const Batch<T> batch{path_of<T>(call).norms, channels_of(call->inputs[0])};
    const double eps = call->attributes[0], momentum = batch.count > 0 ? call->attributes[1] : 0; // nothing seen, nothing learnt
    over_channels(call, batch.of, [&](std::int64_t channel, std::int64_t some) {
        Moments m[columns_at_once];
        batch.moments(in<T>(call, 0), channel, some, eps, m);
        batch.normalize(in<T>(call, 0), in<T>(call, 1), in<T>(call, 2), out<T>(call, 0), channel, some, m);
        for (std::int64_t c = 0; c < some; ++c) {
            const auto moved = [&](int running, double value) {
                return static_cast<T>((1 - momentum) * static_cast<double>(in<T>(call, running)[channel + c]) + momentum * value);
            };
            out<T>(call, 1)[channel + c] = static_cast<T>(m[c].mean);
            out<T>(call, 2)[channel + c] = static_cast<T>(m[c].rstd);
            out<T>(call, 3)[channel + c] = moved(3, m[c].mean);
            out<T>(call, 4)[channel + c] = moved(4, batch.count > 0 ? m[c].squares / (batch.count - 1) : 0);
        }
    });
    return GRADUS_OK;
}

// (x, w, b, running mean, running var) -> y
template <class T> GradusStatus run_batch_norm_inference(const GradusCall* call) {
    const Batch<T> batch{path_of<T>(call).norms, channels_of(call->inputs[0])};
    over_channels(call, batch.of, [&](std::int64_t channel, std::int64_t some) {
        Moments m[columns_at_once];
        for (std::int64_t c = 0; c < some; ++c)
            m[c] = {static_cast<double>(in<T>(call, 3)[channel + c]),
                    inverse_deviation(static_cast<double>(in<T>(call, 4)[channel + c]), call->attributes[0]), 0};
        batch.normalize(in<T>(call, 0), in<T>(call, 1), in<T>(call, 2), out<T>(call, 0), channel, some, m);
    });
    return GRADUS_OK;
}

// (dy, x, w, mean, rstd) -> (dx, dw, db), or with running statistics (dy, x, w, running mean, running var), which are constants.
template <class T, bool Running> GradusStatus run_batch_norm_backward(const GradusCall* call) {
    const Batch<T> batch{path_of<T>(call).norms, channels_of(call->inputs[1])};
    const T *dy = in<T>(call, 0), *x = in<T>(call, 1), *w = in<T>(call, 2);
    over_channels(call, batch.of, [&](std::int64_t channel, std::int64_t some) {
        Moments m[columns_at_once];
        double sums[3 * columns_at_once] = {}, scale[columns_at_once], a[columns_at_once], b[columns_at_once];
        for (std::int64_t c = 0; c < some; ++c) {
            const double second = static_cast<double>(in<T>(call, 4)[channel + c]);
            m[c] = {static_cast<double>(in<T>(call, 3)[channel + c]),
                    Running ? inverse_deviation(second, call->attributes[0]) : second, 0};
        }
        batch.gradient_moments(dy, x, channel, some, m, sums);
        for (std::int64_t c = 0; c < some; ++c) {
            const GradientSums s = Running ? GradientSums{m[c].mean, sums[3 * c], sums[3 * c + 1] * m[c].rstd}
                                           : centered(m[c].mean, m[c].rstd, batch.count, sums + 3 * c);
            m[c].mean = s.mean;
            out<T>(call, 1)[channel + c] = static_cast<T>(s.along_x);
            out<T>(call, 2)[channel + c] = static_cast<T>(s.along_one);
            scale[c] = m[c].rstd * static_cast<double>(w[channel + c]);
            a[c] = Running ? 0 : scale[c] * (s.along_one / batch.count);
            b[c] = Running ? 0 : scale[c] * (s.along_x / batch.count);
        }
        batch.gradient(dy, x, out<T>(call, 0), channel, some, m, scale, a, b);
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 4> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"batch_norm", t, run_batch_norm<T>},
        {"batch_norm_backward", t, run_batch_norm_backward<T, false>},
        {"batch_norm_inference", t, run_batch_norm_inference<T>},
        {"batch_norm_inference_backward", t, run_batch_norm_backward<T, true>},
    }};
}

} // namespace

std::span<const Kernel> batch_norm_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
