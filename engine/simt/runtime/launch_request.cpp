#include "engine/simt/runtime/launch_request.hpp"

namespace gradus::simt {

namespace {
constexpr std::uint64_t most_items = 1 << 20; // of a list whose items hold lists
}

std::vector<std::byte> LaunchRequest::bytes() const {
    BlobWriter to;
    to.put(library);
    to.put(std::uint64_t{buffers.size()});
    for (const Buffer& buffer : buffers) {
        to.put(buffer.name);
        to.put(buffer.offset);
        to.put(buffer.bytes);
        to.put(buffer.unit);
    }
    to.put(std::uint64_t{steps.size()});
    for (const Step& step : steps) {
        to.put(step.entry);
        to.put(step.shape);
        to.put_all(step.arguments);
    }
    to.put(options);
    to.put(watched);
    to.put(recording);
    to.put(std::uint64_t{frames.size()});
    for (const FrameLayout& frame : frames) {
        to.put(frame.begin);
        to.put(frame.end);
        to.put_all(frame.pieces);
    }
    to.put(dynamic_shared);
    to.put(check_races);
    to.put(count);
    return to.bytes();
}

LaunchRequest LaunchRequest::read(std::span<const std::byte> bytes) {
    BlobReader from(bytes);
    LaunchRequest request;
    request.library = from.get_text();
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        Buffer buffer;
        buffer.name = from.get_text();
        buffer.offset = from.get<std::uint64_t>();
        buffer.bytes = from.get<std::uint64_t>();
        buffer.unit = from.get<std::int32_t>();
        request.buffers.push_back(std::move(buffer));
    }
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        Step step;
        step.entry = from.get<std::int32_t>();
        step.shape = from.get<LaunchShape>();
        step.arguments = from.get_all<Argument>();
        request.steps.push_back(std::move(step));
    }
    request.options = from.get<RunOptions>();
    request.watched = from.get<Watched>();
    request.recording = from.get<Recording>();
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        FrameLayout frame{from.get<std::uint64_t>(), from.get<std::uint64_t>(), {}};
        frame.pieces = from.get_all<FrameLayout::Piece>();
        request.frames.push_back(std::move(frame));
    }
    request.dynamic_shared = from.get<std::int64_t>();
    request.check_races = from.get<bool>();
    request.count = from.get<bool>();
    return request;
}

void LaunchAnswer::write(BlobWriter& to) const {
    to.put(std::uint64_t{steps.size()});
    for (const Step& step : steps) {
        to.put_all(step.counts);
        to.put(step.lane_steps);
        to.put(step.multiply_adds);
        to.put(step.seconds);
        to.put(step.sectors_read);
        to.put(step.sectors_written);
    }
    to.put(std::uint64_t{ranges.size()});
    for (const Range& range : ranges) {
        to.put(range.name);
        to.put(range.space);
        to.put(range.bytes);
        to.put(range.at);
    }
    to.put(std::uint64_t{findings.size()});
    for (const Found& found : findings) {
        const Finding& f = found.finding;
        to.put(f.kind);
        to.put(f.site);
        to.put(f.other);
        to.put(f.thread);
        to.put(f.second);
        to.put(f.range);
        to.put(f.offset);
        to.put(f.bytes);
        to.put(f.writes);
        to.put(f.other_writes);
        to.put(f.words);
        to.put(found.times);
        to.put(found.step);
        to.put(found.threads);
        to.put(found.seconds);
    }
    to.put(std::uint64_t{paths.size()});
    for (const auto& path : paths) to.put_all(path);
    to.put(text_offset);
    to.put(shared_begin);
    to.put(base);
    to.put(printed.text);
    to.put(printed.left_out);
    to.put(record.has_value());
    if (record) record->write(to);
    to.put(log.has_value());
    if (log) log->write(to);
    to.put(locals.has_value());
    if (locals) locals->write(to);
    to.put(whole);
    to.put(lockstep);
}

LaunchAnswer LaunchAnswer::read(std::span<const std::byte> bytes) {
    BlobReader from(bytes);
    LaunchAnswer answer;
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        Step step;
        step.counts = from.get_all<PlaceCount>();
        step.lane_steps = from.get<std::int64_t>();
        step.multiply_adds = from.get<std::int64_t>();
        step.seconds = from.get<double>();
        step.sectors_read = from.get<std::int64_t>();
        step.sectors_written = from.get<std::int64_t>();
        answer.steps.push_back(std::move(step));
    }
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        Range range;
        range.name = from.get_text();
        range.space = from.get<Space>();
        range.bytes = from.get<std::uint64_t>();
        range.at = from.get<std::uint64_t>();
        answer.ranges.push_back(std::move(range));
    }
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) {
        Found found;
        Finding& f = found.finding;
        f.kind = from.get<Finding::Kind>();
        f.site = from.get<Site>();
        f.other = from.get<Site>();
        f.thread = from.get<ThreadName>();
        f.second = from.get<ThreadName>();
        f.range = from.get<std::int32_t>();
        f.offset = from.get<std::int64_t>();
        f.bytes = from.get<std::uint32_t>();
        f.writes = from.get<bool>();
        f.other_writes = from.get<bool>();
        f.words = from.get_text();
        found.times = from.get<std::int64_t>();
        found.step = from.get<std::int32_t>();
        found.threads = from.get<Findings::Ranks>();
        found.seconds = from.get<Findings::Ranks>();
        answer.findings.push_back(std::move(found));
    }
    for (std::uint64_t i = from.get_count(most_items); i > 0; --i) answer.paths.push_back(from.get_all<std::uint32_t>());
    answer.text_offset = from.get<std::uint64_t>();
    answer.shared_begin = from.get<std::uint64_t>();
    answer.base = from.get<std::uint64_t>();
    answer.printed.text = from.get_text();
    answer.printed.left_out = from.get<std::uint64_t>();
    if (from.get<bool>()) answer.record = StepRecord::read(from);
    if (from.get<bool>()) answer.log = LaunchRecord::read(from);
    if (from.get<bool>()) answer.locals = LocalsRecord::read(from);
    answer.whole = from.get<bool>();
    answer.lockstep = from.get<bool>();
    return answer;
}

} // namespace gradus::simt
