// Sources are listed by hand; one that no list names would never be built, and a test in it never run.
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// True if a CMakeLists.txt of the file's folder or one above it, up to the root, names the file.
bool is_listed(const fs::path& file, const fs::path& root) {
    for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
        std::ifstream stream(folder / "CMakeLists.txt");
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (text.find(file.filename().string()) != std::string::npos) return true;
        if (folder == root) return false;
    }
}

} // namespace

TEST(every_source_is_built) {
    const fs::path root = source_path("");
    int sources = 0;
    for (const char* folder : {"engine", "lessons", "views", "app", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".cpp") continue;
            ++sources;
            if (entry.path().parent_path() == root / "tests/fuzz") continue; // named without their ending
            CHECK(is_listed(entry.path(), root / folder), fs::relative(entry.path(), root).string());
        }
    CHECK(sources > 150, std::to_string(sources));
}
