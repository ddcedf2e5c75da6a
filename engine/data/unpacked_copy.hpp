#pragma once

#include "engine/data/dataset.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace gradus {

/// The tensors of a packed data set in one file of the user's cache folder, so that the originals are unpacked once
/// and not at every start. It stands for them only while they are the files that it was made of (path, size, time of
/// last changes), and only if what is read has the hash that the data set had; else the originals are read again.
///
/// The file: 8 bytes "GRADUSd1"; hash of the originals' names, sizes and times; hash of the data set; rows and columns
/// of x, then of test_x (64-bit, as the machine orders bytes); then the elements of x, y, test_x and test_y. Each part
/// begins at a multiple of 64 bytes.
class UnpackedCopy {
public:
    UnpackedCopy(std::filesystem::path file, const std::vector<std::filesystem::path>& originals);

    /// The four tensors (pixels as uint8, classes as int32) and their hash; null if there is no copy, if it is damaged,
    /// or if an original is gone or has changed.
    std::unique_ptr<Dataset> read() const;
    /// Writes the copy, whole or not at all. False if the folder cannot be written or another process is at it.
    bool write(const Dataset& set) const;


private:
    std::filesystem::path file_;
    std::uint64_t originals_ = 0; ///< 0: one of them is not there
};

} // namespace gradus
