// Which lesson is open, and what it puts on the stage and the track. The fourth part of MainWindow.
#include "app/window/card_listing.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/paths_panel.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_files.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/card.hpp"
#include "lessons/runtime/progress.hpp"
#include "views/access/item_focus.hpp"
#include "views/runs/run_list.hpp"
#include "views/story/story_view.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gradus {

namespace {

/// The first track that has this card, or the first of all.
const LearningPath* path_with(const Library& library, const std::string& card) {
    for (const LearningPath& path : library.paths)
        for (const PathStop& stop : path.stops)
            if (stop.card == card) return &path;
    return library.paths.empty() ? nullptr : &library.paths.front();
}

} // namespace

void MainWindow::openCard(const QString& id) {
    const Card* card = library_->find(id.toStdString());
    if (!card) return;
    takeCard(*card);
    presenter_.open(*card);
    showCard(*card);
}

void MainWindow::chooseCard(const QString& id) {
    const Card* card = library_->find(id.toStdString());
    if (!card) return;
    if (lesson_->card() == card && !presenter_.runs().empty()) return presenter_.goPrepared();
    takeCard(*card);
    presenter_.openPrepared(*card);
    showCard(*card);
}

void MainWindow::takeCard(const Card& card) {
    if (presenter_.state().card != card.id)
        presenter_.change("card", [&](AppState& state) {
            const Card* left = lesson_->card();
            if (left && state.card_step < left->lesson.size() && !left->lesson[state.card_step].ruler.empty()) state.ruler = Ruler::none; // the part brought it
            state.card = card.id;
            state.card_step = 0;
            state.parameters.clear();
            state.seed = 0;
            state.selection = {};
            state.hidden.clear();
            state.example = state.compared = -1;
            state.bookmarks.clear();
            state.open_modules.clear();
            state.views.clear();
            state.front.clear();
            state.alone = false;
        }, false);
}

/// A state's card, paused where the state was.
void MainWindow::resumeCard(const Moment& moment) {
    const Card* card = library_->find(moment.state.card);
    if (!card) return;
    presenter_.resume(*card, moment);
    showCard(*card);
}

void MainWindow::showCard(const Card& shown) {
    const Card* card = &shown;
    lesson_->setCard(card);
    files_->watch(library_->folder.empty() ? std::filesystem::path() : library_->folder / "cards" / card->id);
    const bool on_path = path_ && std::any_of(path_->stops.begin(), path_->stops.end(),
                                              [&](const PathStop& stop) { return stop.card == card->id; });
    if (!on_path) path_ = path_with(*library_, card->id);
    arrangeStage();
    applyState();
}

void MainWindow::replaceCard(const Card& fresh) {
    auto library = std::make_shared<Library>(*library_);
    const auto at = std::find_if(library->cards.begin(), library->cards.end(), [&](const Card& c) { return c.id == fresh.id; });
    if (at == library->cards.end() || fresh.id != state().card) return;
    *at = fresh;
    presenter_.replaceCard(*at); // throws before anything else is changed
    lesson_->replaceCard(&*at);
    const std::string path = path_ ? path_->id : std::string();
    const auto former = std::exchange(library_, std::move(library)); // until nobody looks at its cards any more
    if (class_) class_->arrange(&*at, state().views.empty() ? at->views : state().views);
    path_ = path_with(*library_, fresh.id);
    for (const LearningPath& one : library_->paths)
        if (one.id == path) path_ = &one;
    arrangeStage();
    applyState();
}

QString MainWindow::lessonName() const {
    const std::string language = state().language == Language::ko ? "ko" : "en";
    if (path_)
        for (const PathStop& stop : path_->stops)
            if (stop.card == state().card) return QString::fromStdString(stop.title.in(language));
    return lesson_->card() ? QString::fromStdString(lesson_->card()->title.in(language)) : QString();
}

/// Another batch or other layers begin a Run of their own: what was computed is out of sight, but not lost.
void MainWindow::sayWhatGoes() {
    const std::size_t runs = presenter_.runsInSight().size();
    if (runs == 0 || presenter_.run()->head() < 2) return;
    if (runs == 1) files_->say(tr("A new run: Ctrl+Z brings the old curve back."));
    else if (runs == 2) files_->say(tr("A new run: Ctrl+Z brings the old curve and its fork back."));
    else files_->say(tr("A new run: Ctrl+Z brings the old curve and its %1 forks back.").arg(runs - 1));
}

void MainWindow::restart() {
    if (const Card* card = library_->find(state().card)) presenter_.restart(*card);
}

void MainWindow::arrangeStage() {
    std::vector<std::string> ids = state().views;
    const Card* card = library_->find(state().card);
    if (ids.empty() && card) {
        const std::size_t part = state().card_step;
        ids = part < card->lesson.size() && !card->lesson[part].views.empty() ? card->lesson[part].views : card->views;
    }
    if (ids.empty()) ids = {"graph", "series", "accuracy"};
    paintNextFrame();
    stage_->setListing(card ? listing_of(*card) : nullptr);
    stage_->arrange(ids, state().front, state().alone);
    watchViews();
}

/// One view has the whole stage, or all are back.
void MainWindow::toggleAlone() {
    if (!state().alone && stage_->views().size() < 2) return;
    const std::string id = state().alone ? std::string() : stage_->current();
    presenter_.change("stage", [&](AppState& now) {
        now.alone = !id.empty();
        now.front = id;
    });
}

void MainWindow::watchViews() {
    QWidget* before = list_; // Tab goes as one reads: track, runs, views, story, transport
    for (View* view : stage_->views()) {
        items_->watch(view);
        setTabOrder(before, view);
        before = view;
    }
}

void MainWindow::chooseViews(std::vector<std::string> ids) {
    presenter_.change("views", [&](AppState& now) {
        now.views = std::move(ids);
        now.front.clear();
        now.alone = false;
    });
}

void MainWindow::presentPaths() {
    const auto done = [this](const std::string& id) { // every check that counts was answered rightly once
        const Card* card = library_->find(id);
        if (!card || !progress_ || card->checks.empty()) return false;
        const std::vector<std::string>& passed = progress_->passed(id);
        return std::all_of(card->checks.begin(), card->checks.end(), [&](const Check& check) {
            return check.gut || std::find(passed.begin(), passed.end(), check.id) != passed.end();
        });
    };
    std::vector<Station> stations;
    QString title = tr("No lesson"), next_title;
    bool passed = false; // the station one stands on
    next_card_.clear();
    previous_card_.clear();
    if (path_) {
        title = QString::fromStdString(path_->title.in(state().language == Language::ko ? "ko" : "en"));
        for (const PathStop& stop : path_->stops) {
            Station station;
            station.card = QString::fromStdString(stop.card);
            station.title = QString::fromStdString(stop.title.in(state().language == Language::ko ? "ko" : "en"));
            station.optional = !stop.core;
            station.finished = done(stop.card);
            station.mark = stop.card == state().card          ? Station::Mark::here
                           : station.finished                 ? Station::Mark::done
                           : library_->find(stop.card)        ? Station::Mark::open
                                                              : Station::Mark::unwritten;
            if (passed && next_card_.isEmpty() && library_->find(stop.card)) {
                next_card_ = station.card;
                next_title = station.title;
            }
            passed |= station.mark == Station::Mark::here;
            if (!passed && library_->find(stop.card)) previous_card_ = station.card;
            stations.push_back(std::move(station));
        }
    }
    if (!passed) previous_card_.clear();
    lesson_->setNextLesson(next_title);
    const bool room = width() / host_->zoom() >= 1180; // else the stage needs it
    paths_->present(title, stations, library_->paths.size() > 1, !state().paths_open || !room);
}

void MainWindow::applyState() {
    const AppState& now = state();
    if (now.theme != shown_.theme || now.high_contrast != shown_.high_contrast) applyTheme();
    if (now.language != shown_.language) applyLanguage();
    if (now.text_scale != host_->zoom()) changeScale();
    story_->setVisible(now.story_open && lesson_->card());
    const auto stage = [](const AppState& s) { return std::tie(s.card_step, s.views, s.front, s.alone); };
    if (stage(now) != stage(shown_)) arrangeStage();
    presentPaths();
    shown_ = now;
}

} // namespace gradus
