#include "engine/data/idx.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/data/dataset.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <zlib.h>

using namespace gradus;
using namespace gradus::test;

// The largest single allocation, so that a file that lies about its size is seen to have reserved nothing for it.
static std::atomic<std::size_t> largest_allocation{0};

[[gnu::noinline]] void* operator new(std::size_t bytes) {
    if (bytes > largest_allocation.load(std::memory_order_relaxed)) largest_allocation.store(bytes, std::memory_order_relaxed);
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes gzipped(const Bytes& bytes) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    Bytes out(deflateBound(&stream, bytes.size()) + 64);
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

Bytes idx(const std::vector<std::uint32_t>& sizes, std::size_t data, std::uint8_t value = 3) {
    Bytes out{0, 0, 8, static_cast<std::uint8_t>(sizes.size())};
    for (const std::uint32_t size : sizes)
        for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::uint8_t>(size >> shift));
    out.insert(out.end(), data, value);
    return out;
}

Bytes with(Bytes bytes, std::size_t at, std::uint8_t value) {
    bytes.at(at) = value;
    return bytes;
}
Bytes cut(Bytes bytes, std::size_t length) {
    bytes.resize(length);
    return bytes;
}
Bytes and_more(Bytes bytes, std::size_t extra) {
    bytes.resize(bytes.size() + extra, 0);
    return bytes;
}

constexpr std::size_t pixels = 28 * 28;

/// A small data set of the right form, of which one file can be damaged.
struct Files {
    Bytes train_images = idx({5, 28, 28}, 5 * pixels), train_labels = idx({5}, 5);
    Bytes test_images = idx({2, 28, 28}, 2 * pixels), test_labels = idx({2}, 2);
    void write(const TemporaryFolder& folder, bool gz) const {
        const auto put = [&](const char* name, const Bytes& bytes) {
            // damaged gzip data comes as it is
            const bool packed = bytes.size() > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
            folder.write(gz || packed ? std::string(name) + ".gz" : name, gz && !packed ? gzipped(bytes) : bytes);
        };
        put("train-images-idx3-ubyte", train_images);
        put("train-labels-idx1-ubyte", train_labels);
        put("t10k-images-idx3-ubyte", test_images);
        put("t10k-labels-idx1-ubyte", test_labels);
    }
};

struct Damage {
    const char* name;
    const char* file; ///< must be named
    Files files;
    const char* says;
};

std::vector<Damage> damages() {
    std::vector<Damage> rows;
    const Files good;
    const auto images = [&](const char* name, Bytes bytes, const char* says) {
        Files files = good;
        files.train_images = std::move(bytes);
        rows.push_back({name, "train-images-idx3-ubyte", std::move(files), says});
    };
    const auto labels = [&](const char* name, Bytes bytes, const char* says) {
        Files files = good;
        files.test_labels = std::move(bytes);
        rows.push_back({name, "t10k-labels-idx1-ubyte", std::move(files), says});
    };
    images("empty", {}, "cut off after 0");
    images("one byte", cut(good.train_images, 1), "cut off after 1");
    images("cut in the magic", cut(good.train_images, 3), "cut off after 3");
    images("cut after the magic", cut(good.train_images, 4), "cut off after 4");
    images("cut in a size", cut(good.train_images, 7), "cut off after 7");
    images("cut before the last size", cut(good.train_images, 12), "cut off after 12");
    images("cut after the header", cut(good.train_images, 16), "but 0 follow");
    images("cut in an image", cut(good.train_images, 16 + 1000), "but 1000 follow");
    images("last byte missing", cut(good.train_images, good.train_images.size() - 1), "but 3919 follow");
    images("one byte more", and_more(good.train_images, 1), "but 3921 follow");
    images("one image more", and_more(good.train_images, pixels), "promises 3920");
    images("wrong first byte", with(good.train_images, 0, 7), "magic");
    images("wrong second byte", with(good.train_images, 1, 1), "magic");
    images("signed bytes", with(good.train_images, 2, 0x09), "type 0x09");
    images("floats", with(good.train_images, 2, 0x0d), "type 0x0d");
    images("rank of labels", with(good.train_images, 3, 1), "of rank 1, but 3");
    images("rank 255", with(good.train_images, 3, 255), "of rank 255, but 3");
    images("rank 0", with(good.train_images, 3, 0), "of rank 0, but 3");
    images("no images", idx({0, 28, 28}, 0), "dimension 0 is empty");
    images("empty rows", idx({5, 28, 0}, 0), "dimension 2 is empty");
    images("says one more", idx({6, 28, 28}, 5 * pixels), "promises 4704");
    images("says four thousand million", idx({0xffffffffu, 28, 28}, 5 * pixels), "promises");
    images("sizes that overflow", idx({0xffffffffu, 0xffffffffu, 0xffffffffu}, 5 * pixels), "too large");
    images("sizes that wrap to a small product", idx({0x80000000u, 0x80000000u, 4}, 5 * pixels), "too large");
    images("little endian", idx({5u << 24, 28u << 24, 28u << 24}, 5 * pixels), "IDX sizes are too large");
    images("27 rows", idx({5, 27, 28}, 5 * 27 * 28), "27×28");
    labels("a label of 10", with(good.test_labels, 9, 10), "label 1 is 10");
    labels("a label of 255", with(good.test_labels, 8, 255), "label 0 is 255");
    labels("a label too many", idx({3}, 3), "3 labels for 2 images");
    labels("a label too few", idx({1}, 1), "1 labels for 2 images");
    labels("images for labels", good.test_images, "of rank 3, but 1");
    // packed
    const Bytes packed = gzipped(good.train_images);
    images("gzip cut in its header", cut(packed, 5), "gzip data");
    images("gzip cut in the middle", cut(packed, packed.size() / 2), "gzip data");
    images("gzip without its checksum", cut(packed, packed.size() - 8), "gzip data");
    images("gzip cut by a byte", cut(packed, packed.size() - 1), "gzip data");
    images("gzip with a flipped bit", with(packed, packed.size() / 2, packed[packed.size() / 2] ^ 0x10), "gzip data");
    images("gzip with a wrong checksum", with(packed, packed.size() - 6, packed[packed.size() - 6] ^ 1), "gzip data");
    images("gzip with a wrong length", with(packed, packed.size() - 2, packed[packed.size() - 2] ^ 1), "gzip data");
    images("gzip of another method", with(packed, 2, 7), "gzip data");
    images("gzip with bytes behind", and_more(packed, 3), "3 bytes follow");
    Bytes twice = packed;
    twice.insert(twice.end(), packed.begin(), packed.end());
    images("gzip twice", std::move(twice), "follow");
    return rows;
}

} // namespace

TEST(idx_files_that_are_damaged_say_so) {
    std::size_t count = 0;
    for (const Damage& damage : damages())
        for (const bool gz : {false, true}) {
            const Row row(fmt::format("{}{}", damage.name, gz ? ", packed" : ""));
            const TemporaryFolder folder;
            damage.files.write(folder, gz);
            largest_allocation.store(0);
            CHECK_THROWS(load_fashion_mnist(folder.path()), FileError, folder.path(), damage.file, damage.says);
            CHECK(largest_allocation.load() <= 1 << 20, std::to_string(largest_allocation.load()));
            ++count;
        }
    CHECK(count >= 60);
}

TEST(idx_files_of_the_right_form_are_read) {
    for (const bool gz : {false, true}) {
        const TemporaryFolder folder;
        Files files;
        files.train_images[16 + 784 + 5] = 200;
        files.write(folder, gz);
        const auto set = load_fashion_mnist(folder.path());
        CHECK_EQUAL(set->size(), 5);
        CHECK_EQUAL(set->width(), 784);
        CHECK_EQUAL(set->x.at(1, 5), 200.0);
        CHECK_EQUAL(set->test_y.at(1), 3.0);
        CHECK(set->images && set->image_rows == 28 && set->image_columns == 28 && set->classes == 10);
    }
}

TEST(idx_files_that_are_missing_are_named) {
    const TemporaryFolder folder;
    CHECK_THROWS(load_fashion_mnist(folder.path() + "/nowhere"), UnavailableError, "nowhere", "dataset-fashion-mnist");
    CHECK_THROWS(load_fashion_mnist(folder.path()), UnavailableError, "train-images-idx3-ubyte", "dataset-fashion-mnist");
    std::filesystem::create_directory(folder.path() + "/train-images-idx3-ubyte.gz");
    for (const char* name : {"train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) folder.write(name, Bytes{});
    CHECK_THROWS(load_fashion_mnist(folder.path()), FileError, "train-images-idx3-ubyte.gz", "not a file");
    const TemporaryFolder loop;
    std::filesystem::create_symlink("train-images-idx3-ubyte.gz", loop.path() + "/train-images-idx3-ubyte.gz");
    CHECK_THROWS(load_fashion_mnist(loop.path()), UnavailableError, "train-images-idx3-ubyte");
    CHECK_THROWS(load_fashion_mnist(folder.write("file", Bytes{1})), UnavailableError, "dataset-fashion-mnist");
    ::setenv("GRADUS_FASHION_MNIST", (folder.path() + "/elsewhere").c_str(), 1);
    CHECK_THROWS(load_fashion_mnist(), UnavailableError, "GRADUS_FASHION_MNIST is '", "elsewhere", "no folder");
    ::unsetenv("GRADUS_FASHION_MNIST");
}

TEST(gzip_that_unpacks_to_too_much_is_refused) {
    const Bytes bomb = gzipped(Bytes(64 << 20, 0)); // 64 MiB in some 64 KiB
    CHECK(bomb.size() < 100'000);
    largest_allocation.store(0);
    constexpr std::size_t limit = 8 << 20;
    CHECK_THROWS(gunzip(bomb, limit, "bomb.gz"), FileError, "bomb.gz", "8388608");
    CHECK(largest_allocation.load() <= limit, std::to_string(largest_allocation.load()));
    CHECK_EQUAL(gunzip(gzipped(Bytes(1000, 7)), 1000, "x"), Bytes(1000, 7));
    CHECK_THROWS(gunzip(gzipped(Bytes(1001, 7)), 1000, "x"), FileError, "x", "1000");
    CHECK_EQUAL(gunzip(Bytes{1, 2, 3}, 10, "x"), (Bytes{1, 2, 3})); // not gzip
}

TEST(files_beyond_the_limit_are_not_read) {
    const TemporaryFolder folder;
    const std::string path = folder.write("large", Bytes(100));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40); // a hole: takes no space
    largest_allocation.store(0);
    CHECK_THROWS(read_file(path, 1000), FileError, "large", "1099511627776", "1000");
    CHECK(largest_allocation.load() < 10'000);
    CHECK_EQUAL(read_file(folder.write("small", Bytes(1000, 5)), 1000), Bytes(1000, 5));
    CHECK_EQUAL(read_file(folder.write("none", Bytes{}), 1000), Bytes{});
    CHECK_THROWS(read_file(folder.path() + "/missing", 10), FileError, "missing", "no such file");
    CHECK_THROWS(read_file(folder.path(), 10), FileError, "not a file");
}

TEST(idx_bytes_are_read_at_every_length) { // no length of a good file, and no random bytes, do harm
    const Bytes good = idx({3, 4, 5}, 60);
    for (std::size_t length = 0; length < good.size(); ++length)
        CHECK_THROWS(parse_idx(std::span(good).first(length), 3, "here"), FileError, "here");
    CHECK_EQUAL(parse_idx(good, 3, "here").bytes.size(), 60u);
    std::uint64_t state = 1;
    for (int i = 0; i < 2000; ++i) {
        Bytes bytes = good;
        for (int flips = 0; flips < 4; ++flips) {
            state = hash_bytes(&state, sizeof state);
            bytes[state % bytes.size()] ^= static_cast<std::uint8_t>(state >> 32);
        }
        try {
            const IdxArray array = parse_idx(bytes, 3, "here");
            if (array.bytes.size() != 60) CHECK(array.bytes.size() == 60);
        } catch (const FileError&) {
        }
        count_check();
    }
}

TEST(fashion_mnist_is_the_published_one) {
    std::shared_ptr<const Dataset> set;
    try {
        set = load_fashion_mnist();
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    CHECK_EQUAL(set->size(), 60'000);
    CHECK_EQUAL(set->width(), 784);
    CHECK_EQUAL(set->test_x.shape()[0], 10'000);
    const std::vector<double> labels = values_of(set->y.rows(0, 10));
    CHECK_EQUAL(labels, (std::vector<double>{9, 0, 0, 3, 0, 2, 7, 2, 5, 5}));
    CHECK_EQUAL(values_of(set->test_y.rows(0, 10)), (std::vector<double>{9, 2, 1, 1, 6, 1, 4, 6, 5, 7}));
    std::vector<int> members(10);
    for (Dim i = 0; i < 60'000; ++i) ++members[static_cast<std::size_t>(set->y.at(i))];
    CHECK_EQUAL(members, std::vector<int>(10, 6000));
    CHECK_EQUAL(set->class_names.size(), 10u);
    CHECK_EQUAL(set->class_names[9], "Ankle boot");
    CHECK_EQUAL(hash_hex(set->hash), "d7958cdc7c524163");
}
