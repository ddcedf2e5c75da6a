// What the keyboard and the menu can do: the half of MainWindow that is a table.
#include "app/window/header_bar.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/own_cover.hpp"
#include "app/window/paths_panel.hpp"
#include "app/window/recording.hpp"
#include "app/window/stage.hpp"
#include "app/window/transport_bar.hpp"
#include "app/window/window_files.hpp"
#include "app/window/why_driver.hpp"
#include "lessons/runtime/card.hpp"
#include "views/access/item_focus.hpp"
#include "views/story/story_view.hpp"

#include <QMenu>
#include <algorithm>

namespace gradus {

std::vector<KeyAction> MainWindow::keyTable() {
    Presenter* p = &presenter_;
    const QString move = tr("Move"), level = tr("Level and branch"), show = tr("Show"), change = tr("Change"), lab = tr("Lab");
    const QString kernel = tr("In a kernel"), before_class = tr("In class");
    const QString within = tr("In a view (Enter chooses, Ctrl+Enter opens)");
    using Way = ItemFocus::Way;
    return {
        {move, tr("Play or pause"), {Qt::Key_Space}, [p] { p->playOrPause(); }},
        {move, tr("Step"), {Qt::Key_Right}, [p] { p->stepForward(); }},
        {move, tr("Step back"), {Qt::Key_Left}, [p] { p->stepBack(); }},
        {move, tr("Prepared step"), {Qt::Key_Home}, [p] { p->goPrepared(); }},
        {move, tr("First step"), {Qt::CTRL | Qt::Key_Home}, [p] { p->goFirst(); }},
        {move, tr("Last step"), {Qt::Key_End}, [p] { p->goLast(); }},
        {move, tr("Slower"), {Qt::Key_Minus}, [this] { transport_->slower(); }},
        {move, tr("Faster"), {Qt::Key_Plus, Qt::Key_Equal}, [this] { transport_->faster(); }},
        {move, tr("Bookmark this step"), {Qt::Key_B}, [p] { p->toggleBookmark(); }},
        {move, tr("Stop at … (breakpoints)"), {Qt::SHIFT | Qt::Key_B}, [this] { showStops(); }},
        {move, tr("Next bookmark"), {Qt::Key_Period}, [p] { p->nextBookmark(1); }},
        {move, tr("Previous bookmark"), {Qt::Key_Comma}, [p] { p->nextBookmark(-1); }},
        {level, tr("Into: phase, layer, op"), {Qt::Key_Down}, [p] { p->levelIn(); }},
        {level, tr("Out of it"), {Qt::Key_Up}, [p] { p->levelOut(); }},
        {level, tr("Previous branch"), {Qt::Key_BracketLeft}, [p] { p->nextRun(-1); }},
        {level, tr("Next branch"), {Qt::Key_BracketRight}, [p] { p->nextRun(1); }},
        {level, tr("Drop this branch"), {QKeySequence(Qt::Key_Delete)}, [p] { p->dropBranch(); }},
        {change, tr("Learning rate"), {Qt::Key_E}, [this] { showRate(); }},
        {change, tr("Fan of futures: hold, choose, let go"), {Qt::Key_F}, nullptr},
        {change, tr("Undo"), {QKeySequence::Undo}, [p] { p->undo(); }},
        {change, tr("Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)}, [p] { p->redo(); }},
        {within, tr("Item to the right"), {Qt::ALT | Qt::Key_Right}, [this] { items_->move(Way::right); }},
        {within, tr("Item to the left"), {Qt::ALT | Qt::Key_Left}, [this] { items_->move(Way::left); }},
        {within, tr("Item above"), {Qt::ALT | Qt::Key_Up}, [this] { items_->move(Way::above); }},
        {within, tr("Item below"), {Qt::ALT | Qt::Key_Down}, [this] { items_->move(Way::below); }},
        {within, tr("Pictures or matrix"), {Qt::Key_I}, nullptr},
        {show, tr("Next part of the lesson"), {Qt::Key_PageDown}, [p] { p->setCardStep(p->state().card_step + 1); }},
        {show, tr("Previous part"), {Qt::Key_PageUp}, [p] { p->setCardStep(p->state().card_step - 1); }},
        {show, tr("Answer a question"), {Qt::Key_1}, nullptr},
        {show, tr("Light or dark"), {Qt::CTRL | Qt::Key_D}, [p] {
             p->change("theme", [](AppState& s) { s.theme = s.theme == ThemeMode::light ? ThemeMode::dark : ThemeMode::light; });
         }},
        {show, tr("English or Korean"), {Qt::CTRL | Qt::Key_L}, [p] {
             p->change("language", [](AppState& s) { s.language = s.language == Language::en ? Language::ko : Language::en; });
         }},
        {show, tr("Ruler: none, FLOPs, bytes, time"), {Qt::Key_U}, [p] {
             p->change("ruler", [](AppState& s) { s.ruler = static_cast<Ruler>((static_cast<int>(s.ruler) + 1) % 4); });
         }},
        {show, tr("Why this number?"), {Qt::Key_W}, [this] { why_->ask(); }},
        {show, tr("Hide the chosen tensor, or show it"), {Qt::Key_H}, [this] { toggleOwnCover(); }},
        {show, tr("Next lesson of the track"), {Qt::CTRL | Qt::Key_PageDown}, [this] { chooseBeside(next_card_); }},
        {show, tr("Previous lesson"), {Qt::CTRL | Qt::Key_PageUp}, [this] { chooseBeside(previous_card_); }},
        {show, tr("Into the track: ↑ ↓, Enter; again: fold"), {Qt::CTRL | Qt::Key_1}, [this] { goIntoTrack(); }},
        {show, tr("One view alone, or all"), {Qt::Key_Z}, [this] { toggleAlone(); }},
        {show, tr("Story"), {Qt::CTRL | Qt::Key_2}, [p] { p->change("story", [](AppState& s) { s.story_open = !s.story_open; }); }},
        {show, tr("In class"), {Qt::Key_F5}, [this] { class_ ? leaveClass() : enterClass(); }},
        {show, tr("Larger text"), {Qt::CTRL | Qt::Key_Equal, QKeySequence(Qt::CTRL | Qt::Key_Plus)}, [this] { scaleText(1); }},
        {show, tr("Smaller text"), {Qt::CTRL | Qt::Key_Minus}, [this] { scaleText(-1); }},
        {show, tr("Text as it was"), {Qt::CTRL | Qt::Key_0}, [this] { scaleText(0); }},
        {kernel, tr("Write in it"), {Qt::Key_K}, [this] {
             if (!stage_->openEditor()) files_->say(tr("There is no kernel in sight to write in."));
         }},
        {kernel, tr("Run what is written"), {Qt::CTRL | Qt::Key_Return}, nullptr},
        {kernel, tr("The kernel's own text again"), {Qt::Key_F4}, nullptr},
        {kernel, tr("What was found or is said next"), {Qt::Key_F8}, [this] {
             if (const QString why = stage_->nextFinding(); !why.isEmpty()) files_->say(why);
         }},
        {kernel, tr("Close; what is written stays"), {Qt::Key_Escape}, nullptr},
        {before_class, tr("Spotlight; Shift and arrows, + and − for it"), {Qt::Key_L}, nullptr},
        {before_class, tr("Screen dark, or there again"), {Qt::Key_B}, nullptr},
        {before_class, tr("The engine answers"), {Qt::Key_R}, nullptr},
        {before_class, tr("Vote closed, or open again"), {Qt::Key_V}, nullptr},
        {lab, tr("Export …"), {Qt::CTRL | Qt::Key_E}, [this] { files_->openExport(); }},
        {lab, tr("Save the run as …"), {QKeySequence::Save}, [this] { files_->saveRun(); }},
        {lab, tr("Record, or stop recording"), {Qt::CTRL | Qt::Key_R}, [this] { files_->toggleRecording(); }},
        {lab, tr("Go on where the last run ended"), {Qt::CTRL | Qt::Key_G}, [this] { files_->goOn(); }},
        {lab, tr("Start anew"), {Qt::CTRL | Qt::Key_N}, [this] { files_->startAnew(); }},
        {lab, tr("Keys"), {Qt::Key_Question, Qt::Key_F1}, [this] { showKeys(); }},
        {lab, tr("Menu"), {Qt::Key_F10}, [this] { showMenu(); }},
        {lab, tr("Leave a field"), {Qt::Key_Escape}, [this] {
             for (View* view : stage_->views()) view->cancelDrag();
             story_->cancelDrag();
             presenter_.endPreview();
             setFocus();
         }},
        {lab, tr("Quit"), {Qt::CTRL | Qt::Key_Q}, [this] { close(); }},
    };
}

/// As a prediction of one's own: covered on every view until the key is pressed again.
void MainWindow::toggleOwnCover() {
    AppState now = state();
    if (!toggle_own_cover(now)) return files_->say(tr("Choose a tensor first: then H hides it."));
    presenter_.change("hidden", [&](AppState& state) { state.hidden = now.hidden; });
}

/// The keyboard goes to the lesson one stands on; from there the same key folds the track and leaves it.
void MainWindow::goIntoTrack() {
    if (class_) return;
    const bool inside = focusWidget() == paths_;
    if (inside || !state().paths_open) presenter_.change("paths", [](AppState& s) { s.paths_open = !s.paths_open; });
    if (inside) setFocus();
    else paths_->goIn();
}

void MainWindow::chooseBeside(const QString& card) {
    if (class_) return;
    if (card.isEmpty()) return files_->say(tr("No lesson lies that way on this track."), 6'000);
    chooseCard(card);
}

void MainWindow::showKeys() { new KeysOverlay(theme_, actions_, content_); } // closes and deletes itself

void MainWindow::showMenu() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    Presenter* p = &presenter_;
    const auto toggle = [&](const QString& words, bool on, const char* kind, std::function<void(AppState&)> how) {
        QAction* action = menu->addAction(words, this, [p, kind, how] { p->change(kind, how); });
        action->setCheckable(true);
        action->setChecked(on);
    };
    toggle(tr("Dark"), state().theme == ThemeMode::dark, "theme",
           [](AppState& s) { s.theme = s.theme == ThemeMode::light ? ThemeMode::dark : ThemeMode::light; });
    toggle(QStringLiteral("한국어"), state().language == Language::ko, "language",
           [](AppState& s) { s.language = s.language == Language::en ? Language::ko : Language::en; });
    toggle(tr("High contrast"), state().high_contrast, "contrast", [](AppState& s) { s.high_contrast = !s.high_contrast; });
    toggle(tr("Reduce motion"), state().reduce_motion, "motion", [](AppState& s) { s.reduce_motion = !s.reduce_motion; });
    QMenu* sizes = menu->addMenu(tr("Text size"));
    for (const int percent : {100, 120, 140, 160, 180, 200}) {
        QAction* action = sizes->addAction(tr("%1 %").arg(percent), this, [p, percent] {
            p->change("text size", [percent](AppState& s) { s.text_scale = percent / 100.0; });
        });
        action->setCheckable(true);
        action->setChecked(qRound(state().text_scale * 100) == percent);
        action->setEnabled(percent <= qRound(mostScale() * 100) || action->isChecked());
    }
    menu->addAction(tr("In class (F5)"), this, &MainWindow::enterClass)->setEnabled(lesson_->card());
    menu->addSeparator();
    menu->addAction(tr("Export …"), files_, [this] { files_->openExport(); });
    menu->addAction(tr("Save the run as …"), files_, [this] { files_->saveRun(); });
    if (recording_) {
        QAction* record = menu->addAction(tr("Record"), files_, [this] { files_->toggleRecording(); });
        record->setCheckable(true);
        record->setChecked(recording_->on());
    }
    menu->addSeparator();
    menu->addAction(tr("Fan of futures"), this, &MainWindow::openFan);
    menu->addAction(tr("Why this number?"), why_, &WhyDriver::ask);
    QAction* hides = menu->addAction(tr("Hide the chosen tensor (H)"), this, &MainWindow::toggleOwnCover);
    hides->setCheckable(true);
    hides->setChecked(!state().hidden.empty());
    addStops(*menu->addMenu(tr("Stop …")));
    QMenu* rulers = menu->addMenu(tr("Ruler"));
    const std::pair<Ruler, QString> kinds[] = {{Ruler::none, tr("None")}, {Ruler::flops, tr("FLOPs")}, {Ruler::bytes, tr("Bytes")}, {Ruler::time, tr("Time")}};
    for (const auto& [ruler, name] : kinds) {
        QAction* action = rulers->addAction(name, this, [p, ruler = ruler] { p->change("ruler", [ruler](AppState& s) { s.ruler = ruler; }); });
        action->setCheckable(true);
        action->setChecked(state().ruler == ruler);
    }
    addTracks(*menu->addMenu(tr("Track")));
    menu->addSeparator();
    QAction* alone = menu->addAction(tr("One view alone (Z)"), this, &MainWindow::toggleAlone);
    alone->setCheckable(true);
    alone->setChecked(state().alone);
    for (const ViewKind& kind : view_kinds()) {
        const std::string id = kind.id;
        const auto& ids = stage_->ids();
        QAction* action = menu->addAction(kind.name, this, [this, id] {
            std::vector<std::string> views = stage_->ids();
            const auto at = std::find(views.begin(), views.end(), id);
            if (at == views.end()) {
                if (views.size() == Stage::most) {
                    for (const ViewKind& each : view_kinds())
                        if (each.id == views.back()) files_->say(tr("There is room for three views: this one gave way: %1").arg(each.name));
                    views.pop_back();
                }
                views.push_back(id);
            } else if (views.size() > 1) {
                views.erase(at);
            }
            chooseViews(std::move(views));
        });
        action->setCheckable(true);
        action->setChecked(std::find(ids.begin(), ids.end(), id) != ids.end());
    }
    menu->popup(header_->menuButton()->mapToGlobal(QPoint(0, header_->menuButton()->height())));
}

void MainWindow::showTracks(QPoint where) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addTracks(*menu);
    menu->popup(where);
}

void MainWindow::addTracks(QMenu& menu) {
    for (const LearningPath& path : library_->paths) {
        const std::string id = path.id; // the library may be read anew while the menu is open
        QAction* action = menu.addAction(QString::fromStdString(path.title.in(state().language == Language::ko ? "ko" : "en")), this, [this, id] {
            for (const LearningPath& each : library_->paths)
                if (each.id == id) path_ = &each;
            presentPaths();
        });
        action->setCheckable(true);
        action->setChecked(&path == path_);
    }
}

} // namespace gradus
