#include "engine/simt/trace_of.hpp"

#include "engine/simt/kernel_folder.hpp"
#include "engine/simt/kernel_text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace gradus::simt {

namespace {

/// Files by their numbers in a trace, without the folder that they lie in on this machine.
class Files {
public:
    explicit Files(std::vector<std::string>& names) : names_(names) {}
    KernelPlace place(const SourcePlace& from) {
        if (from.file.empty() || !from.line) return {};
        std::string name = from.file;
        if (const std::size_t at = name.rfind("engine/"); at != std::string::npos && (at == 0 || name[at - 1] == '/')) name = name.substr(at);
        else name = name.substr(name.rfind('/') + 1);
        const auto found = std::find(names_.begin(), names_.end(), name);
        const auto number = static_cast<std::int32_t>(found - names_.begin());
        if (found == names_.end()) names_.push_back(name);
        return {number, from.line, from.column};
    }

private:
    std::vector<std::string>& names_;
};

void add_ranges(KernelTrace& trace, const PreparedRun& run, LaunchAnswer& answer) {
    for (std::size_t i = 0; i < answer.ranges.size(); ++i) {
        KernelTrace::Range range{answer.ranges[i].name, answer.ranges[i].space, answer.ranges[i].bytes, ElementType::u8, {}, false, false, {}, 0};
        if (i < run.buffers.size()) range.type = run.buffers[i].type, range.sizes = run.buffers[i].sizes, range.output = run.buffers[i].output;
        trace.ranges.push_back(std::move(range));
    }
    for (LaunchRecord::Memory& memory : answer.log->memory) {
        if (memory.range >= trace.ranges.size()) throw FileError("the interpreter's answer is damaged");
        KernelTrace::Range& range = trace.ranges[memory.range];
        range.held = true;
        range.start = std::move(memory.start);
        if (range.start.empty() && memory.range < run.buffers.size()) {
            range.start.resize(run.bytes_of(memory.range));
            run.fill_buffer(memory.range, range.start.data());
        }
        range.end_hash = memory.end_hash;
    }
}

/// Each place's variables, where they lie as seen from the kernel's frame.
void add_locals(KernelTrace& trace, LocalsRecord& record, const LaunchAnswer& answer, const LocalVariables& variables) {
    std::unordered_map<std::uint32_t, std::vector<KernelTrace::SiteLocal>> seen;
    std::map<std::tuple<std::string, std::string, std::int32_t, std::int32_t>, std::uint32_t> numbers;
    for (const LocalsRecord::Frames& frames : record.frames) {
        const Site site{frames.site};
        if (site.path() >= answer.paths.size()) throw FileError("the interpreter's answer is damaged");
        const std::vector<std::uint32_t>& calls = answer.paths[site.path()];
        for (std::size_t depth = std::min(frames.at.size(), calls.size() + 1); depth-- > 0;)
            for (LocalVariables::Seen& each : variables.at((depth < calls.size() ? calls[depth] : site.offset()) + answer.text_offset)) {
                LocalVariable& variable = each.variable;
                variable.at += frames.at[depth];
                const auto [at, made] = numbers.emplace(std::tuple{variable.function, variable.name, variable.line, variable.at}, static_cast<std::uint32_t>(trace.locals.size()));
                if (made) trace.locals.push_back(std::move(variable));
                seen[frames.site].push_back({at->second, each.later});
            }
    }
    for (std::size_t i = 0; i < trace.sites.size(); ++i)
        if (const auto at = seen.find(trace.log.sites[i].bits); at != seen.end()) trace.sites[i].locals = at->second;
    trace.log.locals = std::move(record.log);
}

/// The texts that a reader of the trace needs beside it, as they are now: what was compiled is not read again.
void add_sources(KernelTrace& trace, const std::string& file) {
    const std::string own = file.substr(file.rfind('/') + 1), kernels = "engine/kernels/";
    for (const std::string& name : trace.files) {
        std::string& text = trace.sources.emplace_back();
        if (name.substr(name.rfind('/') + 1) == own) text = text_of(file);
        else if (name.starts_with(kernels)) text = text_of(kernel_folder() + name.substr(std::string_view("engine").size()));
    }
}

} // namespace

std::shared_ptr<const KernelTrace> trace_of(const PreparedRun& run, const std::string& file, LaunchAnswer& answer, const SourcePlaces& places, const LocalVariables& variables,
                                            const std::vector<StepReport>& steps, const std::vector<KernelFinding>& findings) {
    auto trace = std::make_shared<KernelTrace>();
    Files files(trace->files);
    trace->ladder = run.ladder->id;
    trace->rung = run.rung->id;
    trace->printed = answer.printed.text;
    if (answer.printed.left_out) trace->printed += "\n" + left_out_words(answer.printed);
    trace->finished = answer.whole;
    trace->warps = answer.log->warps;
    add_ranges(*trace, run, answer);
    for (const NamedVariable& variable : places.shared()) trace->variables.push_back({variable.name, variable.offset, variable.bytes, variable.kind, variable.sizes});
    trace->log = std::move(answer.log->log);
    std::vector<std::int64_t> recorded(run.plan.steps.size());
    for (const KernelLog::Block& block : trace->log.blocks)
        if (block.launch < recorded.size()) ++recorded[block.launch];
    for (std::size_t i = 0; i < run.plan.steps.size(); ++i) {
        const gradus::KernelStep& launch = run.plan.steps[i];
        const std::int64_t lane_steps = i < steps.size() ? steps[i].lane_steps : 0;
        trace->launches.push_back({launch.kernel, launch.grid, launch.block, launch.shared_bytes, lane_steps, recorded[i] == launch.grid.count() && !trace->cut()});
    }
    for (const KernelLog::Site& site : trace->log.sites) {
        const Site at{site.bits};
        KernelTrace::Site made;
        made.place = files.place(place_of(answer, places, at));
        if (const auto chain = places.at(at.offset() + answer.text_offset); !chain.empty()) made.inner = files.place(chain.front());
        if (at.path() < answer.paths.size())
            for (const std::uint32_t call : answer.paths[at.path()])
                if (const auto chain = places.at(call + answer.text_offset); !chain.empty()) made.calls.push_back(files.place(chain.front()));
        trace->sites.push_back(std::move(made));
    }
    if (answer.locals) add_locals(*trace, *answer.locals, answer, variables);
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const LineCount& line : steps[i].lines)
            trace->lines.push_back({static_cast<std::uint32_t>(i), files.place(line.place), line.op, line.space, line.buffer, line.bytes,
                                    line.steps, line.lanes, line.transfers, line.ideal, line.lines});
    for (const KernelFinding& finding : findings) {
        KernelTrace::Finding made{std::string(name_of(finding.kind)), finding.sentence, finding.buffer, files.place(finding.place), files.place(finding.other), finding.times,
                                  static_cast<std::uint32_t>(finding.step)};
        made.threads.push_back({finding.thread.block, finding.thread.rank});
        if (finding.kind == Finding::Kind::race || finding.kind == Finding::Kind::mismatched_barrier) made.threads.push_back({finding.second.block, finding.second.rank});
        for (const ThreadName& other : finding.others) made.threads.push_back({other.block, other.rank});
        trace->findings.push_back(std::move(made));
    }
    add_sources(*trace, file);
    trace->index("the interpreter's answer");
    return trace;
}

} // namespace gradus::simt
