// Where the parts of a lesson put the lab: the half of Presenter that a card speaks to.
#include "app/window/presenter.hpp"
#include "engine/core/error.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

void Presenter::goPrepared() {
    if (runs_.empty() || !tree_) return;
    remember("prepared");
    events_play_ = false;
    if (state_.run != 0) {
        session_->select(0);
        state_.run = 0;
        tree_.emplace(*runs_[0]);
        tree_run_ = runs_[0];
    }
    const CardStep* part = card_ && state_.card_step < card_->lesson.size() ? &card_->lesson[state_.card_step] : nullptr;
    putOnPath(part ? part->iteration.value_or(0) : 0, part ? part->cursor : "");
    if (part) lookAt(*part);
    emit stateChanged();
}

void Presenter::lookAt(const CardStep& part) {
    if (!part.select.empty()) state_.selection = {part.select, {}};
    if (part.open) state_.open_modules = *part.open;
}

void Presenter::setCardStep(std::size_t step) {
    if (!card_ || step >= card_->lesson.size() || step == state_.card_step) return;
    remember("part");
    state_.card_step = step;
    const CardStep& part = card_->lesson[step];
    if (own_) {
        if (own_->card != card_->id) own_ = {card_->id, state_.parameters}; // another was opened meanwhile
        takeParameters(own_->parameters, part);
    }
    if (tree_ && part.iteration) putOnPath(*part.iteration, part.cursor);
    lookAt(part);
    emit stateChanged();
}

void Presenter::setInClass(bool inClass) {
    if (inClass == own_.has_value() || !card_) return;
    CardStep part = state_.card_step < card_->lesson.size() ? card_->lesson[state_.card_step] : CardStep{};
    if (inClass) {
        own_ = {card_->id, state_.parameters};
        takeParameters(state_.parameters, part);
    } else {
        const Own own = *std::exchange(own_, std::nullopt);
        part.in_class.clear();
        if (own.card == card_->id) takeParameters(own.parameters, part);
    }
    emit stateChanged();
}

/// `parameters` with what the part brings. Where that is another Run it is computed as far as this one is, the cursor where
/// the part wants it.
void Presenter::takeParameters(const Parameters& parameters, const CardStep& part) {
    Parameters wanted = parameters;
    for (const auto& [name, value] : part.in_class) wanted[name] = value;
    if (wanted == state_.parameters) return;
    const StepIndex head = runs_.empty() ? 0 : run()->head(), iteration = part.iteration.value_or(state_.cursor.iteration);
    const bool at_head = state_.cursor.at_head && !part.iteration;
    const Card* card = card_;
    state_.parameters = std::move(wanted);
    try {
        begin(requestOf(*card));
    } catch (const ArgumentError&) { // the two do not go together; the part's do with the card's, or it had not been read
        state_.parameters = part.in_class;
        begin(requestOf(*card));
    }
    card_ = card;
    session_->run_to(std::max(head, iteration + 1));
    resumed_ = Cursor{};
    resumed_->iteration = iteration;
    resumed_->at_head = at_head;
    resumed_path_ = part.cursor;
    emit opened();
}

} // namespace gradus
