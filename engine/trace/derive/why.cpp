#include "engine/trace/derive/why.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/tape_trace.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::size_t longest = 32; // links: deeper than any lesson's net

std::optional<Dim> first_broken(const Tensor& tensor) {
    if (!tensor.defined() || !is_floating(tensor.dtype())) return std::nullopt;
    const Dim count = tensor.elements();
    if (tensor.contiguous() && tensor.dtype() == DType::f32) { // a step holds millions of numbers
        const float* data = tensor.data<float>();
        for (Dim i = 0; i < count; ++i)
            if (!std::isfinite(data[i])) return i;
        return std::nullopt;
    }
    for (Dim i = 0; i < count; ++i)
        if (!std::isfinite(tensor.at(i))) return i;
    return std::nullopt;
}

Dim largest(const Tensor& tensor) {
    Dim best = 0;
    for (Dim i = 1; i < tensor.elements(); ++i)
        if (std::abs(tensor.at(i)) > std::abs(tensor.at(best))) best = i;
    return best;
}

/// The site of the event that made a tensor in this iteration; null for what the iteration began with.
const EventSite* maker_of(const Run& run, const RecordedTensor& recorded, StepIndex iteration) {
    return recorded.id.event.iteration == iteration ? site_of(run, recorded.id) : nullptr;
}

/// Whether somebody set it before this iteration; what an experiment feeds anew stands where an edit's result would.
bool was_edited(const Run& origin, StepIndex iteration, std::string_view name) {
    for (const Run* run = &origin; run; run = run->parent().get())
        for (std::size_t i = 0; i < run->edits().size(); ++i) {
            const LoggedEdit& logged = run->edits()[i];
            if (logged.iteration == iteration && (logged.edit.target == name || logged.edit.kind == Edit::Kind::point)) return true;
        }
    return false;
}

WhyLink link_of(const Run& run, const RecordedTensor& recorded, std::vector<Dim> element, double value, StepIndex iteration) {
    WhyLink link;
    link.tensor = recorded.name;
    link.role = recorded.role;
    link.element = std::move(element);
    link.value = value;
    link.iteration = iteration;
    if (const EventSite* site = maker_of(run, recorded, iteration)) {
        link.ordinal = site->ordinal;
        link.op = site->name;
        link.formula = site->formula;
    }
    return link;
}

double size_of(const Contribution& contribution) {
    return std::isfinite(contribution.part) ? std::abs(contribution.part) : INFINITY;
}

/// The one to follow: of those that are not finite the first, else the one that gave most.
const Contribution& leading(const std::vector<Contribution>& all, bool broken) {
    if (broken)
        for (const Contribution& one : all)
            if (!one.finite()) return one;
    return *std::max_element(all.begin(), all.end(),
                             [](const Contribution& a, const Contribution& b) { return size_of(a) < size_of(b); });
}

double share_of(const Contribution& one, const std::vector<Contribution>& all) {
    double total = 0;
    for (const Contribution& other : all) total += size_of(other);
    if (std::isfinite(total)) return total > 0 ? std::abs(one.part) / total : 1.0 / static_cast<double>(all.size());
    return std::isfinite(one.part) ? 0 : 1;
}

} // namespace

std::optional<WhyLink> first_not_finite(const Run& run, StepIndex iteration) {
    const auto tensors = run.tensors_of(iteration);
    if (!tensors) return std::nullopt;
    const RecordedTensor* found = nullptr;
    const auto order = [&](const RecordedTensor& recorded) { // what the iteration began with stands before its events
        const bool made = recorded.id.event.iteration == iteration && recorded.id.event.ordinal < first_edit_ordinal;
        return std::pair(made ? recorded.id.event.ordinal : -1, recorded.id.output);
    };
    Dim flat = 0;
    for (const RecordedTensor& recorded : tensors->tensors) {
        if (found && order(*found) <= order(recorded)) continue;
        const auto broken = first_broken(recorded.tensor);
        if (!broken) continue;
        found = &recorded;
        flat = *broken;
    }
    if (!found) return std::nullopt;
    return link_of(run, *found, index_of(found->tensor.shape(), flat), found->tensor.at(flat), iteration);
}

Why why(const Run& run, const Run& origin, StepIndex iteration, std::string_view name, std::vector<Dim> element, bool begun) {
    IterationSource source(run, origin, iteration);
    if (!source.tensors) throw ArgumentError(fmt::format("the tensors of step {} are not kept", iteration));
    const RecordedTensor* at = source.tensors->find(name);
    for (const RecordedTensor& recorded : source.tensors->tensors)
        if (begun && recorded.name == name && recorded.tensor.defined() && !maker_of(run, recorded, iteration)) at = &recorded;
    begun = begun && at && !maker_of(run, *at, iteration);
    if (!at || !at->tensor.defined() || at->tensor.elements() == 0)
        throw ArgumentError(fmt::format("step {} has no tensor named {}", iteration, name));
    const Shape& shape = at->tensor.shape();
    const std::size_t picked_of = element.empty() && shape.rank() > 0 ? static_cast<std::size_t>(shape.elements()) : 0;
    if (picked_of > 0) {
        const auto broken = first_broken(at->tensor);
        element = index_of(shape, broken ? *broken : largest(at->tensor));
    }
    const Dim place = place_of(shape, element, name);
    Why out;
    out.picked_of = picked_of;
    out.first = first_not_finite(run, iteration);
    out.chain.push_back(link_of(run, *at, std::move(element), at->tensor.at(place), iteration));
    out.broken = !std::isfinite(out.chain.front().value);
    bool broken = out.broken;
    while (out.chain.size() < longest) {
        const WhyLink& here = out.chain.back();
        const EventSite* site = maker_of(run, *at, iteration);
        if (!site) {
            const bool edit = at->id.event.ordinal >= first_edit_ordinal && at->id.event.iteration == iteration &&
                              was_edited(origin, iteration, at->name);
            out.end = edit ? Why::End::edited : Why::End::began;
            // An edit of an earlier iteration stands as it was set; an update's result came from the iteration before.
            if ((broken || (begun && out.chain.size() == 1)) && !edit && at->id.event.iteration >= 0) out.earlier = at->id.event.iteration;
            return out;
        }
        const std::vector<Contribution> all = contributions(source, *site, at->id.output, here.element);
        if (all.empty()) {
            bool kept = true;
            for (std::size_t i = 0; i < site->inputs.size(); ++i) kept = kept && source.input(*site, i);
            out.end = kept ? Why::End::unknown : Why::End::not_kept;
            return out;
        }
        const Contribution& next = leading(all, broken);
        if (broken && next.finite()) { // here it broke; what follows are the finite numbers it was made from
            broken = false;
            out.origin = out.chain.size() - 1;
        }
        WhyLink link = link_of(run, *next.from, next.element, next.value, iteration);
        link.part = next.part;
        link.share = share_of(next, all);
        link.of = all.size();
        link.partner = next.partner;
        link.partner_element = next.partner_element;
        link.partner_value = next.partner_value;
        at = next.from;
        out.chain.push_back(std::move(link));
    }
    out.end = Why::End::unknown;
    return out;
}

} // namespace gradus
