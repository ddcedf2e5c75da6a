#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/idx.hpp"
#include "engine/data/unpacked_copy.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <future>

namespace gradus {

namespace {

constexpr std::size_t packed_limit = std::size_t{128} << 20;
constexpr std::size_t image_limit = std::size_t{64} << 20, label_limit = std::size_t{1} << 20; // a third more than there is

struct IdxFile {
    std::vector<std::uint8_t> unpacked;
    IdxArray array; ///< a view of it
    std::string path;
};

constexpr const char *image_suffix = "-images-idx3-ubyte", *label_suffix = "-labels-idx1-ubyte";

/// Packed or, where that is not there, as it is.
std::filesystem::path idx_path(const std::filesystem::path& directory, const std::string& name) {
    const std::filesystem::path packed = directory / (name + ".gz");
    std::error_code error; // which read_file will meet again and put into a sentence
    return !std::filesystem::exists(packed, error) && std::filesystem::exists(directory / name, error) ? directory / name : packed;
}

IdxFile read_idx(const std::filesystem::path& directory, const std::string& name, int rank) {
    const std::filesystem::path path = idx_path(directory, name);
    IdxFile file{gunzip(read_file(path, packed_limit), rank == 3 ? image_limit : label_limit, path.string()), {}, path.string()};
    file.array = parse_idx(file.unpacked, rank, path.string());
    return file;
}

struct Split {
    Tensor x, y;
};

/// Throws UnavailableError where a file is not there at all.
void require_file(const std::filesystem::path& directory, const std::string& name) {
    std::error_code error;
    const std::filesystem::path path = idx_path(directory, name);
    if (!std::filesystem::exists(path, error))
        throw UnavailableError(fmt::format("Fashion-MNIST is not whole: there is no {}; install the package "
                                           "dataset-fashion-mnist again", path.string()));
}

Split read_split(BufferPool& pool, const std::filesystem::path& directory, const std::string& prefix) {
    for (const char* suffix : {image_suffix, label_suffix}) require_file(directory, prefix + suffix);
    const IdxFile image_file = read_idx(directory, prefix + image_suffix, 3), label_file = read_idx(directory, prefix + label_suffix, 1);
    const IdxArray &images = image_file.array, &labels = label_file.array;
    if (images.sizes[0] != labels.sizes[0])
        throw FileError(fmt::format("{}: {} labels for {} images", label_file.path, labels.sizes[0],
                                    images.sizes[0]));
    if (images.sizes[1] != 28 || images.sizes[2] != 28)
        throw FileError(fmt::format("{}: images of {}×{}, but 28×28 is expected", image_file.path,
                                    images.sizes[1], images.sizes[2]));
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < labels.bytes.size(); ++i) {
        if (labels.bytes[i] > 9)
            throw FileError(fmt::format("{}: label {} is {}, but classes are 0 to 9",
                                        label_file.path, i, labels.bytes[i]));
        classes.push_back(labels.bytes[i]);
    }
    const Axis examples{images.sizes[0], "N"};
    return {Tensor::from<std::uint8_t>(pool, {examples, {28 * 28, "pixel"}}, images.bytes),
            Tensor::from<std::int32_t>(pool, {examples}, classes)};
}

/// What the files do not say.
std::shared_ptr<const Dataset> described(std::unique_ptr<Dataset> set) {
    set->name = "fashion-mnist";
    set->classes = 10;
    set->images = true;
    set->image_rows = set->image_columns = 28;
    set->class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                        "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    return set;
}

std::filesystem::path folder(const std::string& given) {
    const char* variable = std::getenv("GRADUS_FASHION_MNIST");
    if (variable && !*variable) variable = nullptr; // set to nothing: not set
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
    return directory;
}

} // namespace

std::shared_ptr<const Dataset> load_fashion_mnist(const std::string& given) {
    const std::filesystem::path directory = folder(given);
    const auto pool = std::make_shared<BufferPool>();
    auto out = std::make_unique<Dataset>();
    auto tests = std::async(std::launch::async, [&] { return read_split(*pool, directory, "t10k"); });
    const Split train = read_split(*pool, directory, "train"), test = tests.get();
    out->x = train.x;
    out->y = train.y;
    out->test_x = test.x;
    out->test_y = test.y;
    out->hash = hash_of(*out);
    return described(std::move(out));
}

std::shared_ptr<const Dataset> open_fashion_mnist(std::future<bool>& keeping) {
    const std::filesystem::path directory = folder({});
    std::vector<std::filesystem::path> originals;
    for (const char* prefix : {"train", "t10k"})
        for (const char* suffix : {image_suffix, label_suffix}) originals.push_back(idx_path(directory, std::string(prefix) + suffix));
    UnpackedCopy copy(user_folder(Keeps::cache) / "fashion-mnist", originals);
    if (auto set = copy.read()) return described(std::move(set));
    const auto set = load_fashion_mnist();
    keeping = std::async(std::launch::async, [copy = std::move(copy), set] { return copy.write(*set); });
    return set;
}

} // namespace gradus
