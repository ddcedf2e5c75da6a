#pragma once

#include "engine/core/tensor.hpp"

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Examples with classes, for training and for testing.
struct Dataset {
    std::string name;
    Tensor x;      ///< (N, in): uint8 pixels, or fp64 coordinates
    Tensor y;      ///< (N) int32 class
    Tensor test_x; ///< like x
    Tensor test_y;
    int classes = 0;
    bool images = false;        ///< rows are images of image_rows × image_columns pixels
    int image_rows = 0, image_columns = 0;
    std::vector<std::string> class_names;
    std::uint64_t hash = 0; ///< of all four tensors

    Dim size() const { return x.shape()[0]; }
    Dim width() const { return x.shape()[1]; }
};

/// Of its four tensors, in the order in which they are declared.
std::uint64_t hash_of(const Dataset& set);
/// The same from those of its tensors: x, y, test_x and test_y.
std::uint64_t joined_hash(std::span<const std::uint64_t> tensors);

/// Names that make_dataset knows, in the order in which they are listed.
const std::vector<std::string>& dataset_names();

/// How many test images a data set of this name has when it is whole; 0: its examples are no images.
Dim test_images_of(std::string_view name);

/// Fashion-MNIST from its IDX files, in `directory` or where Debian's package dataset-fashion-mnist puts them
/// (the environment variable GRADUS_FASHION_MNIST names another folder).
/// Throws UnavailableError naming the package if the folder is missing, FileError naming a damaged file.
/// Source: Xiao, Rasul, Vollgraf 2017.
std::shared_ptr<const Dataset> load_fashion_mnist(const std::string& directory = {});

/// The same, sooner, where an unpacked copy of those files is kept (see UnpackedCopy); where none is,
/// `keeping` becomes the writing of one on a thread of its own.
std::shared_ptr<const Dataset> open_fashion_mnist(std::future<bool>& keeping);

/// Points in the plane, drawn from the seed: "xor" (the four corners of the unit square), "spirals", "blobs",
/// "moons", "rings" (400 points to train and 400 to test). The same seed gives the same points on every machine.
std::shared_ptr<const Dataset> generate_points(std::string_view name, std::uint64_t seed);

/// Loads or generates each data set once and shares it. Thread-safe.
class DataStore {
public:
    /// Throws ArgumentError for an unknown name, and what the loaders throw.
    std::shared_ptr<const Dataset> get(const std::string& name, std::uint64_t seed);
    /// What get() has given before. Never waits: null where it has not, or while another data set is being loaded.
    std::shared_ptr<const Dataset> loaded(const std::string& name, std::uint64_t seed);

private:
    static std::pair<std::string, std::uint64_t> key_of(const std::string& name, std::uint64_t seed);

    std::mutex mutex_; // protects the members below; held while loading, so that nothing is loaded twice
    std::future<bool> keeping_; ///< waited for at the end
    std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const Dataset>> loaded_;
};

/// The program's own: what the window has once read stays, whatever lesson is opened next.
std::shared_ptr<DataStore> shared_data();

} // namespace gradus
