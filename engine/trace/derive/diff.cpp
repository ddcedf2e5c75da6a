#include "engine/trace/derive/diff.hpp"

#include "engine/core/half.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/kernel/kernel_diff.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gradus {

std::vector<LoggedEdit> computing_edits(const Run& run) {
    std::vector<LoggedEdit> out;
    for (std::size_t i = 0; i < run.edits().size(); ++i)
        if (run.edits()[i].edit.kind != Edit::Kind::breakpoint) out.push_back(run.edits()[i]);
    return out;
}

namespace {

std::uint64_t hash_of(const RecordedTensor& recorded) {
    return recorded.hash != 0 || !recorded.tensor.defined() ? recorded.hash : hash_tensor(recorded.tensor);
}

/// Positions on the number line of floats of this width, so that neighbours differ by one.
std::uint64_t ulps_between(double a, double b, DType dtype) {
    const auto distance = [](std::int64_t x, std::int64_t y) {
        return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                     : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
    };
    if (is_half(dtype)) {
        const auto place = [dtype](double v) {
            const std::uint16_t bits = dtype == DType::f16 ? half(v).bits : bfloat16(v).bits;
            return static_cast<std::int64_t>((bits & 0x8000) != 0 ? -(bits & 0x7fff) : bits);
        };
        return distance(place(a), place(b));
    }
    if (dtype == DType::f32) {
        const auto place = [](double v) {
            const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(v));
            return static_cast<std::int64_t>(bits < 0 ? std::int64_t{INT32_MIN} - bits : bits);
        };
        return distance(place(a), place(b));
    }
    const auto place = [](double v) {
        const auto bits = std::bit_cast<std::int64_t>(v);
        return bits < 0 ? INT64_MIN - bits : bits;
    };
    return distance(place(a), place(b));
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

void name_element(Difference& difference, const Tensor& a, const Tensor& b) {
    if (!a.defined() || !b.defined()) return;
    if (!a.shape().same_sizes(b.shape()) || a.dtype() != b.dtype()) {
        difference.kinds = fmt::format("{} {} and {} {}", name_of(a.dtype()), a.shape().text(), name_of(b.dtype()),
                                       b.shape().text());
        return;
    }
    for (Dim i = 0; i < a.elements(); ++i) {
        const double x = a.at(i), y = b.at(i);
        if (same_bits(x, y)) continue;
        if (difference.differing++ > 0) continue;
        difference.a = x;
        difference.b = y;
        difference.ulps = is_floating(a.dtype()) ? ulps_between(x, y, a.dtype()) : 0;
        Dim rest = i;
        difference.index.assign(static_cast<std::size_t>(a.shape().rank()), 0);
        for (int axis = a.shape().rank() - 1; axis >= 0; --axis) {
            difference.index[static_cast<std::size_t>(axis)] = rest % a.shape()[axis];
            rest /= a.shape()[axis];
        }
    }
}

std::string event_path(const Run& run, StepIndex iteration, std::int32_t ordinal) {
    for (const EventRecord& record : run.events_of(iteration))
        if (record.ordinal == ordinal) return run.sites()[static_cast<std::size_t>(record.site)].path;
    return "edit";
}

Difference difference_at(std::string what, StepIndex iteration, std::string name) {
    Difference out;
    out.what = std::move(what);
    out.iteration = iteration;
    out.name = std::move(name);
    return out;
}

std::optional<Difference> compare_tensors(const Run& a, const Run& b, StepIndex iteration, std::size_t& compared) {
    const auto ours = a.tensors_of(iteration), theirs = b.tensors_of(iteration);
    if (!ours || !theirs) return std::nullopt;
    std::map<TensorId, std::pair<const RecordedTensor*, const RecordedTensor*>> pairs;
    for (const RecordedTensor& t : ours->tensors) pairs[t.id].first = &t;
    for (const RecordedTensor& t : theirs->tensors) pairs[t.id].second = &t;
    for (const auto& [id, pair] : pairs) {
        if (!pair.first || !pair.second) {
            Difference difference = difference_at("tensor", iteration, (pair.first ? pair.first : pair.second)->name);
            difference.event = event_path(pair.first ? a : b, id.event.iteration, id.event.ordinal);
            difference.tensor = id;
            difference.only = pair.first ? "first" : "second";
            return difference;
        }
        const std::uint64_t x = hash_of(*pair.first), y = hash_of(*pair.second);
        if (x == 0 || y == 0) continue; // dropped by a recorder that fell behind
        ++compared;
        if (x == y) continue;
        Difference difference = difference_at("tensor", iteration, pair.first->name);
        difference.event = event_path(a, id.event.iteration, id.event.ordinal);
        difference.tensor = id;
        name_element(difference, pair.first->tensor, pair.second->tensor);
        return difference;
    }
    return std::nullopt;
}

/// What was recorded below kernels, where both have it.
std::optional<Difference> compare_kernels(const Run& a, const Run& b, StepIndex iteration) {
    const auto ours = a.tensors_of(iteration), theirs = b.tensors_of(iteration);
    if (!ours || !theirs || !ours->kernels || !theirs->kernels) return std::nullopt;
    const auto where = first_difference(*ours->kernels, *theirs->kernels);
    if (!where) return std::nullopt;
    Difference out = difference_at("kernel", iteration, ours->kernels->ladder + "/" + ours->kernels->rung);
    out.kinds = *where;
    return out;
}

bool has_bits(const SeriesInfo& info) {
    return info.provenance == Provenance::computed || info.provenance == Provenance::counted;
}

/// Figures of a sweep over seeds stand at a seed's number, not at an iteration.
bool is_per_seed(const SeriesInfo& info) { return !info.every_iteration && info.name.starts_with("seed_"); }

Difference series_difference(const std::string& name, StepIndex iteration, std::string kinds) {
    Difference out = difference_at("series", iteration, name);
    out.kinds = std::move(kinds);
    return out;
}

Difference value_difference(const std::string& name, StepIndex iteration, double x, double y) {
    Difference out = difference_at("series", iteration, name);
    out.a = x;
    out.b = y;
    out.ulps = ulps_between(x, y, DType::f64);
    return out;
}

/// A computed series that only one of them has.
std::optional<Difference> compare_series(const Run& first, const Run& second) {
    for (const auto& [a, b] : {std::pair(&first, &second), std::pair(&second, &first)})
        for (const auto& series : a->series()) {
            const SeriesInfo& info = series->info();
            const Series* other = b->find_series(info.name);
            if (has_bits(info) && (!other || !has_bits(other->info()))) {
                Difference out = series_difference(info.name, a->first_iteration(), "");
                out.only = a == &first ? "first" : "second";
                return out;
            }
        }
    return std::nullopt;
}

std::optional<Difference> compare_scalars(const Run& a, const Run& b, StepIndex iteration, std::size_t& compared) {
    // Some series are kept only where the iteration was observed, which may differ.
    const bool as_observed = a.find_observed(iteration).has_value() == b.find_observed(iteration).has_value();
    for (const auto& series : a.series()) {
        const SeriesInfo& info = series->info();
        if (!has_bits(info) || is_per_seed(info)) continue;
        const auto x = a.value_at(info.name, iteration), y = b.value_at(info.name, iteration);
        if (x && y) ++compared;
        if (x.has_value() != y.has_value() && (info.every_iteration || as_observed)) {
            Difference out = series_difference(info.name, iteration, "");
            out.only = x ? "first" : "second";
            return out;
        }
        if (x && y && !same_bits(*x, *y)) return value_difference(info.name, iteration, *x, *y);
    }
    return std::nullopt;
}

/// What was computed after the last iteration: one figure per seed.
std::optional<Difference> compare_seeds(const Run& a, const Run& b, std::size_t& compared) {
    for (const auto& series : a.series()) {
        const Series* other = b.find_series(series->info().name);
        if (!is_per_seed(series->info()) || !has_bits(series->info()) || !other) continue;
        for (std::size_t i = 0; i < std::min(series->size(), other->size()); ++i) {
            const SeriesPoint x = series->at(i), y = other->at(i);
            ++compared;
            if (x.iteration != y.iteration || !same_bits(x.value, y.value))
                return value_difference(series->info().name, a.head(), x.value, y.value);
        }
        if (series->size() != other->size())
            return series_difference(series->info().name, a.head(),
                                     fmt::format("has {} values and {}", series->size(), other->size()));
    }
    return std::nullopt;
}

std::optional<Difference> compare_edits(const Run& first, const Run& second) {
    const std::vector<LoggedEdit> a = computing_edits(first), b = computing_edits(second);
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const bool both = i < a.size() && i < b.size();
        if (both && a[i].iteration == b[i].iteration && a[i].edit == b[i].edit) continue;
        // The earlier of two that stand at the same place of their lists is the one that the other run lacks.
        const bool ours = i < a.size() && (i >= b.size() || a[i].iteration <= b[i].iteration);
        const LoggedEdit& edit = ours ? a[i] : b[i];
        Difference out = difference_at("edit", edit.iteration, edit.edit.text());
        out.only = ours ? "first" : "second";
        return out;
    }
    return std::nullopt;
}

} // namespace

std::string Difference::sentence() const {
    if (what == "length")
        return fmt::format("in length alone: both are the same before iteration {}, where only the {} goes on", iteration, only);
    if (what == "edit") return fmt::format("in an edit: only the {} has '{}' before iteration {}", only, name, iteration);
    const auto step = [](StepIndex at) { return at < 0 ? std::string("the set-up") : fmt::format("iteration {}", at); };
    const std::string apart = fmt::format("{} ulp{} apart", ulps, ulps == 1 ? "" : "s");
    if (what == "kernel") return fmt::format("first at {}, below {}: {}", step(iteration), name, kinds);
    if (what == "series") {
        if (!only.empty()) return fmt::format("first at {}: only the {} has {}", step(iteration), only, name);
        if (!kinds.empty()) return fmt::format("first at {}: {} {}", step(iteration), name, kinds);
        return fmt::format("first at {}: {} is {} and {} ({})", step(iteration), name, number_text(a), number_text(b), apart);
    }
    std::string place;
    for (const Dim i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
    std::string at = fmt::format("first at {}, event {} ({}): tensor {}", step(tensor.event.iteration), event, tensor.event.ordinal, name);
    if (differing > 0)
        at += fmt::format("[{}] is {} and {} ({}), {} element{}", place, number_text(a), number_text(b), apart, differing,
                          differing == 1 ? " differs" : "s differ");
    else if (!only.empty()) at += " is only in the " + only;
    else if (!kinds.empty()) at += " is " + kinds;
    else at += " differs";
    return at;
}

DiffResult diff_runs(const Run& a, const Run& b) {
    DiffResult result;
    if ((result.first = compare_tensors(a, b, -1, result.tensors))) return result;
    if ((result.first = compare_series(a, b))) return result;
    const StepIndex from = std::max(a.first_iteration(), b.first_iteration());
    const StepIndex until = std::min(a.head(), b.head());
    const auto edit = compare_edits(a, b);
    for (StepIndex iteration = from; iteration < until; ++iteration) {
        if (edit && edit->iteration <= iteration) {
            result.first = edit;
            return result;
        }
        if (a.find_observed(iteration) && b.find_observed(iteration))
            if ((result.first = compare_tensors(a, b, iteration, result.tensors)) || (result.first = compare_kernels(a, b, iteration))) return result;
        if ((result.first = compare_scalars(a, b, iteration, result.series_values))) return result;
        ++result.iterations;
    }
    if (edit) result.first = edit;
    else if (a.head() != b.head()) {
        result.first = difference_at("length", until, "");
        result.first->only = a.head() > b.head() ? "first" : "second";
    } else if (a.state() == RunState::finished && b.state() == RunState::finished)
        result.first = compare_seeds(a, b, result.series_values);
    return result;
}

} // namespace gradus
