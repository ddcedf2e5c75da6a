// Any bytes as a .gradus file.
#include "engine/core/error.hpp"
#include "engine/trace/file/reader.hpp"
#include "tests/fuzz/as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        gradus::read_run_file(gradus::test::as_file(data, size));
    } catch (const gradus::FileError&) {
    }
    return 0;
}
