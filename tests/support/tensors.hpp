#pragma once

#include "engine/backend/registry.hpp"
#include "engine/core/tensor.hpp"

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gradus::test {

/// A shape without names.
Shape shape_of(std::initializer_list<Dim> sizes);

/// A contiguous tensor from doubles, each rounded once.
Tensor tensor_of(const Shape& shape, std::span<const double> values, DType dtype = DType::f64);
Tensor labels_of(std::initializer_list<std::int32_t> labels);
/// Standard normal numbers times `scale`, from a seed.
Tensor random_tensor(const Shape& shape, DType dtype, std::uint64_t seed, double scale = 1.0);
Tensor random_labels(Dim count, std::int32_t classes, std::uint64_t seed);
std::vector<double> values_of(const Tensor& tensor);

/// Whether ‖a − b‖₂ <= tolerance · ‖b‖₂ holds: 0 where a and b are the same numbers. NaN where one of the two has one.
double relative_error(const Tensor& a, std::span<const double> b);
double relative_error(const Tensor& a, const Tensor& b);
bool same_bits(const Tensor& a, const Tensor& b);

/// The ISA paths that this processor has, slowest first.
const std::vector<std::string>& isa_paths();
/// An opened CPU, the same one for the same arguments. Not for two threads at once.
std::shared_ptr<Device> cpu(const std::string& isa = "", int threads = 1);

/// Calls one kernel of a device on tensors, as a tape does. Strides of the inputs are handed on.
std::vector<Tensor> call_kernel(const Device& device, const char* op, const std::vector<Tensor>& inputs,
                                const std::vector<std::pair<Shape, DType>>& outputs,
                                const std::vector<double>& attributes = {});

/// A folder that is removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    /// Writes a file in it and returns its path.
    std::string write(const std::string& name, std::span<const std::uint8_t> bytes) const;

private:
    std::string path_;
};

} // namespace gradus::test
