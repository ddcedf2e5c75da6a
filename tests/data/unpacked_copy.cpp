#include "engine/data/unpacked_copy.hpp"

#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/variable.hpp"

#include <chrono>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace gradus;
using namespace gradus::test;

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

Dataset some_set(Dim examples, Dim tests) {
    const auto pool = std::make_shared<BufferPool>();
    const auto split = [&](Dim rows, Tensor& x, Tensor& y) {
        Bytes pixels;
        std::vector<std::int32_t> classes;
        for (Dim i = 0; i < rows * 5; ++i) pixels.push_back(static_cast<std::uint8_t>(i * 37 + rows));
        for (Dim i = 0; i < rows; ++i) classes.push_back(static_cast<std::int32_t>(i % 10));
        x = Tensor::from<std::uint8_t>(*pool, {{rows, "N"}, {5, "pixel"}}, pixels);
        y = Tensor::from<std::int32_t>(*pool, {{rows, "N"}}, classes);
    };
    Dataset set;
    split(examples, set.x, set.y);
    split(tests, set.test_x, set.test_y);
    set.hash = hash_of(set);
    return set;
}

Bytes bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder with an original and the copy made of it.
struct Kept {
    TemporaryFolder folder;
    std::vector<fs::path> originals{folder.write("original", Bytes{1, 2, 3})};
    fs::path file = fs::path(folder.path()) / "cache" / "copy";
    Dataset set = some_set(7, 3);
    UnpackedCopy copy() const { return {file, originals}; }
    void put(const Bytes& bytes) const {
        fs::remove(file); // as a new file: a copy that is being read stays what it was
        std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
};

} // namespace

TEST(unpacked_copy_gives_the_same_bits) {
    const Kept kept;
    CHECK(!kept.copy().read());
    CHECK(kept.copy().write(kept.set));
    const auto read = kept.copy().read();
    CHECK(read != nullptr);
    CHECK(same_bits(read->x, kept.set.x) && same_bits(read->y, kept.set.y));
    CHECK(same_bits(read->test_x, kept.set.test_x) && same_bits(read->test_y, kept.set.test_y));
    CHECK_EQUAL(read->hash, kept.set.hash);
    CHECK_EQUAL(read->x.shape()[1], 5);
    CHECK(!fs::exists(kept.file.string() + ".part"));
}

TEST(unpacked_copy_outlives_its_file) {
    const Kept kept;
    CHECK(kept.copy().write(kept.set));
    const auto read = kept.copy().read();
    fs::resize_file(kept.file, 100); // by a program that knows nothing of us
    fs::resize_file(kept.file, 400);
    CHECK(!kept.copy().read());
    CHECK(same_bits(read->x, kept.set.x));
    CHECK(kept.copy().write(some_set(2, 2))); // another process makes a new one
    CHECK_EQUAL(kept.copy().read()->x.shape()[0], 2);
    fs::remove_all(kept.file.parent_path());
    CHECK(same_bits(read->x, kept.set.x) && same_bits(read->test_y, kept.set.test_y));
}

TEST(unpacked_copy_stands_only_for_its_originals) {
    const Kept kept;
    CHECK(kept.copy().write(kept.set));
    fs::last_write_time(kept.originals[0], fs::last_write_time(kept.originals[0]) + std::chrono::nanoseconds(1'000'000));
    CHECK(!kept.copy().read());
    CHECK(kept.copy().write(kept.set));
    CHECK(kept.copy().read() != nullptr);
    const auto before = fs::last_write_time(kept.originals[0]);
    kept.folder.write("original", Bytes{3, 2, 1});
    fs::last_write_time(kept.originals[0], before); // set back, as if nothing had been written
    CHECK(!kept.copy().read());
    CHECK(kept.copy().write(kept.set));
    kept.folder.write("original", Bytes{1, 2, 3, 4});
    CHECK(!kept.copy().read());
    fs::remove(kept.originals[0]);
    CHECK(!kept.copy().read());
    CHECK(!kept.copy().write(kept.set));
}

TEST(unpacked_copy_that_is_damaged_is_none) { // every length, and every byte turned
    const Kept kept;
    CHECK(kept.copy().write(kept.set));
    const Bytes good = bytes_of(kept.file);
    int refused = 0, padding = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(at)), turned = good;
        turned[at] ^= 0x40;
        kept.put(cut);
        refused += !kept.copy().read();
        kept.put(turned);
        if (const auto read = kept.copy().read()) {
            ++padding;
            if (!same_bits(read->x, kept.set.x) || !same_bits(read->test_x, kept.set.test_x)) CHECK(false, "a turned byte was read");
        }
    }
    CHECK_EQUAL(static_cast<std::size_t>(refused), good.size());
    // The header and the four tensors fill five times 64 bytes, but for these:
    CHECK_EQUAL(padding, 64 * 5 - (56 + 35 + 28 + 15 + 12));
    Bytes longer = good;
    longer.push_back(0);
    kept.put(longer);
    CHECK(!kept.copy().read());
    for (const std::size_t field : {24u, 32u, 40u, 48u}) // sizes that lie
        for (const std::uint8_t top : {0x80, 0x7f, 0x01}) {
            Bytes lying = good;
            lying[field + 7] = top;
            kept.put(lying);
            CHECK(!kept.copy().read());
        }
}

TEST(unpacked_copy_needs_a_folder_that_can_be_written) {
    const Kept kept;
    const UnpackedCopy nowhere(fs::path(kept.originals[0]) / "copy", kept.originals); // a file stands where the folder should
    CHECK(!nowhere.write(kept.set));
    CHECK(!nowhere.read());
    fs::create_directories(kept.file); // a folder stands where the file should
    CHECK(!kept.copy().read());
    CHECK(!kept.copy().write(kept.set));
    CHECK(!fs::exists(kept.file.string() + ".part"));
    fs::remove(kept.file);
    CHECK_EQUAL(::mkfifo(kept.file.c_str(), 0600), 0); // a pipe: nobody waits at it
    CHECK(!kept.copy().read());
}

TEST(fashion_mnist_is_unpacked_once) {
    const TemporaryFolder cache;
    const Variable variable("XDG_CACHE_HOME", cache.path().c_str());
    std::future<bool> first, second;
    std::shared_ptr<const Dataset> unpacked;
    try {
        unpacked = open_fashion_mnist(first);
    } catch (const std::exception& error) {
        skip(error.what());
    }
    CHECK(first.valid() && first.get());
    const auto again = open_fashion_mnist(second);
    CHECK(!second.valid());
    CHECK_EQUAL(again->hash, unpacked->hash);
    CHECK_EQUAL(again->class_names, unpacked->class_names);
    CHECK(same_bits(again->x, unpacked->x) && same_bits(again->test_y, unpacked->test_y));
}
