// How what was recorded goes from the interpreter's process to the one that asked.

#include "engine/simt/runtime/launch_recorder.hpp"

namespace gradus::simt {

void LaunchRecord::write(BlobWriter& to) const {
    to.put_all(log.sites);
    to.put_all(log.blocks);
    to.put_all(log.site);
    to.put_all(log.mask);
    to.put_all(log.warp);
    to.put_all(log.payload);
    to.put_all(log.fma_step);
    to.put_all(log.fma_site);
    to.put_all(log.fma_lane);
    to.put_all(log.fmas);
    to.put(log.missed);
    to.put(std::uint64_t{log.collectives.size()});
    for (const std::string& name : log.collectives) to.put(name);
    to.put(std::uint64_t{memory.size()});
    for (const Memory& one : memory) {
        to.put(one.range);
        to.put_all(one.start);
        to.put(one.end_hash);
    }
    to.put(warps);
}

LaunchRecord LaunchRecord::read(BlobReader& from) {
    LaunchRecord out;
    KernelLog& log = out.log;
    log.sites = from.get_all<KernelLog::Site>();
    log.blocks = from.get_all<KernelLog::Block>();
    log.site = from.get_all<std::uint32_t>();
    log.mask = from.get_all<std::uint32_t>();
    log.warp = from.get_all<std::uint8_t>();
    log.payload = from.get_all<std::byte>();
    log.fma_step = from.get_all<std::uint32_t>();
    log.fma_site = from.get_all<std::uint32_t>();
    log.fma_lane = from.get_all<std::uint8_t>();
    log.fmas = from.get_all<KernelLog::Fma>();
    log.missed = from.get<std::int64_t>();
    for (std::uint64_t i = from.get_count(256); i > 0; --i) log.collectives.push_back(from.get_text());
    for (std::uint64_t i = from.get_count(256); i > 0; --i) {
        Memory one;
        one.range = from.get<std::uint8_t>();
        one.start = from.get_all<std::byte>();
        one.end_hash = from.get<std::uint64_t>();
        out.memory.push_back(std::move(one));
    }
    out.warps = from.get<std::uint32_t>();
    return out;
}

} // namespace gradus::simt
