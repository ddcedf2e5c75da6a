// Where the parts of a lesson put the lab: the part of Presenter that a card speaks to.
#include "app/window/presenter.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

namespace {

/// "W1" or one element of it, "W1[0,8]".
Selection selection_of(const std::string& words) {
    const std::size_t open = words.find('[');
    Selection out{words.substr(0, open), {}};
    for (std::size_t at = open; at < words.size() && words[at] != ']';) {
        const std::size_t end = std::min(words.find_first_of(",]", at + 1), words.size());
        out.element.push_back(parse_integer(words.substr(at + 1, end - at - 1)).value_or(0));
        at = end;
    }
    return out;
}

} // namespace

void Presenter::restart(const Card& card) {
    if (runs_.empty() || !tree_ || playing() || play_on_) return open(card);
    const AppState stood = state_;
    const StepIndex computed = std::max(promised_, runs_[0]->head());
    const EventSite* site = tree_->find(stood.cursor.ordinal);
    const std::string path = site ? site->path : std::string();
    begin(requestOf(card));
    promised_ = std::clamp(computed, std::min(stood.cursor.iteration + 1, session_->planned_steps()), session_->planned_steps());
    session_->run_to(promised_);
    resumed_ = Place{stood.cursor, path, stood.selection};
    if (stood.cursor.iteration + 1 < promised_) resumed_->cursor.at_head = false;
    emit opened();
    card_ = &card;
    state_.card = card.id;
}

/// A new Run of the card, computed to its end while one stands where the part wants it.
void Presenter::standAt(const Card& card, const Scene& part) {
    begin(requestOf(card));
    promised_ = session_->planned_steps();
    session_->run_to(promised_);
    resumed_ = Place{{.iteration = part.iteration.value_or(0), .at_head = false}, part.cursor_for(own_.has_value())};
    emit opened();
    card_ = &card;
    state_.card = card.id;
    lookAt(part);
}

void Presenter::goPrepared() {
    if (runs_.empty() || !tree_) return;
    remember("prepared");
    events_play_ = replays_ = false;
    if (card_ && !own_ && (!state_.parameters.empty() || state_.seed > 0)) { // it was prepared with the card's own
        state_.parameters.clear();
        state_.seed = 0;
        standAt(*card_, state_.card_step < card_->lesson.size() ? static_cast<const Scene&>(card_->lesson[state_.card_step]) : Scene{});
        emit stateChanged();
        return;
    }
    if (state_.run != 0) {
        session_->select(0);
        state_.run = 0;
        lookAtTree();
    }
    const Scene* part = card_ && state_.card_step < card_->lesson.size() ? &card_->lesson[state_.card_step] : nullptr;
    standOn(part ? part->iteration.value_or(0) : 0, part ? part->cursor_for(own_.has_value()) : "");
    if (part) lookAt(*part);
    emit stateChanged();
}

/// There at once, or as soon as that step is computed.
void Presenter::standOn(StepIndex iteration, const std::string& path) {
    const bool to_come = tree_ && state_.run == 0 && iteration > last_iteration() && iteration < session_->planned_steps();
    if (!resumed_ && !to_come) {
        if (tree_) putOnPath(iteration, path);
        return;
    }
    promised_ = std::clamp(promised_, std::min(iteration + 1, session_->planned_steps()), session_->planned_steps());
    if (tree_) putOn(state_.cursor.iteration, state_.cursor.ordinal);
    resumed_ = Place{{.iteration = iteration, .at_head = false}, path};
    session_->run_to(promised_);
}

void Presenter::lookAt(const Scene& scene) {
    if (scene.select == "none") state_.selection = {};
    else if (!scene.select.empty()) state_.selection = selection_of(scene.select);
    if (scene.open) state_.open_modules = *scene.open;
    if (!scene.ruler.empty())
        state_.ruler = scene.ruler == "flops" ? Ruler::flops : scene.ruler == "bytes" ? Ruler::bytes : scene.ruler == "time" ? Ruler::time : Ruler::none;
}

void Presenter::setCardStep(std::size_t step) {
    if (!card_ || step >= card_->lesson.size() || step == state_.card_step) return;
    remember("part");
    state_.card_step = step;
    state_.front.clear(); // it has views of its own
    state_.alone = false;
    if (status_.playing && state_.run == 0) promised_ = session_->planned_steps(); // whoever reads on sees the whole run all the same
    show(card_->lesson[step]);
}

void Presenter::showScene(const Scene& scene) {
    if (!card_ || !own_) return;
    show(scene);
}

void Presenter::lookAtScene(const Scene& scene) {
    if (card_ && !own_) show(scene);
}

void Presenter::show(const Scene& scene) {
    if (own_) {
        if (own_->card != card_->id) own_ = own(); // another was opened meanwhile
        takeParameters(own_->parameters, scene, true);
    }
    const bool missed = !own_ && scene.iteration && tree_ && !scene.cursor.empty() && !tree_->find(scene.cursor);
    if (missed && dropRecorded()) {
        standAt(*card_, scene);
    } else {
        if (scene.iteration) standOn(*scene.iteration, scene.cursor_for(own_.has_value()));
        lookAt(scene);
    }
    emit stateChanged();
}

/// Whoever looked at another block, or launch, had that recorded in place of what the card speaks of. That leaves "block"
/// or "block_alone"; a Run that was asked for with any other record keeps it, it may be much smaller than the card's own.
bool Presenter::dropRecorded() {
    Parameters& chosen = state_.parameters;
    const auto record = chosen.find("record");
    if (record != chosen.end() && record->second != "block" && record->second != "block_alone") return false;
    bool dropped = false;
    for (const char* name : {"record", "record_launch", "record_block", "record_warp"}) dropped |= chosen.erase(name) > 0;
    return dropped;
}

Presenter::Own Presenter::own() const {
    return {card_->id, state_.parameters, std::max(promised_, runs_.empty() ? 0 : run()->head()), runs_, state_};
}

void Presenter::setInClass(bool inClass) {
    if (inClass == own_.has_value() || !card_) return;
    Scene part;
    if (state_.card_step < card_->lesson.size()) part = card_->lesson[state_.card_step];
    if (inClass) {
        const EventSite* prepared = tree_ && part.iteration == state_.cursor.iteration && !part.class_cursor.empty() ? tree_->find(part.cursor) : nullptr;
        own_ = own();
        takeParameters(own_->parameters, part, true);
        if (prepared && prepared->ordinal == state_.cursor.ordinal) standOn(*part.iteration, part.class_cursor); // from anywhere else a teacher shows what is there
    } else {
        part.in_class.clear();
        QString lost; // why the forks could not be computed again
        if (own_->card == card_->id && !takeForks(lost)) takeParameters(own_->parameters, part, false);
        if (!lost.isEmpty()) said_ = lost;
        for (const auto& run : own_->runs) last_owner_.share(run);
        own_.reset();
    }
    emit stateChanged();
}

/// The learner's Run with its forks, computed again from their edits; false where there are none that were given up.
bool Presenter::takeForks(QString& problem) {
    if (!own_->replaced || own_->runs.size() < 2) return false;
    try {
        goOn(own_->runs, own_->state);
    } catch (const Error& error) {
        problem = QString::fromStdString(error.what());
        return false;
    }
    state_.parameters = own_->parameters;
    return true;
}

/// `parameters` with what the scene brings. Where that is another Run it is computed as far as a class can see, or as the
/// learner's was, the cursor where the scene wants it.
void Presenter::takeParameters(const Parameters& parameters, const Scene& scene, bool in_class) {
    Parameters wanted = parameters;
    for (const auto& [name, value] : scene.in_class) wanted[name] = value;
    if (wanted == state_.parameters) return;
    const Cursor stands = resumed_ ? resumed_->cursor : state_.cursor; // or will, once that is computed
    const StepIndex iteration = scene.iteration.value_or(stands.iteration);
    const bool at_head = stands.at_head && !scene.iteration;
    const Card* card = card_;
    own_->replaced = true;
    state_.parameters = std::move(wanted);
    try {
        begin(requestOf(*card));
    } catch (const ArgumentError&) { // the two do not go together; the scene's do with the card's, or it had not been read
        state_.parameters = scene.in_class;
        begin(requestOf(*card));
    }
    card_ = card;
    promised_ = scene.in_class.empty() ? std::max(own_->head, iteration + 1) : session_->planned_steps();
    session_->run_to(promised_);
    resumed_ = Place{{.iteration = iteration, .at_head = at_head}, scene.cursor_for(in_class)};
    emit opened();
}

} // namespace gradus
