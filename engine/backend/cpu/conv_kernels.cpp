// Convolutions as matrix products over columns (im2col). Blocks and their order depend on the shape alone, so the bits are the
// same for any number of threads.
#include "engine/backend/cpu/conv_parts.hpp"
#include "engine/backend/cpu/depthwise.hpp"

#include <optional>

namespace gradus::cpu {

namespace {

constexpr std::int64_t column_elements = 1 << 19; // 2 MiB of fp32 per thread: about a second-level cache
constexpr std::int64_t least_positions = 32;      // a panel of a product
constexpr std::int64_t most_depth_rows = 1024;    // rows of columns in one task of a gradient

/// Positions whose columns of `rows` rows a thread makes at a time.
std::int64_t positions_at_once(const ConvShape& s, std::int64_t rows, std::int64_t most) {
    const std::int64_t fit = std::max(least_positions, column_elements / rows / least_positions * least_positions);
    return std::max<std::int64_t>(1, std::min({fit, most, s.positions()}));
}

/// Channels of one group whose rows of columns make one task of a gradient.
std::int64_t channels_at_once(const ConvShape& s) { return std::clamp<std::int64_t>(most_depth_rows / s.taps(), 1, s.channels); }

// (x, w, b or none) -> y. A task is a block of positions of one group of one image: y (O, P) = w (O, K) · columns (K, P) + b.
template <class T> GradusStatus run_conv2d(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->inputs[0], call->inputs[1], call->outputs[0]);
    if (is_depthwise(s, 2)) return run_depthwise<T>(call, s);
    const T *x = in<T>(call, 0), *w = in<T>(call, 1), *bias = call->input_count > 2 ? in<T>(call, 2) : nullptr;
    T* y = out<T>(call, 0);
    const std::int64_t at_once = positions_at_once(s, s.depth(), 1 << 16), blocks = cuts(s.positions(), at_once);
    const bool in_lines = s.window.stride_w == 1;
    const auto& path = path_of<T>(call);
    const auto run = [&](std::int64_t task, T* scratch) {
        const std::int64_t plane = task / blocks; // group `plane % groups` of image `plane / groups`
        const std::int64_t from = task % blocks * at_once, until = std::min(s.positions(), from + at_once);
        const std::int64_t group = plane % s.groups;
        const T* image = x + plane * s.channels * s.plane();
        ProductPiece<T> p;
        p.a = w + group * s.out_channels * s.depth();
        p.a_row = s.depth(), p.a_column = 1, p.b_column = 1;
        p.c = y + plane * s.out_channels * s.positions() + from, p.c_row = s.positions();
        if (bias) p.row_bias = bias + group * s.out_channels;
        p.row_until = s.out_channels, p.column_until = until - from, p.depth = s.depth();
        std::optional<ImageLines<T>> lines;
        if (s.plain()) {
            p.b = image + from, p.b_row = s.plane();
        } else if (in_lines) {
            lines.emplace(s, from, until).read_by(p, image, scratch, until - from);
        } else {
            image_to_columns(s, image, s.channels, from, until, scratch, until - from);
            p.b = scratch, p.b_row = until - from;
        }
        path.product(p);
    };
    const std::int64_t scratch = s.plain() ? 0 : in_lines ? ImageLines<T>::room(s, at_once) : s.depth() * at_once;
    return over_tasks<T>(call, s.images * s.groups * blocks, scratch, s.multiply_adds() < parallel_convolution, run);
}

// (dy, w, b or none) -> dx, and conv_transpose2d. A task is some channels of one group of one image, whose columns come block by
// block: ∂columns (K, P) = wᵀ (K, O) · ∂y (O, P).
template <class T> GradusStatus run_input_gradient(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->outputs[0], call->inputs[1], call->inputs[0]);
    if (is_depthwise(s, 1) && s.taps() * s.out_channels <= 128) return run_depthwise_input_gradient<T>(call, s);
    const T *dy = in<T>(call, 0), *w = in<T>(call, 1), *bias = call->input_count > 2 ? in<T>(call, 2) : nullptr;
    T* dx = out<T>(call, 0);
    const std::int64_t channels_each = channels_at_once(s), parts = cuts(s.channels, channels_each);
    const std::int64_t at_once = positions_at_once(s, channels_each * s.taps(), 1 << 16);
    const auto& path = path_of<T>(call);
    const auto run = [&](std::int64_t task, T* scratch) {
        const std::int64_t plane = task / parts, group = plane % s.groups;
        const std::int64_t channel = task % parts * channels_each, channels = std::min(channels_each, s.channels - channel);
        T* image = dx + (plane * s.channels + channel) * s.plane();
        ProductPiece<T> p;
        p.a = w + group * s.out_channels * s.depth() + channel * s.taps();
        p.a_row = 1, p.a_column = s.depth();
        p.b_row = s.positions(), p.b_column = 1;
        p.row_until = channels * s.taps(), p.depth = s.out_channels;
        if (!s.plain()) std::fill(image, image + channels * s.plane(), T(0));
        for (std::int64_t from = 0; from < s.positions(); from += at_once) {
            const std::int64_t until = std::min(s.positions(), from + at_once);
            p.b = dy + plane * s.out_channels * s.positions() + from;
            p.column_until = until - from;
            p.c = s.plain() ? image + from : scratch;
            p.c_row = s.plain() ? s.plane() : until - from;
            path.product(p);
            if (!s.plain()) columns_onto_image(s, scratch, until - from, channels, from, until, image);
        }
        for (std::int64_t c = 0; bias && c < channels; ++c)
            for (std::int64_t i = 0; i < s.plane(); ++i) image[c * s.plane() + i] += bias[group * s.channels + channel + c];
    };
    const std::int64_t scratch = s.plain() ? 0 : channels_each * s.taps() * at_once;
    return over_tasks<T>(call, s.images * s.groups * parts, scratch, s.multiply_adds() < parallel_convolution, run);
}

/// How the sum over images of a weight's gradient is grouped: each chunk of images has its own sum in double precision, and
/// their sums are added in order. As many chunks as fit into 8 MiB of sums, at most 16.
struct Chunks {
    std::int64_t count, images_each;
    explicit Chunks(const ConvShape& s) {
        const std::int64_t weights = std::max<std::int64_t>(1, s.groups * s.out_channels * s.depth());
        const std::int64_t most = std::clamp<std::int64_t>((1 << 20) / weights, 1, 16);
        images_each = std::max<std::int64_t>(1, cuts(s.images, most));
        count = std::max<std::int64_t>(1, cuts(s.images, images_each));
    }
};

// (dy, x) -> dw. A task is a chunk of images and, of one group, some channels of x and some of y:
// ∂w (O, K) += ∂y (O, P) · columnsᵀ (P, K), a product per block of at most 512 positions.
template <class T> GradusStatus run_weight_gradient(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->inputs[1], call->outputs[0], call->inputs[0]);
    if (is_depthwise(s, 1)) return run_depthwise_weight_gradient<T>(call, s);
    const T *dy = in<T>(call, 0), *x = in<T>(call, 1);
    T* dw = out<T>(call, 0);
    const Chunks chunks(s);
    const std::int64_t weights = s.groups * s.out_channels * s.depth();
    const std::int64_t channels_each = channels_at_once(s), parts = cuts(s.channels, channels_each);
    const std::int64_t out_each = std::min<std::int64_t>(s.out_channels, 256), out_parts = cuts(s.out_channels, out_each);
    const std::int64_t rows_each = channels_each * s.taps(), at_once = positions_at_once(s, rows_each, 512);
    const std::unique_ptr<double[]> sums(new (std::nothrow) double[static_cast<std::size_t>(chunks.count * weights)]());
    if (!sums) return GRADUS_FAILED;
    const auto& path = path_of<T>(call);
    const auto run = [&](std::int64_t task, T* scratch) {
        const std::int64_t out_channel = task % out_parts * out_each, outs = std::min(out_each, s.out_channels - out_channel);
        const std::int64_t channel = task / out_parts % parts * channels_each,
                           channels = std::min(channels_each, s.channels - channel);
        const std::int64_t group = task / out_parts / parts % s.groups, chunk = task / out_parts / parts / s.groups;
        const std::int64_t rows = channels * s.taps();
        T *columns = scratch, *part = scratch + rows_each * at_once;
        double* sum = sums.get() + chunk * weights + (group * s.out_channels + out_channel) * s.depth() + channel * s.taps();
        ProductPiece<T> p;
        p.a_row = s.positions(), p.a_column = 1, p.b_row = 1;
        p.c = part, p.c_row = rows;
        p.row_until = outs, p.column_until = rows;
        const std::int64_t last = std::min(s.images, (chunk + 1) * chunks.images_each);
        for (std::int64_t n = chunk * chunks.images_each; n < last; ++n)
            for (std::int64_t from = 0; from < s.positions(); from += at_once) {
                const std::int64_t until = std::min(s.positions(), from + at_once);
                const T* image = x + ((n * s.groups + group) * s.channels + channel) * s.plane();
                if (s.plain()) {
                    p.b = image + from, p.b_column = s.plane();
                } else {
                    image_to_columns(s, image, channels, from, until, columns, until - from);
                    p.b = columns, p.b_column = until - from;
                }
                p.a = dy + ((n * s.groups + group) * s.out_channels + out_channel) * s.positions() + from;
                p.depth = until - from;
                path.product(p);
                for (std::int64_t o = 0; o < outs; ++o)
                    for (std::int64_t k = 0; k < rows; ++k) sum[o * s.depth() + k] += static_cast<double>(part[o * rows + k]);
            }
    };
    const std::int64_t scratch = rows_each * at_once + out_each * rows_each;
    const GradusStatus status =
        over_tasks<T>(call, chunks.count * s.groups * parts * out_parts, scratch, s.multiply_adds() < parallel_convolution, run);
    if (status != GRADUS_OK) return status;
    over_pieces(call, weights, chunks.count, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            double sum = 0;
            for (std::int64_t chunk = 0; chunk < chunks.count; ++chunk)
                sum += sums[static_cast<std::size_t>(chunk * weights + i)];
            dw[i] = static_cast<T>(sum);
        }
    });
    return GRADUS_OK;
}

/// The shape of im2col's columns: one group of all channels, the kernel's sizes from the attributes.
ConvShape column_shape(const GradusCall* call, const GradusArray& image) {
    ConvShape s;
    s.window = Window2d::from(call->attributes);
    s.images = image.sizes[0], s.groups = 1;
    s.channels = image.sizes[1], s.height = image.sizes[2], s.width = image.sizes[3];
    s.kernel_h = s.window.kernel_h, s.kernel_w = s.window.kernel_w;
    s.out_height = s.window.positions_h(s.height), s.out_width = s.window.positions_w(s.width);
    s.out_channels = 0;
    return s;
}

// x (N, C, H, W) -> columns (N, C·taps, P)
template <class T> GradusStatus run_im2col(const GradusCall* call) {
    const ConvShape s = column_shape(call, call->inputs[0]);
    const T* x = in<T>(call, 0);
    T* y = out<T>(call, 0);
    over_pieces(call, s.images * s.channels, s.taps() * s.positions(), [&](std::int64_t from, std::int64_t until) {
        image_to_columns(s, x + from * s.plane(), until - from, 0, s.positions(), y + from * s.taps() * s.positions(),
                         s.positions());
    });
    return GRADUS_OK;
}

// columns (N, C·taps, P) -> y (N, C, H, W)
template <class T> GradusStatus run_col2im(const GradusCall* call) {
    const ConvShape s = column_shape(call, call->outputs[0]);
    const T* x = in<T>(call, 0);
    T* y = out<T>(call, 0);
    over_pieces(call, s.images * s.channels, s.taps() * s.positions(), [&](std::int64_t from, std::int64_t until) {
        std::fill(y + from * s.plane(), y + until * s.plane(), T(0));
        columns_onto_image(s, x + from * s.taps() * s.positions(), s.positions(), until - from, 0, s.positions(),
                           y + from * s.plane());
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 6> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"conv2d", t, run_conv2d<T>},
        {"conv2d_backward_input", t, run_input_gradient<T>},
        {"conv2d_backward_weight", t, run_weight_gradient<T>},
        {"conv_transpose2d", t, run_input_gradient<T>},
        {"im2col", t, run_im2col<T>},
        {"col2im", t, run_col2im<T>},
    }};
}

} // namespace

std::span<const Kernel> conv_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
