#pragma once

#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/core/window2d.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

/// What the kernels of convolutions are made of; for the files of this folder only.
namespace gradus::cpu {

/// Multiply-adds below which a second thread costs more than it saves.
constexpr std::int64_t parallel_convolution = 1'000'000;

/// The sizes of one convolution y = conv2d(x, w), and of its gradients: images x (N, C, H, W), positions y (N, O, HO, WO).
struct ConvShape {
    std::int64_t images, groups;
    std::int64_t channels, height, width;             ///< of one group of x
    std::int64_t out_channels, out_height, out_width; ///< of one group of y
    std::int64_t kernel_h, kernel_w;
    Window2d window;

    std::int64_t plane() const { return height * width; }
    std::int64_t positions() const { return out_height * out_width; }
    std::int64_t taps() const { return kernel_h * kernel_w; }
    std::int64_t depth() const { return channels * taps(); } ///< rows of the columns: terms of one output
    /// The columns are x itself.
    bool plain() const {
        return taps() == 1 && window.stride_h == 1 && window.stride_w == 1 && window.padding_h == 0 && window.padding_w == 0 &&
               out_height == height && out_width == width;
    }
    double multiply_adds() const {
        return static_cast<double>(images * groups * out_channels * positions()) * static_cast<double>(depth());
    }
};

constexpr std::int64_t cuts(std::int64_t size, std::int64_t each) { return (size + each - 1) / each; }

inline ConvShape conv_shape(const GradusCall* call, const GradusArray& x, const GradusArray& weight, const GradusArray& y) {
    ConvShape s;
    s.window = Window2d::from(call->attributes);
    s.images = x.sizes[0];
    s.groups = s.window.groups;
    s.channels = x.sizes[1] / s.groups, s.height = x.sizes[2], s.width = x.sizes[3];
    s.out_channels = y.sizes[1] / s.groups, s.out_height = y.sizes[2], s.out_width = y.sizes[3];
    s.kernel_h = weight.sizes[2], s.kernel_w = weight.sizes[3];
    return s;
}

/// The part of an axis at which a tap meets the image: positions [from, until) whose place, position·stride + start, lies in
/// [0, size).
struct Met {
    std::int64_t from, until;
};
inline Met met(std::int64_t positions, std::int64_t size, std::int64_t stride, std::int64_t start) {
    const std::int64_t from = start >= 0 ? 0 : (-start + stride - 1) / stride;
    const std::int64_t until = size > start ? (size - start - 1) / stride + 1 : 0;
    return {std::min(from, positions), std::max(std::min(until, positions), std::min(from, positions))};
}

/// Calls segment(row, column_from, column_until, place) for every row of the columns of `channels` planes and every stretch of
/// its positions [from, until) that lies in one line of positions and meets the image: at column c, from `from` on, stands
/// the image's entry place + (c - column_from)·stride_w. What is not called stands on the border.
template <class Segment>
void over_columns(const ConvShape& s, std::int64_t channels, std::int64_t from, std::int64_t until, Segment&& segment) {
    const Window2d& w = s.window;
    std::int64_t row = 0;
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t i = 0; i < s.kernel_h; ++i) {
            const std::int64_t start_h = i * w.dilation_h - w.padding_h;
            const Met lines = met(s.out_height, s.height, w.stride_h, start_h);
            const std::int64_t first = std::max(lines.from, from / s.out_width);
            const std::int64_t last = std::min(lines.until, (until + s.out_width - 1) / s.out_width);
            for (std::int64_t j = 0; j < s.kernel_w; ++j, ++row) {
                const std::int64_t start_w = j * w.dilation_w - w.padding_w;
                const Met places = met(s.out_width, s.width, w.stride_w, start_w);
                for (std::int64_t line = first; line < last; ++line) {
                    const std::int64_t begin = line * s.out_width;
                    const std::int64_t a = std::max(begin + places.from, from), b = std::min(begin + places.until, until);
                    if (a < b)
                        segment(row, a - from, b - from,
                                (c * s.height + line * w.stride_h + start_h) * s.width + (a - begin) * w.stride_w + start_w);
                }
            }
        }
}

/// Writes the columns (channels·taps, until - from) of positions [from, until), rows `row` apart.
template <class T>
void image_to_columns(const ConvShape& s, const T* image, std::int64_t channels, std::int64_t from, std::int64_t until,
                      T* columns, std::int64_t row) {
    if (until > from)
        for (std::int64_t k = 0; k < channels * s.taps(); ++k)
            std::memset(columns + k * row, 0, static_cast<std::size_t>(until - from) * sizeof(T));
    const std::int64_t stride = s.window.stride_w;
    over_columns(s, channels, from, until, [=](std::int64_t k, std::int64_t a, std::int64_t b, std::int64_t place) {
        T* to = columns + k * row;
        const T* pixels = image + place;
        if (stride == 1) std::memcpy(to + a, pixels, static_cast<std::size_t>(b - a) * sizeof(T));
        else
            for (std::int64_t c = a; c < b; ++c) to[c] = pixels[(c - a) * stride];
    });
}

/// The columns of positions [from, until) where a kernel moves by single steps in a line: not made, but read from the images while
/// a product runs. For that the lines of the images that the positions meet are copied with their border, if there is one.
template <class T> class ImageLines {
public:
    ImageLines(const ConvShape& s, std::int64_t from, std::int64_t until)
        : shape_(s), first_line_(from / s.out_width), lines_(lines_of(s, cuts(until, s.out_width) - first_line_)) {
        const Window2d& w = s.window;
        bordered_ = w.padding_h > 0 || w.padding_w > 0;
        line_size_ = s.width + 2 * w.padding_w;
        plane_size_ = bordered_ ? lines_ * line_size_ : s.plane();
        column_ = from - first_line_ * s.out_width;
        starts_.reserve(static_cast<std::size_t>(s.depth()));
        for (std::int64_t c = 0; c < s.channels; ++c)
            for (std::int64_t i = 0; i < s.kernel_h; ++i)
                for (std::int64_t j = 0; j < s.kernel_w; ++j)
                    starts_.push_back(c * plane_size_ + i * w.dilation_h * line_size_ + j * w.dilation_w);
    }
    /// Room for the lines of `positions` positions, wherever they begin.
    static std::int64_t room(const ConvShape& s, std::int64_t positions) {
        return s.channels * lines_of(s, cuts(positions, s.out_width) + 1) * (s.width + 2 * s.window.padding_w);
    }

    /// Makes them B of a product whose C begins with the first position; they must outlive it.
    void read_by(ProductPiece<T>& p, const T* image, T* storage, std::int64_t positions) const {
        const std::int64_t first = first_line_ * shape_.window.stride_h - shape_.window.padding_h; // in the image
        p.b = bordered_ ? storage : image + first * shape_.width;
        p.b_starts = starts_.data();
        p.line = shape_.out_width, p.line_apart = shape_.window.stride_h * line_size_;
        p.column_from = column_, p.column_until = column_ + positions;
        p.c -= column_; // the line's first position
        if (bordered_)
            for (std::int64_t c = 0; c < shape_.channels; ++c)
                for (std::int64_t line = 0; line < lines_; ++line)
                    copy_line(image + c * shape_.plane(), first + line, storage + c * plane_size_ + line * line_size_);
    }

private:
    static std::int64_t lines_of(const ConvShape& s, std::int64_t out_lines) {
        return (out_lines - 1) * s.window.stride_h + (s.kernel_h - 1) * s.window.dilation_h + 1;
    }
    void copy_line(const T* plane, std::int64_t line, T* out) const {
        const std::int64_t border = shape_.window.padding_w, width = shape_.width;
        const bool inside = line >= 0 && line < shape_.height;
        for (std::int64_t x = 0; x < border; ++x) out[x] = out[border + width + x] = T(0);
        if (inside) std::copy_n(plane + line * width, width, out + border);
        else std::fill_n(out + border, width, T(0));
    }

    const ConvShape& shape_;
    std::int64_t first_line_, lines_, line_size_, plane_size_;
    std::int64_t column_; ///< of the first position, in its line
    bool bordered_;
    std::vector<std::int64_t> starts_;
};

/// Adds columns onto the image, in the order of rows and then of positions.
template <class T>
void columns_onto_image(const ConvShape& s, const T* columns, std::int64_t row, std::int64_t channels, std::int64_t from,
                        std::int64_t until, T* image) {
    const std::int64_t stride = s.window.stride_w;
    over_columns(s, channels, from, until, [=](std::int64_t k, std::int64_t a, std::int64_t b, std::int64_t place) {
        const T* part = columns + k * row + a;
        T* pixels = image + place;
        for (std::int64_t c = 0; c < b - a; ++c) pixels[c * stride] += part[c];
    });
}

/// Calls work(task, scratch) for every task in [0, tasks), where `scratch` is memory of `elements` T that the calling thread has
/// to itself; one thread does all where `alone`. A task's result must not depend on what the scratch holds.
template <class T, class Work>
GradusStatus over_tasks(const GradusCall* call, std::int64_t tasks, std::int64_t elements, bool alone, Work&& work) {
    WorkerPool& pool = call->context->pool;
    const std::int64_t slots = alone ? 1 : std::min<std::int64_t>(pool.threads(), tasks);
    const std::unique_ptr<T[]> memory(new (std::nothrow)
                                          T[static_cast<std::size_t>(std::max<std::int64_t>(1, slots * elements))]);
    if (!memory) return GRADUS_FAILED;
    if (slots <= 1) {
        for (std::int64_t task = 0; task < tasks; ++task) work(task, memory.get());
        return GRADUS_OK;
    }
    std::atomic<std::int64_t> next{0};
    pool.parallel_for(static_cast<int>(slots), [&](int slot) {
        for (std::int64_t task = next++; task < tasks; task = next++) work(task, memory.get() + slot * elements);
    });
    return GRADUS_OK;
}

} // namespace gradus::cpu
