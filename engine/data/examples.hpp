#pragma once

#include "engine/core/tensor.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// One tensor of every example, or of every batch.
struct Field {
    std::string name;
    Shape shape; ///< of one example; the largest it may be where axis 0 differs from example to example
    DType dtype = DType::f32;
    bool ragged = false; ///< axis 0 may be shorter
    double padding = 0;  ///< what a batch holds where it is

    std::size_t bytes() const { return static_cast<std::size_t>(shape.elements()) * size_of(dtype); }
};

/// An example as it was loaded: the bytes of each field, row-major; fewer than the field's where it is ragged.
using Sample = std::vector<std::vector<std::byte>>;

/// A numbered set of examples that are loaded one at a time: what a Loader reads. load() is called by several threads at once.
class Examples {
public:
    virtual ~Examples() = default;
    virtual Dim size() const = 0;
    virtual const std::vector<Field>& fields() const = 0;
    /// Fills in `sample`, whose vectors are kept from call to call. Throws an Error whose sentence says what is wrong with the
    /// example.
    virtual void load(Dim index, Sample& sample) const = 0;
};

/// The rows of tensors: example i is row i of each. Throws ShapeError where they have none or differ in number.
class TensorExamples : public Examples {
public:
    TensorExamples(std::vector<std::string> names, std::vector<Tensor> tensors);
    Dim size() const override { return tensors_[0].shape()[0]; }
    const std::vector<Field>& fields() const override { return fields_; }
    void load(Dim index, Sample& sample) const override;

private:
    std::vector<Tensor> tensors_;
    std::vector<Field> fields_;
};

/// Makes a batch out of samples: sample i becomes row i of each field of the batch; batch[f] is the memory of field f. Rows
/// beyond the samples are the loader's affair. Called by several threads at once, so it keeps nothing.
using Collate = std::function<void(std::span<const Sample> samples, std::span<std::byte* const> batch)>;

/// Rows one after the other, ragged ones padded at their end. Throws ShapeError for a sample of another size.
Collate stacked(std::vector<Field> fields);
/// As stacked, but field `which`, of bytes (uint8), becomes numbers: y = x · scale in `dtype`, fp32 or fp64, with the bits that
/// the op gather gives.
Collate stack_scaled(std::vector<Field> fields, std::size_t which, double scale, DType dtype);
/// The fields with one of another type: those of the batches that stack_scaled makes.
std::vector<Field> with_type(std::vector<Field> fields, std::size_t which, DType dtype);
/// Writes `count` elements of a field's padding.
void fill_padding(const Field& field, std::byte* to, std::size_t count);

} // namespace gradus
