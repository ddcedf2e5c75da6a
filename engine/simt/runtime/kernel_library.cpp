#include "engine/simt/runtime/kernel_library.hpp"

#include "engine/core/error.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

extern "C" void* __tls_get_addr(void* where); // of the dynamic linker; where: {module, offset}

namespace gradus::simt {

KernelLibrary::KernelLibrary(const std::string& path) : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw FileError(fmt::format("{}: the kernel's library cannot be loaded: {}", path, dlerror()));
    link_map* map = nullptr;
    dlinfo(handle_, RTLD_DI_LINKMAP, &map);
    base_ = map->l_addr;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
            auto& library = *static_cast<KernelLibrary*>(self);
            if (info->dlpi_addr != library.base_) return 0;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                const Segment where{info->dlpi_addr + segment.p_vaddr, segment.p_memsz};
                if (segment.p_type == PT_TLS) library.shared_bytes_ = segment.p_memsz;
                if (segment.p_type != PT_LOAD) continue;
                if (segment.p_flags & PF_X) library.text_ = where;
                else library.data_.push_back(where);
            }
            return 1;
        },
        this);
    if (!dlsym(handle_, "simt_attach")) {
        dlclose(handle_);
        throw FileError(fmt::format("{}: not a kernel's library", path));
    }
}

KernelLibrary::~KernelLibrary() { dlclose(handle_); }

void KernelLibrary::attach(const SimtRuntime& runtime) const {
    reinterpret_cast<void (*)(const SimtRuntime*)>(dlsym(handle_, "simt_attach"))(&runtime);
}

SimtHooked& KernelLibrary::hooked() const {
    void* hooks = dlsym(handle_, "simt_hooks");
    if (!hooks) throw FileError(fmt::format("{}: the kernel's library has no hooks", path_));
    return *reinterpret_cast<SimtHooked* (*)()>(hooks)();
}

KernelEntry KernelLibrary::entry(int i) const {
    void* entry = dlsym(handle_, fmt::format("simt_entry_{}", i).c_str());
    if (!entry) throw FileError(fmt::format("{}: the kernel's library has no launch {}", path_, i));
    return reinterpret_cast<KernelEntry>(entry);
}

KernelLibrary::Segment KernelLibrary::shared() const {
    if (!shared_bytes_) return {};
    std::size_t where[2] = {0, 0};
    dlinfo(handle_, RTLD_DI_TLS_MODID, where);
    return {reinterpret_cast<std::uint64_t>(__tls_get_addr(where)), shared_bytes_};
}

} // namespace gradus::simt
