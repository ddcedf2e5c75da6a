#include "views/derive/settings.hpp"

#include "engine/core/text.hpp"

#include <algorithm>

namespace gradus {

namespace {

/// The last edit of a setting up to that iteration, of the ancestors too, which is one that `counts`; null if there was none.
const Edit* last_edit(const Run& run, const std::string& name, StepIndex iteration, bool (*counts)(const Edit&)) {
    for (const Run* at = &run; at; at = at->parent().get()) {
        for (std::size_t i = at->edits().size(); i > 0; --i) {
            const LoggedEdit& logged = at->edits()[i - 1];
            if (logged.edit.kind == Edit::Kind::setting && logged.edit.target == name && logged.iteration <= iteration && counts(logged.edit)) return &logged.edit;
        }
        // Of the parent only what came before the fork counts, and what was set at the fork itself.
        iteration = std::min(iteration, at->first_iteration());
    }
    return nullptr;
}

} // namespace

std::optional<double> setting_at(const Run& run, const std::string& name, StepIndex iteration) {
    if (const Edit* edit = last_edit(run, name, iteration, [](const Edit& each) { return !each.values.empty(); })) return edit->values[0];
    const auto found = run.manifest().parameters.find(name);
    return found == run.manifest().parameters.end() ? std::nullopt : parse_number(found->second);
}

std::optional<std::string> text_setting_at(const Run& run, const std::string& name, StepIndex iteration) {
    if (const Edit* edit = last_edit(run, name, iteration, [](const Edit& each) { return !each.text_value.empty(); })) return edit->text_value;
    const auto found = run.manifest().parameters.find(name);
    return found == run.manifest().parameters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Edit> first_change(const Run& run) {
    for (std::size_t i = 0; run.parent() && i < run.edits().size(); ++i)
        if (run.edits()[i].edit.kind != Edit::Kind::breakpoint) return run.edits()[i].edit;
    return std::nullopt;
}

std::string change_of(const Run& run) {
    const std::optional<Edit> change = first_change(run);
    if (!change) return {};
    const bool many_lines = change->text_value.find('\n') != std::string::npos; // nobody reads them here
    return many_lines ? change->target + " = …" : change->text();
}

const RecordedTensor* parameter_in(const IterationTensors& tensors, std::string_view name, bool after) {
    const RecordedTensor* found = nullptr; // the state it began with stands before what its events wrote
    for (const RecordedTensor& recorded : tensors.tensors) {
        if (recorded.name != name || !recorded.tensor.defined()) continue;
        found = &recorded;
        if (!after) break;
    }
    return found;
}

} // namespace gradus
