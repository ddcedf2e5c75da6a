// Any bytes as card.toml, with texts that are there.
#include "engine/core/error.hpp"
#include "lessons/runtime/card.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path folder = fmt::format("/dev/shm/gradus-fuzz-card-{}", getpid());
    static const bool made = [] {
        std::filesystem::create_directories(folder / "card");
        for (const char* name : {"en.md", "ko.md"}) std::ofstream(folder / "card" / name) << "# t\n\n## one\n\ntext\n";
        return std::atexit([] { std::filesystem::remove_all(folder); }) == 0;
    }();
    static_cast<void>(made);
    std::ofstream(folder / "card/card.toml", std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        gradus::load_card(folder / "card");
    } catch (const gradus::FileError&) {
    }
    return 0;
}
