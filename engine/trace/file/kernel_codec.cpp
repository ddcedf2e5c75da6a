#include "engine/trace/file/kernel_codec.hpp"

#include "engine/core/error.hpp"

#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace gradus::file {

namespace {

// 1: without what lanes hand to each other, and their variables; 2: without sources and whose a finding is; 3: without types in shared memory
constexpr std::uint32_t version = 4;

class Writer {
public:
    static constexpr bool writes = true;
    template <class T> void plain(const T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        append(&value, sizeof value);
    }
    void flag(bool value) { plain(static_cast<std::uint8_t>(value)); }
    void text(const std::string& value) {
        plain(std::uint64_t{value.size()});
        append(value.data(), value.size());
    }
    template <class T> void column(const std::vector<T>& values) {
        plain(std::uint64_t{values.size()});
        append(values.data(), values.size() * sizeof(T));
    }
    template <class T, class Each> void list(const std::vector<T>& values, std::size_t, Each each) {
        plain(std::uint64_t{values.size()});
        for (const T& value : values) each(*this, value);
    }
    std::vector<std::byte> bytes;

private:
    void append(const void* from, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(from);
        bytes.insert(bytes.end(), first, first + size);
    }
};

class Reader {
public:
    Reader(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}
    template <class T> void plain(T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
    }
    void flag(bool& value) {
        std::uint8_t byte = 0;
        plain(byte);
        if (byte > 1) refuse("a yes or no is neither");
        value = byte == 1;
    }
    void text(std::string& value) {
        const auto letters = take(count(1));
        value.assign(reinterpret_cast<const char*>(letters.data()), letters.size());
    }
    template <class T> void column(std::vector<T>& values) {
        const std::size_t size = count(sizeof(T));
        const auto from = take(size * sizeof(T));
        values.resize(size);
        if (size) std::memcpy(values.data(), from.data(), from.size());
    }
    /// `least`: bytes that one of them takes at the least.
    template <class T, class Each> void list(std::vector<T>& values, std::size_t least, Each each) {
        values.resize(count(least));
        for (T& value : values) each(*this, value);
    }
    void end() const {
        if (!bytes_.empty()) refuse("it is longer than it says");
    }
    [[noreturn]] void refuse(const std::string& what) const { throw FileError(fmt::format("{}: {}", where_, what)); }

private:
    std::size_t count(std::size_t bytes_of_one) {
        std::uint64_t size = 0;
        plain(size);
        if (size > bytes_.size() / bytes_of_one) refuse("it is shorter than it says");
        return static_cast<std::size_t>(size);
    }
    std::span<const std::byte> take(std::size_t size) {
        if (size > bytes_.size()) refuse("it is shorter than it says");
        const auto taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }
    std::span<const std::byte> bytes_;
    const std::string& where_;
};

/// The same words for both ways, so that they cannot part.
template <class Way, class T> void pass(Way& way, T& trace, std::uint32_t found) {
    const auto place = [](auto& w, auto& p) { w.plain(p.file), w.plain(p.line), w.plain(p.column); };
    const auto dim = [](auto& w, auto& d) { w.plain(d.x), w.plain(d.y), w.plain(d.z); };
    const auto words = [](auto& w, auto& text) { w.text(text); };
    way.text(trace.ladder), way.text(trace.rung), way.text(trace.printed);
    way.list(trace.files, 8, words);
    way.list(trace.ranges, 43, [](auto& w, auto& r) {
        w.text(r.name), w.plain(r.space), w.plain(r.bytes), w.plain(r.type), w.column(r.sizes), w.flag(r.output), w.flag(r.held), w.column(r.start), w.plain(r.end_hash);
    });
    way.list(trace.variables, 24, [](auto& w, auto& v) { w.text(v.name), w.plain(v.offset), w.plain(v.bytes); });
    way.list(trace.launches, 49, [&](auto& w, auto& l) { w.text(l.kernel), dim(w, l.grid), dim(w, l.block), w.plain(l.shared_bytes), w.plain(l.lane_steps), w.flag(l.whole); });
    way.list(trace.sites, 32, [&](auto& w, auto& s) { place(w, s.place), place(w, s.inner), w.list(s.calls, 12, place); });
    way.list(trace.lines, 70, [&](auto& w, auto& l) {
        w.plain(l.launch), place(w, l.place), w.plain(l.op), w.plain(l.space), w.text(l.buffer), w.plain(l.bytes);
        w.plain(l.steps), w.plain(l.lanes), w.plain(l.transfers), w.plain(l.ideal), w.plain(l.lines);
    });
    way.list(trace.findings, 60, [&](auto& w, auto& f) {
        w.text(f.kind), w.text(f.sentence), w.text(f.buffer), place(w, f.place), place(w, f.other), w.plain(f.times), w.plain(f.launch);
    });
    way.plain(trace.warps), way.flag(trace.finished);
    auto& log = trace.log;
    way.list(log.sites, 8, [](auto& w, auto& s) { w.plain(s.bits), w.plain(s.bytes), w.plain(s.op), w.plain(s.fma); });
    way.list(log.blocks, 16, [](auto& w, auto& b) { w.plain(b.launch), w.plain(b.number), w.plain(b.first); });
    way.column(log.site), way.column(log.mask), way.column(log.warp), way.column(log.payload);
    way.column(log.fma_step), way.column(log.fma_site), way.column(log.fma_lane), way.column(log.fmas);
    way.plain(log.missed);
    if (found < 2) return;
    way.list(log.collectives, 8, words);
    way.list(trace.locals, 64, [&](auto& w, auto& l) {
        w.text(l.name), w.text(l.type), w.text(l.function), w.text(l.why), w.plain(l.line), w.plain(l.at), w.plain(l.bytes), w.plain(l.stride), w.column(l.sizes);
        w.list(l.parts, 17, [](auto& v, auto& p) { v.text(p.name), v.plain(p.kind), v.plain(p.offset), v.plain(p.bytes); });
    });
    way.list(trace.sites, 8, [](auto& w, auto& s) { w.list(s.locals, 5, [](auto& v, auto& l) { v.plain(l.local), v.flag(l.later); }); });
    way.list(log.locals.threads, 24, [](auto& w, auto& t) { w.plain(t.block), w.plain(t.rank), w.plain(t.first), w.plain(t.events); });
    way.column(log.locals.changes), way.plain(log.locals.missed);
    if (found < 3) return;
    way.list(trace.sources, 8, words);
    way.list(trace.findings, 8, [](auto& w, auto& f) { w.list(f.threads, 8, [](auto& v, auto& t) { v.plain(t.block), v.plain(t.rank); }); });
    if (found < 4) return;
    way.list(trace.variables, 9, [](auto& w, auto& v) { w.plain(v.kind), w.column(v.sizes); });
}

} // namespace

std::vector<std::byte> kernel_to_bytes(const KernelTrace& trace) {
    Writer writer;
    writer.plain(version);
    pass(writer, trace, version);
    return std::move(writer.bytes);
}

KernelTrace kernel_from_bytes(std::span<const std::byte> bytes, const std::string& where) {
    Reader reader(bytes, where);
    std::uint32_t found = 0;
    reader.plain(found);
    if (found < 1 || found > version) reader.refuse(fmt::format("there is no version {} of it", found));
    KernelTrace trace;
    pass(reader, trace, found);
    reader.end();
    if (trace.log.missed < 0 || trace.log.locals.missed < 0) reader.refuse("a count cannot be");
    trace.index(where);
    return trace;
}

} // namespace gradus::file
