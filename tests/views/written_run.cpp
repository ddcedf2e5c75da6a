#include "tests/views/written_run.hpp"

#include "engine/trace/run_writer.hpp"

#include <chrono>
#include <thread>

namespace gradus::testing {

namespace {

constexpr Phase phases[] = {Phase::forward, Phase::backward, Phase::update};

std::int32_t add_site(RunWriter& writer, Level level, Phase phase, const std::string& name, const std::string& path,
                      std::int32_t ordinal, std::int32_t parent, double ops = 1) {
    EventSite site;
    site.level = level;
    site.phase = phase;
    site.name = name;
    site.path = path;
    site.module = level >= Level::module ? "layer1" : "";
    site.ordinal = ordinal;
    site.parent = parent;
    const double flops = phase == Phase::forward ? 1000.0 : phase == Phase::backward ? 3000.0 : 0.0;
    site.cost = {ops * flops, ops * 64, ops * 32}; // an outer event costs what it holds
    return writer.add_site(std::move(site));
}

} // namespace

std::shared_ptr<Run> WrittenRun::write() const {
    Manifest manifest;
    manifest.fork_iteration = from;
    manifest.planned_steps = planned;
    manifest.id = from > 0 ? "fork" : "run";
    RunBudget budget;
    budget.events = std::size_t{256} << 20;
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}}, parent, budget);
    RunWriter writer(run);
    for (const std::string& edit : edits) writer.log_edit(Edit::parse(edit), from);
    add_site(writer, Level::iteration, Phase::data, "iteration", "iteration", 0, -1);
    std::int32_t next = 1;
    std::vector<std::int32_t> first; // ordinal of each phase
    for (const Phase phase : phases) {
        const std::string name(name_of(phase));
        first.push_back(next);
        add_site(writer, Level::phase, phase, name, name, next, 0, ops);
        add_site(writer, Level::module, phase, "layer1", name + "/layer1", next + 1, next, ops);
        for (int i = 0; i < ops; ++i)
            add_site(writer, Level::op, phase, "matmul", name + "/layer1/matmul z" + std::to_string(i), next + 2 + i, next + 1);
        next += 2 + ops;
    }
    Ticks now = 1000;
    std::size_t events = 0;
    for (StepIndex i = from; i < steps; ++i) {
        const bool observe = i % observe_every == 0;
        writer.begin_iteration(i, false);
        const Ticks begin = now;
        std::size_t count = 0;
        const auto write = [&](std::int32_t ordinal, Ticks start, Ticks end) {
            if (!observe) return;
            writer.append_event({ordinal, ordinal, start, end}); // here a site's number is its ordinal
            ++count;
        };
        for (int phase = 0; phase < 3; ++phase) {
            const Ticks start = now, length = nanoseconds(i, phase);
            for (int k = 0; k < ops; ++k, now += length) write(first[static_cast<std::size_t>(phase)] + 2 + k, now, now + length);
            write(first[static_cast<std::size_t>(phase)] + 1, start, now);
            write(first[static_cast<std::size_t>(phase)], start, now);
        }
        write(0, begin, now);
        if (observe) writer.append_observed({i, events, static_cast<std::uint32_t>(count)});
        events += count;
        writer.push_at(0, i, loss(i));
        writer.append_iteration_end(now);
        now += 50;
    }
    return run;
}

ForkedRuns forked_runs(const std::string& data, const std::string& layers, StepIndex steps, StepIndex observe_every,
                       const std::vector<std::pair<std::string, StepIndex>>& edits) {
    RunRequest request;
    request.parameters = {{"data", data}, {"layers", layers}, {"batch", data == "xor" ? "0" : "32"}};
    request.steps = steps;
    request.observe_every = observe_every;
    request.device.threads = 1;
    ForkedRuns out;
    out.session = std::make_unique<Session>(request);
    out.session->play();
    out.session->wait();
    for (const auto& [edit, iteration] : edits) {
        out.session->submit(Edit::parse(edit), 0, iteration);
        out.session->wait();
        out.session->play();
        out.session->wait();
    }
    out.runs = out.session->runs();
    return out;
}

std::shared_ptr<const Run> full_of(Session& session, std::size_t run, StepIndex iteration) {
    for (int i = 0; i < 2000; ++i) {
        const Detail detail = session.detail(run, iteration);
        if (detail.state == Detail::State::present) return detail.run;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return nullptr;
}

} // namespace gradus::testing
