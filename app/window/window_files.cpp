#include "app/window/window_files.hpp"

#include "app/window/export_panel.hpp"
#include "app/window/header_bar.hpp"
#include "app/window/main_window.hpp"
#include "app/window/picture.hpp"
#include "app/window/qt_text.hpp"
#include "app/window/quiet_line.hpp"
#include "app/window/recording.hpp"
#include "app/window/stage.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/file/save.hpp"
#include "lessons/runtime/card.hpp"
#include "views/derive/engine_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/derive/parameter_words.hpp"
#include "views/derive/settings.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

namespace gradus {

namespace {

/// The step one saw: the cursor's, or the head's where the cursor went along.
StepIndex step_of(const RunFile& file, const AppState& state) {
    const Run& run = *file.runs[std::min(state.run, file.runs.size() - 1)];
    const StepIndex last = std::max<StepIndex>(0, run.head() - 1);
    return state.cursor.at_head ? last : std::min(state.cursor.iteration, last);
}

} // namespace

WindowFiles::WindowFiles(MainWindow& window, Recording* recording, QuietLine* offer, QuietLine* note)
    : QObject(&window), window_(window), presenter_(window.presenter()), recording_(recording), offer_(offer), note_(note) {
    connect(offer_, &QuietLine::pressed, this, [this](int button) {
        if (!offering()) return;
        if (button == 0) goOn();
        else startAnew();
    });
    connect(&presenter_, &Presenter::opened, this, [this] {
        if (past_ && !resuming_ && presenter_.state().card != past_->state.card) startAnew(); // another lesson was begun
    });
    settled_.setSingleShot(true);
    settled_.setInterval(120);
    connect(&settled_, &QTimer::timeout, this, &WindowFiles::rereadCard);
    const auto changed = [this] { settled_.start(); };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, changed);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, changed);
}

WindowFiles::~WindowFiles() = default; // waits for a file that is being read

// --- export ------------------------------------------------------------------------------------------------------

ExportPanel* WindowFiles::panel() const { return window_.findChild<ExportPanel*>(); }

void WindowFiles::openExport(const QString& first) {
    if (panel()) return;
    ExportChoices choices;
    choices.panes.push_back({tr("The whole window"), &window_, "window"});
    const Stage& stage = window_.stage();
    for (std::size_t i = 0; i < stage.ids().size(); ++i)
        choices.panes.push_back({stage.views()[i]->accessibleName(), stage.views()[i], file_stem(stage.ids()[i])});
    if (!presenter_.runs().empty()) {
        choices.run = presenter_.run();
        const std::string change = change_of(*choices.run);
        choices.run_name = change.empty() ? tr("The run") : tr("The branch %1").arg(q(change));
        const std::string card = presenter_.state().card;
        choices.run_stem = q(card.empty() ? choices.run->manifest().experiment : card);
        if (!change.empty()) choices.run_stem += q("-" + choices.run->manifest().id).replace(' ', '-');
        choices.bookmarks = presenter_.state().bookmarks;
        const auto recorded = recording_ ? recording_->file() : std::filesystem::path();
        choices.save = [recorded, runs = presenter_.runs()](const std::filesystem::path& path) {
            if (recorded.empty()) save_runs(runs, path); // not recorded: what the memory holds
            else copy_recording(recorded, path);
        };
    }
    new ExportPanel(window_.theme(), std::move(choices), first, &window_); // closes and deletes itself
}

// --- recording ---------------------------------------------------------------------------------------------------

void WindowFiles::toggleRecording() {
    if (!recording_) return;
    recording_->setOn(!recording_->on());
    told_failure_.clear();
}

void WindowFiles::lookAtRecording() {
    const std::size_t bytes = recording_ && recording_->on() ? recording_->bytes() : 0;
    const std::string failure = recording_ && recording_->on() ? recording_->failure() : std::string();
    window_.header().setRecording(!recording_ || !recording_->on() || !failure.empty() ? QString()
                                  : bytes == 0                                      ? QStringLiteral("REC")
                                                                                    : QStringLiteral("REC ") + size_text(bytes));
    if (failure == told_failure_) return;
    told_failure_ = failure;
    if (failure.empty()) return;
    say(tr("Nothing more is recorded: %1").arg(q(failure)));
}

// --- going on ----------------------------------------------------------------------------------------------------

void WindowFiles::remember(LastSession last) {
    std::error_code error;
    if (last.recording.empty() || !std::filesystem::exists(last.recording, error)) return;
    past_ = std::move(last);
    reading_ = std::async(std::launch::async, [path = past_->recording] { return read_run_file(path); });
}

LastSession WindowFiles::session() const {
    if (past_) return *past_;
    LastSession now;
    now.state = presenter_.state();
    if (recording_) {
        now.recording = recording_->file();
        now.record = recording_->on();
    }
    return now;
}

void WindowFiles::forget() {
    if (past_ && recording_) recording_->discard(past_->recording);
    past_.reset();
    offered_.reset();
    resuming_ = false;
}

void WindowFiles::startAnew() {
    if (reading_.valid()) reading_.wait();
    reading_ = {};
    forget();
    sayOffer();
}

void WindowFiles::goOn() {
    if (!offered_) return;
    try {
        resuming_ = true;
        presenter_.goOn(offered_->runs, past_->state);
        offered_.reset();
    } catch (const Error& error) {
        resuming_ = false;
        offered_.reset();
        say(q(error.what()));
    }
    sayOffer();
}

void WindowFiles::lookAtPast() {
    if (reading_.valid() && reading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        try {
            RunFile file = reading_.get();
            const bool same = !file.runs.empty() && file.runs.front()->manifest().card == presenter_.state().card;
            if (same && file.runs.front()->head() > 1) offered_ = std::move(file);
            else forget();
        } catch (const std::exception& error) { // a file that cannot be read is left where it is
            past_.reset();
            say(tr("The last run cannot be read: %1").arg(q(error.what())));
        }
    }
    if (resuming_ && (!presenter_.resuming() || !presenter_.status().failure.empty())) {
        const Session::Status& status = presenter_.status();
        if (!status.failure.empty() || status.refusals > 0) { // it could not be computed again to the same bits
            say(q(status.failure.empty() ? status.refusal : status.failure));
        }
        if (status.failure.empty()) forget();
        else {
            past_.reset(); // the file stays: another build may be able to
            resuming_ = false;
            window_.restart();
        }
    }
    if (!offered_ || presenter_.runs().empty()) return;
    // One has begun to work on the new run: it has a branch, or it has come as far and somebody did something in it.
    const bool overtaken = offered_->runs.size() == 1 && presenter_.run()->head() >= offered_->runs.front()->head();
    if (presenter_.runs().size() > 1 || (overtaken && presenter_.history().can_undo())) startAnew();
}

void WindowFiles::say(const QString& sentence, qint64 ms) {
    said_ = sentence;
    say_until_ms_ = QDateTime::currentMSecsSinceEpoch() + ms;
}

void WindowFiles::sayUnkept(const std::string& why) { say(tr("Answers are not kept: %1").arg(engine_words(why))); }

/// The lesson, and the branch one stood on where there were some.
QString WindowFiles::whereOneWas(const QString& step) const {
    const QString lesson = window_.lessonName();
    const std::size_t forks = offered_->runs.size() - 1;
    if (forks == 0) return tr("%1: you were at step %2.").arg(lesson, step);
    const QString on = written_change(*offered_->runs[std::min(past_->state.run, forks)]);
    if (on.isEmpty()) return forks == 1 ? tr("%1: you were at step %2, with a fork.").arg(lesson, step)
                                        : tr("%1: you were at step %2, with %3 forks.").arg(lesson, step).arg(forks);
    return forks == 1 ? tr("%1: you were at step %2 of the fork %3.").arg(lesson, step, on)
                      : tr("%1: you were at step %2 of the fork %3, one of %4.").arg(lesson, step, on).arg(forks);
}

void WindowFiles::sayOffer() {
    if (offered_) {
        const QString step = QString::number(step_of(*offered_, past_->state));
        offer_->say(whereOneWas(step), {tr("Go on at step %1").arg(step) + "   Ctrl+G", tr("Start anew") + "   Ctrl+N"});
    } else if (resuming_) {
        offer_->say(tr("Computing again what was recorded …"));
    } else if (!said_.isEmpty() && QDateTime::currentMSecsSinceEpoch() < say_until_ms_) {
        offer_->say(said_);
    } else {
        offer_->say({});
    }
}

void WindowFiles::look() {
    lookAtPast();
    lookAtRecording();
    if (presenter_.said() != heard_) { // an edit that was refused, a fan that cannot open
        heard_ = presenter_.said();
        if (!heard_.isEmpty()) say(heard_words_ = refusal_words(heard_.section(' ', 0, 0).toStdString(), heard_.toStdString()));
        else if (said_ == heard_words_) said_.clear(); // no longer true
    }
    sayOffer();
    note_->say(problem_);
}

// --- a card that is being written --------------------------------------------------------------------------------

void WindowFiles::watch(const std::filesystem::path& folder) {
    if (folder != card_folder_) problem_.clear();
    card_folder_ = folder;
    const QStringList before = watcher_.files() + watcher_.directories();
    QStringList wanted;
    const QDir directory(q(folder.string()));
    if (!folder.empty() && directory.exists()) {
        wanted << directory.absolutePath();
        for (const char* name : {"card.toml", "en.md", "ko.md", "listing.py"})
            if (directory.exists(name)) wanted << directory.absoluteFilePath(name);
    }
    // A file that was replaced by another of its name is no longer watched: all are taken up again.
    if (!before.isEmpty()) watcher_.removePaths(before);
    if (!wanted.isEmpty()) watcher_.addPaths(wanted);
}

void WindowFiles::rereadCard() {
    if (card_folder_.empty()) return;
    watch(card_folder_);
    try {
        window_.replaceCard(load_card(card_folder_));
        problem_.clear();
    } catch (const std::exception& error) { // the last good card stays
        problem_ = q(error.what());
        if (const QString above = q((card_folder_.parent_path() / "").string()); problem_.startsWith(above)) problem_.remove(0, above.size());
    }
}

} // namespace gradus
