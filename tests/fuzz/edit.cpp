// Any text as an edit; what parses must print and parse to the same.
#include "engine/core/error.hpp"
#include "engine/trace/edit.hpp"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const gradus::Edit edit = gradus::Edit::parse({reinterpret_cast<const char*>(data), size});
        for (const double value : edit.values)
            if (std::isnan(value)) return 0; // equal to nothing
        if (!(gradus::Edit::parse(edit.text()) == edit)) std::abort();
    } catch (const gradus::ArgumentError&) {
    }
    return 0;
}
