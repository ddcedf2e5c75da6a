#include "lessons/experiments/climb_ladder/process.hpp"

#include "engine/core/error.hpp"
#include "engine/hardware/roofline.hpp"
#include "engine/simt/plain_time.hpp"
#include "lessons/experiments/climb_ladder/counts.hpp"

#include <limits>

namespace gradus::kernels {

namespace {

/// In this process, but for sanitizers' builds: kernels have stacks of their own, which no sanitizer knows.
simt::PlainTime time_of(const simt::PreparedRun& run, const std::stop_token& stop) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, stop.stop_requested() || run.bytes == 0};
#else
    return simt::plain_time(run, stop);
#endif
}

} // namespace

ClimbProcess::ClimbProcess(const Setup& setup) : settings_(read_climb(setup)), seed_(setup.seed), stop_(setup.stop), evaluating_(setup.evaluating) {}

RungLaunches& ClimbProcess::rung(StepIndex iteration) {
    if (!rung_ || rung_of_ != iteration) {
        rung_.reset(); // before the next takes as much again
        rung_.emplace(settings_.at(iteration), seed_, stop_, evaluating_);
        rung_of_ = iteration;
    }
    rung_->run(iteration);
    return *rung_;
}

std::vector<SeriesInfo> ClimbProcess::series() const {
    std::vector<SeriesInfo> out = RungLaunches::series();
    for (const auto& [info, value] : rung_counts(LevelTraffic())) out.push_back(info);
    for (const char* name : {"plain_seconds", "plain_seconds_median"}) out.push_back({name, "s", Provenance::measured, true});
    out.push_back({"modelled_seconds", "s", Provenance::modelled, true});
    for (const Ceiling each : {Ceiling::peak, Ceiling::memory, Ceiling::cache})
        out.push_back({std::string(name_of(each)), each == Ceiling::peak ? "FLOP/s" : "bytes/s", Provenance::measured, true});
    return out;
}

void ClimbProcess::begin(RunWriter& writer, bool setup) {
    if (!ceilings_) ceilings_ = measured_ceilings();
    first_sites_.clear();
    iteration_site_ = writer.add_site(iteration_site({})); // what it costs is the rung's
    if (!setup) return;
    RungLaunches& first = rung(0);
    first_sites_[first.settings().id()] = first.add_sites(writer); // before those of setup, as in every Run: these share their ordinals
    first.write_setup(writer);
}

void ClimbProcess::iterate(RunWriter& writer, StepIndex iteration, bool observe) {
    const Ticks start = now_ticks();
    RungLaunches& rung = this->rung(iteration);
    const simt::PlainTime plain = time_of(rung.prepared(), stop_);
    const LevelTraffic traffic = rung.traffic();
    if (observe) {
        const std::string id = rung.settings().id();
        if (const auto known = first_sites_.find(id); known != first_sites_.end()) rung.use_sites(known->second);
        else first_sites_[id] = rung.add_sites(writer);
    }
    writer.begin_iteration(iteration, observe);
    if (observe) rung.observe(writer, iteration, iteration_site_, start);
    rung.push_counts(writer, iteration);
    std::size_t at = RungLaunches::series().size();
    for (const auto& [info, value] : rung_counts(traffic)) writer.push(at++, value);
    writer.push(at++, plain.least);
    writer.push(at++, plain.median);
    writer.push(at++, roofline(rung_count(traffic, "flops"), rung_count(traffic, "bytes_l1"), settings_.chip->fp32_flops, settings_.chip->memory_bandwidth).seconds);
    for (const double ceiling : {ceilings_->peak_flops, ceilings_->memory_bandwidth, ceilings_->cache_bandwidth}) writer.push(at++, ceiling);
    writer.end_iteration();
}

std::shared_ptr<const Checkpoint> ClimbProcess::checkpoint(StepIndex next) const {
    auto out = std::make_shared<Checkpoint>();
    out->iteration = next;
    return out;
}

void ClimbProcess::apply(const Edit& edit, StepIndex) {
    if (edit.kind != Edit::Kind::breakpoint) throw ArgumentError("climb_ladder: a ladder's run has nothing that can be edited; set its parameters instead");
}

} // namespace gradus::kernels
