#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/idx.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <future>

namespace gradus {

namespace {

constexpr std::size_t packed_limit = std::size_t{128} << 20, unpacked_limit = std::size_t{256} << 20;

struct IdxFile {
    std::vector<std::uint8_t> unpacked;
    IdxArray array; ///< a view of it
};

IdxFile read_idx(const std::filesystem::path& directory, const std::string& name, int rank) {
    std::filesystem::path path = directory / (name + ".gz");
    std::error_code error; // which read_file will meet again and put into a sentence
    if (!std::filesystem::exists(path, error) && std::filesystem::exists(directory / name, error))
        path = directory / name;
    IdxFile file{gunzip(read_file(path, packed_limit), unpacked_limit, path.string()), {}};
    file.array = parse_idx(file.unpacked, rank, path.string());
    return file;
}

struct Split {
    Tensor x, y;
};

Split read_split(BufferPool& pool, const std::filesystem::path& directory, const std::string& prefix) {
    const std::string image_name = prefix + "-images-idx3-ubyte", label_name = prefix + "-labels-idx1-ubyte";
    const IdxFile image_file = read_idx(directory, image_name, 3), label_file = read_idx(directory, label_name, 1);
    const IdxArray &images = image_file.array, &labels = label_file.array;
    if (images.sizes[0] != labels.sizes[0])
        throw FileError(fmt::format("{}: {} labels for {} images", (directory / label_name).string(), labels.sizes[0],
                                    images.sizes[0]));
    if (images.sizes[1] != 28 || images.sizes[2] != 28)
        throw FileError(fmt::format("{}: images of {}×{}, but 28×28 is expected", (directory / image_name).string(),
                                    images.sizes[1], images.sizes[2]));
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < labels.bytes.size(); ++i) {
        if (labels.bytes[i] > 9)
            throw FileError(fmt::format("{}: label {} is {}, but classes are 0 to 9",
                                        (directory / label_name).string(), i, labels.bytes[i]));
        classes.push_back(labels.bytes[i]);
    }
    const Axis examples{images.sizes[0], "N"};
    return {Tensor::from<std::uint8_t>(pool, {examples, {28 * 28, "pixel"}}, images.bytes),
            Tensor::from<std::int32_t>(pool, {examples}, classes)};
}

} // namespace

std::shared_ptr<const Dataset> load_fashion_mnist(const std::string& given) {
    const char* variable = std::getenv("GRADUS_FASHION_MNIST");
    const std::filesystem::path directory =
        !given.empty() ? given : variable ? variable : "/usr/share/datasets/fashion-mnist";
    std::error_code error;
    if (!std::filesystem::is_directory(directory, error) && given.empty() && variable)
        throw UnavailableError(fmt::format("GRADUS_FASHION_MNIST is '{}', which is no folder: name the folder of the "
                                           "four IDX files there, or unset it to use the package dataset-fashion-mnist",
                                           variable));
    if (!std::filesystem::is_directory(directory, error))
        throw UnavailableError(fmt::format("Fashion-MNIST is not in {}: install the package dataset-fashion-mnist",
                                           directory.string()));
    const auto pool = std::make_shared<BufferPool>();
    auto out = std::make_shared<Dataset>();
    out->name = "fashion-mnist";
    auto tests = std::async(std::launch::async, [&] { return read_split(*pool, directory, "t10k"); });
    const Split train = read_split(*pool, directory, "train"), test = tests.get();
    out->x = train.x;
    out->y = train.y;
    out->test_x = test.x;
    out->test_y = test.y;
    out->classes = 10;
    out->images = true;
    out->image_rows = out->image_columns = 28;
    out->class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                        "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    for (const Tensor* tensor : {&out->x, &out->y, &out->test_x, &out->test_y})
        out->hash = out->hash * 31 + hash_tensor(*tensor);
    return out;
}

} // namespace gradus
