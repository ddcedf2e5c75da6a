#include "engine/backend/simt/simt_backend.hpp"

#include "engine/backend/simt/launcher.hpp"
#include "engine/core/error.hpp"
#include "engine/simt/kernel_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gradus {

namespace {

using simt::Binding;
using simt::Launcher;
using simt::ReadyRung;

Launcher& launcher_of(GradusContext* context) { return *reinterpret_cast<Launcher*>(context); }

/// Arrays that lie row by row; but input 0 column by column where the binding turns it.
bool lies_right(const GradusArray& array, bool transposed) {
    if (transposed) return array.rank == 2 && array.strides[0] == 1 && array.strides[1] == array.sizes[0];
    std::int64_t stride = 1;
    for (int axis = array.rank - 1; axis >= 0; --axis) {
        if (array.sizes[axis] != 1 && array.strides[axis] != stride) return false;
        stride *= array.sizes[axis];
    }
    return true;
}

/// The rung of binding number i for a call, or null; what is wrong with the kernel itself becomes the context's trouble.
const ReadyRung* ready(Launcher& launcher, std::size_t i, const GradusCall& call) {
    const Binding& binding = simt::bindings()[i];
    for (int input = 0; input < call.input_count; ++input)
        if (!lies_right(call.inputs[input], binding.transposes && input == 0)) return nullptr;
    return launcher.ready(binding, call);
}

/// A kernel is a plain function, so that each binding has one of its own, which knows its number.
template <std::size_t i> GradusStatus run(const GradusCall* call) {
    Launcher& launcher = launcher_of(call->context);
    try {
        const ReadyRung* rung = ready(launcher, i, *call);
        if (!rung) return GRADUS_BAD_ARGUMENT;
        launcher.run(*rung, *call);
        return GRADUS_OK;
    } catch (const ArgumentError& error) {
        launcher.trouble = error.what();
        return GRADUS_BAD_ARGUMENT;
    } catch (const std::exception& error) {
        launcher.trouble = error.what();
        return GRADUS_FAILED;
    }
}

constexpr std::size_t most_bindings = 96;
constexpr auto kernels = []<std::size_t... i>(std::index_sequence<i...>) { return std::array<GradusKernel, sizeof...(i)>{run<i>...}; }
(std::make_index_sequence<most_bindings>());

GradusStatus find(GradusContext* context, const char* op, GradusCall* call, GradusKernel* kernel, const char** implementation) {
    Launcher& launcher = launcher_of(context);
    launcher.trouble.clear();
    try {
        for (std::size_t i = 0; i < simt::bindings().size(); ++i) {
            if (std::string_view(simt::bindings()[i].op) != op) continue;
            const ReadyRung* rung = ready(launcher, i, *call);
            if (!rung) continue;
            call->inner = nullptr;
            *kernel = kernels.at(i);
            *implementation = rung->name;
            return GRADUS_OK;
        }
        return GRADUS_UNSUPPORTED;
    } catch (const std::exception& error) {
        launcher.trouble = error.what();
        return GRADUS_FAILED;
    }
}

GradusStatus replace_kernel(GradusContext* context, const char* rung, const char* text) {
    Launcher& launcher = launcher_of(context);
    launcher.trouble.clear();
    try {
        launcher.replace(rung, text);
        return GRADUS_OK;
    } catch (const ArgumentError& error) {
        launcher.trouble = error.what();
        return GRADUS_BAD_ARGUMENT;
    } catch (const std::exception& error) {
        launcher.trouble = error.what();
        return GRADUS_FAILED;
    }
}

std::int32_t computes(const char* op, std::int32_t dtype) {
    return std::any_of(simt::bindings().begin(), simt::bindings().end(), [&](const Binding& binding) {
        return std::string_view(binding.op) == op && static_cast<std::int32_t>(binding.dtype) == dtype;
    });
}

bool has_compiler() {
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        if (access((std::string(rest.substr(0, colon)) + "/g++").c_str(), X_OK) == 0) return true;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return false;
}

GradusStatus open(const GradusOpenOptions* options, GradusContext** context, char* reason, std::int32_t reason_size) {
    const auto refuse = [&](const char* why) {
        std::snprintf(reason, static_cast<std::size_t>(reason_size), "device 'simt' cannot be used: %s", why);
        return GRADUS_UNSUPPORTED;
    };
    const std::string_view isa = options->isa ? options->isa : "";
    if (!isa.empty() && isa != "native") return refuse("its kernels are compiled for this processor; --isa is the cpu's");
    if (!has_compiler()) return refuse("no g++ is here, which compiles kernels for the CPU; install the package g++");
    const int threads = options->threads > 0 ? options->threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    try {
        simt::kernel_folder(); // says where it looked
        *context = reinterpret_cast<GradusContext*>(new Launcher(threads, options->rungs ? options->rungs : ""));
        return GRADUS_OK;
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
}

} // namespace

const GradusBackend& simt_backend() {
    static constexpr GradusBackend backend{
        GRADUS_BACKEND_VERSION,
        "simt",
        open,
        [](GradusContext* context) { delete &launcher_of(context); },
        find,
        computes,
        [](const GradusContext* context) -> std::int32_t { return reinterpret_cast<const Launcher*>(context)->threads(); },
        [](const GradusContext*) { return "native"; },
        [](const GradusContext*) { return "CUDA kernels on the CPU"; },
        [](const GradusContext* context) { return reinterpret_cast<const Launcher*>(context)->trouble.c_str(); },
        replace_kernel,
    };
    return backend;
}

} // namespace gradus
