#include "lessons/experiments/run_kernel/topic_answers.hpp"

#include "engine/trace/derive/kernel_coverage.hpp"
#include "lessons/experiments/run_kernel/traces.hpp"

namespace gradus::kernels {

namespace {

KernelCoverage coverage_of(const Asked& asked) { return kernel_coverage(*recorded_whole(asked), asked.argument("buffer", "")); }

Answer written(const Asked& asked) { return counted(static_cast<double>(coverage_of(asked).written), "elements"); }
Answer untouched(const Asked& asked) { return counted(static_cast<double>(coverage_of(asked).untouched), "elements"); }
Answer untouched_share(const Asked& asked) {
    const KernelCoverage found = coverage_of(asked);
    const auto all = static_cast<double>(found.writes.size());
    return counted(all > 0 ? 100 * static_cast<double>(found.untouched) / all : 0, "%");
}
Answer most_writers(const Asked& asked) { return counted(static_cast<double>(coverage_of(asked).most), "threads"); }

Answer most_written(const Asked& asked) {
    const auto trace = recorded_whole(asked);
    const KernelCoverage found = kernel_coverage(*trace, asked.argument("buffer", ""));
    std::vector<std::string> names;
    Answer out;
    for (std::size_t i = 0; i < found.writes.size(); ++i) {
        const std::string name = element_name(trace->ranges[found.range], static_cast<std::int64_t>(i));
        if (found.writes[i] == found.most) names.push_back(name);
        out.found[name] = static_cast<double>(found.writes[i]);
    }
    out.value = std::move(names), out.found_unit = "threads", out.provenance = Provenance::counted;
    return out;
}

} // namespace

const std::vector<AnswerEntry>& coverage_answers() {
    static const std::vector<AnswerEntry> list{
        {{"written", "elements of `buffer`, or of the first output, that some thread writes", false, true}, written},
        {{"untouched", "elements that none writes, as for written", false, true}, untouched},
        {{"untouched_share", "% of the elements that none writes, as for written", false, true}, untouched_share},
        {{"most_writers", "writes of the element that is written most often, as for written", false, true}, most_writers},
        {{"most_written", "the elements that are written most often, as for written", false, true}, most_written},
    };
    return list;
}

} // namespace gradus::kernels
