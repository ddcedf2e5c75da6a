#include "engine/data/examples.hpp"

#include "engine/core/error.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

TensorExamples::TensorExamples(std::vector<std::string> names, std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {
    if (tensors_.empty() || names.size() != tensors_.size())
        throw ShapeError(
            fmt::format("examples need a name for each of at least one tensor, not {} for {}", names.size(), tensors_.size()));
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const Tensor& tensor = tensors_[i];
        if (tensor.shape().rank() < 1 || tensor.shape()[0] != tensors_[0].shape()[0] || !tensor.contiguous())
            throw ShapeError(fmt::format("examples are rows of contiguous tensors of one length, but {} is {} beside {}",
                                         names[i], tensor.shape().text(), tensors_[0].shape().text()));
        Shape shape;
        for (int axis = 1; axis < tensor.shape().rank(); ++axis)
            shape.append({tensor.shape()[axis], tensor.shape().name(axis)});
        fields_.push_back({std::move(names[i]), shape, tensor.dtype()});
    }
}

void TensorExamples::load(Dim index, Sample& sample) const {
    if (index < 0 || index >= size()) throw ArgumentError(fmt::format("there is no example {}: the set has {}", index, size()));
    sample.resize(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        const std::size_t bytes = fields_[f].bytes();
        const std::byte* row = tensors_[f].raw() + static_cast<std::size_t>(index) * bytes;
        sample[f].assign(row, row + bytes);
    }
}

void fill_padding(const Field& field, std::byte* to, std::size_t count) {
    const std::size_t size = size_of(field.dtype);
    if (field.padding == 0 || count == 0) {
        std::memset(to, 0, count * size);
        return;
    }
    const auto pool = std::make_shared<BufferPool>();
    const double number[] = {field.padding};
    const Tensor one = Tensor::from_numbers(*pool, {{1, {}}}, field.dtype, number);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * size, one.raw(), size);
}

namespace {

void check(const Field& field, const std::vector<std::byte>& part) {
    const std::size_t whole = field.bytes();
    const std::size_t row =
        field.shape.rank() > 0 && field.shape[0] > 0 ? whole / static_cast<std::size_t>(field.shape[0]) : whole;
    const bool fits = field.ragged ? part.size() <= whole && (row == 0 || part.size() % row == 0) : part.size() == whole;
    if (!fits)
        throw ShapeError(fmt::format("{} of a sample has {} bytes, but {} of {} {} has {}{}", field.name, part.size(),
                                     field.name, field.shape.text(), name_of(field.dtype), field.ragged ? "at most " : "",
                                     whole));
}

void stack_field(const Field& field, std::size_t f, std::span<const Sample> samples, std::byte* to) {
    const std::size_t bytes = field.bytes(), size = size_of(field.dtype);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::vector<std::byte>& part = samples[i].at(f);
        check(field, part);
        if (!part.empty()) std::memcpy(to + i * bytes, part.data(), part.size());
        if (part.size() < bytes) fill_padding(field, to + i * bytes + part.size(), (bytes - part.size()) / size);
    }
}

template <class T> void scale_bytes(const std::vector<std::byte>& from, std::byte* to, double scale) {
    auto* out = reinterpret_cast<T*>(to);
    for (std::size_t i = 0; i < from.size(); ++i)
        out[i] = static_cast<T>(static_cast<std::uint8_t>(from[i])) * static_cast<T>(scale);
}

} // namespace

Collate stacked(std::vector<Field> fields) {
    return [fields = std::move(fields)](std::span<const Sample> samples, std::span<std::byte* const> batch) {
        for (std::size_t f = 0; f < fields.size(); ++f) stack_field(fields[f], f, samples, batch[f]);
    };
}

Collate stack_scaled(std::vector<Field> fields, std::size_t which, double scale, DType dtype) {
    if (which >= fields.size() || fields[which].dtype != DType::u8 || fields[which].ragged ||
        (dtype != DType::f32 && dtype != DType::f64))
        throw ArgumentError("only a field of bytes can be scaled, to fp32 or fp64");
    return
        [fields = std::move(fields), which, scale, dtype](std::span<const Sample> samples, std::span<std::byte* const> batch) {
            for (std::size_t f = 0; f < fields.size(); ++f) {
                if (f != which) {
                    stack_field(fields[f], f, samples, batch[f]);
                    continue;
                }
                for (std::size_t i = 0; i < samples.size(); ++i) {
                    check(fields[f], samples[i].at(f));
                    std::byte* to = batch[f] + i * fields[f].bytes() * size_of(dtype);
                    if (dtype == DType::f32) scale_bytes<float>(samples[i][f], to, scale);
                    else scale_bytes<double>(samples[i][f], to, scale);
                }
            }
        };
}

std::vector<Field> with_type(std::vector<Field> fields, std::size_t which, DType dtype) {
    fields.at(which).dtype = dtype;
    return fields;
}

} // namespace gradus
