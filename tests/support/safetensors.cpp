#include "tests/support/safetensors.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace gradus::test {

namespace {

DType dtype_from(const std::string& code) {
    if (code == "F64") return DType::f64;
    if (code == "F32") return DType::f32;
    if (code == "I32") return DType::i32;
    throw std::runtime_error("golden dtype " + code);
}

} // namespace

std::string source_path(const std::string& relative) {
    const char* other = std::getenv("GRADUS_SOURCE_FOLDER");
    return std::string(other ? other : GRADUS_SOURCE_FOLDER) + "/" + relative;
}

const Tensor& Golden::at(const std::string& name) const {
    const auto found = tensors.find(name);
    if (found == tensors.end()) throw std::runtime_error("the golden file has no tensor " + name);
    return found->second;
}

Golden read_golden(const std::string& name) {
    const std::string path = source_path("tests/golden/" + name + ".safetensors");
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (bytes.size() < 8) throw std::runtime_error(path + " cannot be read");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    if (length > bytes.size() - 8) throw std::runtime_error(path + " is cut off");
    const char* data = bytes.data() + 8 + length;
    const std::size_t available = bytes.size() - 8 - length;
    const auto header = nlohmann::json::parse(bytes.data() + 8, data);
    Golden golden;
    const auto pool = std::make_shared<BufferPool>();
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") {
            golden.metadata = entry.get<std::map<std::string, std::string>>();
            continue;
        }
        Shape shape;
        for (const auto& size : entry.at("shape")) shape.append({size.get<Dim>(), {}});
        const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
        const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
        StorageRef storage = pool->allocate(end - begin);
        Tensor tensor(storage, shape, dtype_from(entry.at("dtype").get<std::string>()));
        if (begin > end || end > available || end - begin != tensor.bytes())
            throw std::runtime_error(path + " holds a tensor outside of it: " + key);
        std::memcpy(storage.data(), data + begin, end - begin);
        golden.tensors.emplace(key, std::move(tensor));
    }
    return golden;
}

} // namespace gradus::test
