#include "tests/support/tensors.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

namespace gradus::test {

namespace {

std::shared_ptr<BufferPool> pool() {
    static const auto shared = std::make_shared<BufferPool>();
    return shared;
}

} // namespace

Shape shape_of(std::initializer_list<Dim> sizes) {
    Shape shape;
    for (const Dim size : sizes) shape.append({size, {}});
    return shape;
}

Tensor tensor_of(const Shape& shape, std::span<const double> values, DType dtype) {
    return Tensor::from_numbers(*pool(), shape, dtype, values);
}

Tensor labels_of(std::initializer_list<std::int32_t> labels) {
    const std::vector<std::int32_t> values(labels);
    return Tensor::from<std::int32_t>(*pool(), shape_of({static_cast<Dim>(values.size())}), values);
}

Tensor random_tensor(const Shape& shape, DType dtype, std::uint64_t seed, double scale) {
    const Philox random(seed, 7);
    std::vector<double> values(static_cast<std::size_t>(shape.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale * random.normal(i);
    return tensor_of(shape, values, dtype);
}

Tensor random_labels(Dim count, std::int32_t classes, std::uint64_t seed) {
    const Philox random(seed, 8);
    std::vector<std::int32_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int32_t>(random.below(i, static_cast<std::uint32_t>(classes)));
    return Tensor::from<std::int32_t>(*pool(), shape_of({count}), values);
}

std::vector<double> values_of(const Tensor& tensor) {
    std::vector<double> values(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.at(static_cast<Dim>(i));
    return values;
}

double relative_error(const Tensor& a, std::span<const double> b) {
    if (a.elements() != static_cast<Dim>(b.size())) return NAN;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double d = a.at(static_cast<Dim>(i)) - b[i];
        difference += d * d;
        norm += b[i] * b[i];
    }
    return difference == 0 ? 0 : std::sqrt(difference / norm); // infinity where only b is zero
}

double relative_error(const Tensor& a, const Tensor& b) { return relative_error(a, values_of(b)); }

bool same_bits(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || !a.shape().same_sizes(b.shape()) || !a.defined() || !b.defined()) return false;
    const Tensor first = a.contiguous_copy(*pool()), second = b.contiguous_copy(*pool());
    return std::memcmp(first.raw(), second.raw(), first.bytes()) == 0;
}

const std::vector<std::string>& isa_paths() {
    static const std::vector<std::string> paths = [] {
        std::vector<std::string> out;
        for (const char* isa : {"baseline", "avx2", "avx512"}) {
            try {
                const Device device({"cpu", isa, 1});
                out.push_back(isa);
            } catch (const UnavailableError&) {
            }
        }
        return out;
    }();
    return paths;
}

std::shared_ptr<Device> cpu(const std::string& isa, int threads) {
    static std::map<std::pair<std::string, int>, std::shared_ptr<Device>> opened;
    static std::mutex mutex; // protects opened
    const std::lock_guard lock(mutex);
    auto& device = opened[{isa, threads}];
    if (!device) device = std::make_shared<Device>(DeviceOptions{"cpu", isa, threads});
    return device;
}

std::vector<Tensor> call_kernel(const Device& device, const char* op, const std::vector<Tensor>& inputs,
                                const std::vector<std::pair<Shape, DType>>& outputs,
                                const std::vector<double>& attributes) {
    GradusCall call{};
    const auto array = [](const Tensor& tensor) {
        GradusArray out{};
        out.data = const_cast<std::byte*>(tensor.raw());
        out.rank = tensor.shape().rank();
        out.dtype = static_cast<std::int32_t>(tensor.dtype());
        for (int axis = 0; axis < out.rank; ++axis) {
            out.sizes[axis] = tensor.shape()[axis];
            out.strides[axis] = tensor.stride(axis);
        }
        return out;
    };
    std::vector<Tensor> made;
    for (const auto& [shape, dtype] : outputs) {
        const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * size_of(dtype);
        StorageRef storage = pool()->allocate(bytes);
        std::memset(storage.data(), 0x5a, storage.bytes()); // what a kernel forgets to write shows
        made.emplace_back(storage, shape, dtype);
    }
    for (const Tensor& input : inputs) call.inputs[call.input_count++] = array(input);
    for (const Tensor& output : made) call.outputs[call.output_count++] = array(output);
    for (std::size_t i = 0; i < attributes.size(); ++i) call.attributes[i] = attributes[i];
    if (device.find(op, call).kernel(&call) != GRADUS_OK) throw Error(std::string(op) + " failed");
    return made;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gradus-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder: " + name);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

std::string TemporaryFolder::write(const std::string& name, std::span<const std::uint8_t> bytes) const {
    const std::string path = path_ + "/" + name;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
    return path;
}

} // namespace gradus::test
