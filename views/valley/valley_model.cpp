#include "views/valley/valley_model.hpp"

#include "views/derive/settings.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

std::optional<ValleyPlace> place_at(const Run& run, const ValleyNames& names, StepIndex iteration) {
    ValleyPlace out;
    out.iteration = iteration;
    for (std::size_t i = 0; i < names.series.size(); ++i) {
        const auto value = run.value_at(names.series[i], iteration);
        if (!value) return std::nullopt;
        out.w[i] = *value;
    }
    const auto f = run.value_at("loss", iteration);
    if (!f) return std::nullopt;
    out.f = *f;
    return out;
}

std::vector<ValleyPlace> places(const Run& run, const ValleyNames& names, StepIndex from, StepIndex last) {
    std::vector<ValleyPlace> out;
    for (StepIndex i = std::max({StepIndex{0}, from, last - longest_trail}); i <= last; ++i)
        if (const auto place = place_at(run, names, i)) out.push_back(*place);
    return out;
}

/// Whether the state was changed by hand before that iteration: it is not what the update before led to.
bool edited_before(const Run& run, StepIndex iteration) {
    for (std::size_t i = 0; i < run.edits().size(); ++i) {
        const LoggedEdit& logged = run.edits()[i];
        if (logged.iteration == iteration && (logged.edit.kind == Edit::Kind::element || logged.edit.kind == Edit::Kind::point)) return true;
    }
    return run.parent() && iteration <= run.first_iteration() && edited_before(*run.parent(), iteration);
}

bool hides(const Veil& veil, const ValleyNames& names) {
    if (veil.empty()) return false;
    if (veil.hides(QStringLiteral("loss"))) return true;
    return std::any_of(names.series.begin(), names.series.end(), [&](const std::string& name) { return veil.hides(QString::fromStdString(name)); });
}

} // namespace

ValleyNames ValleyNames::of(ObjectiveConstants::Kind kind) {
    switch (kind) {
    case ObjectiveConstants::Kind::parabola: return {{"w"}, {{"w", 0}}};
    case ObjectiveConstants::Kind::bowl: return {{"w1", "w2"}, {{"w", 0}, {"w", 1}}};
    case ObjectiveConstants::Kind::line: return {{"m", "b"}, {{"m", 0}, {"b", 0}}};
    }
    return {};
}

ValleyWalk valley_walk(const Look& look, const ValleyNames& names, const StepReach& reach, const Veil& veil) {
    ValleyWalk out;
    const Run& run = *look.run();
    const StepIndex here = look.state.cursor.iteration;
    const bool hidden = hides(veil, names);
    out.covered = hidden && here >= veil.from;
    const StepIndex last = out.covered ? veil.from - 1 : here;
    out.trail = places(run, names, 0, last);
    if (const Run* parent = run.parent().get(); parent && run.first_iteration() <= last)
        out.left = places(*parent, names, run.first_iteration(), last);
    if (const auto slopes = [&]() -> std::optional<std::array<double, 2>> {
            std::array<double, 2> g{0, 0};
            for (std::size_t i = 0; i < names.series.size(); ++i) {
                const auto value = run.value_at("gradient_" + names.series[i], 0);
                if (!value) return std::nullopt;
                g[i] = *value;
            }
            return g;
        }())
        out.first_slope = std::hypot((*slopes)[0], (*slopes)[1]);
    if (out.covered) return out;
    out.here = place_at(run, names, here);
    if (!out.here) return out;
    const auto tensors = look.full ? look.full->tensors_of(here) : run.tensors_of(here);
    const auto later = [&](const std::string& tensor) {
        const RecordedTensor* made = tensors ? tensors->find(tensor) : nullptr;
        return made && made->id.event.iteration == here && reach.before(made->id.event);
    };
    out.valued = !later("loss");
    std::array<double, 2> slope{0, 0}, next{0, 0};
    bool has_slope = true, has_next = !(hidden && here + 1 >= veil.from);
    for (std::size_t i = 0; i < names.series.size(); ++i) {
        const auto& [tensor, element] = names.tensors[i];
        const auto g = run.value_at("gradient_" + names.series[i], here);
        has_slope = has_slope && g && !later("d" + tensor);
        slope[i] = g.value_or(0);
        // The tensor that the update wrote; else what the next step began with, unless a hand came between.
        const RecordedTensor* after = tensors ? parameter_in(*tensors, tensor, true) : nullptr;
        const bool written = after && after->id.event.iteration == here && element < after->tensor.elements();
        std::optional<double> value;
        if (written) value = after->tensor.at(element);
        else if (!edited_before(run, here + 1)) value = run.value_at(names.series[i], here + 1);
        has_next = has_next && value && !(written && reach.before(after->id.event)) && !(reach.last >= 0 && !written);
        next[i] = value.value_or(0);
    }
    if (has_slope) out.slope = slope;
    if (has_next) out.next = next;
    return out;
}

std::vector<std::array<double, 2>> valley_starts(const Run& run, const ValleyNames& names) {
    std::vector<std::array<double, 2>> out;
    for (const Run* at = &run; at; at = at->parent().get())
        if (const auto place = place_at(*at, names, at->parent() ? at->first_iteration() : 0)) out.push_back(place->w);
    return out;
}

double valley_reach(const Run& run, const ValleyNames& names) {
    double out = 0;
    for (const auto& start : valley_starts(run, names))
        for (const double w : start)
            if (std::isfinite(w)) out = std::max(out, std::abs(w));
    return out;
}

} // namespace gradus
