#include "app/window/lab.hpp"

#include "app/say.hpp"
#include "app/window/state_file.hpp"
#include "app/window/window_files.hpp"
#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"
#include "lessons/runtime/card.hpp"

#include <QFile>
#include <fmt/format.h>

namespace gradus {

namespace {

/// What this user had on screen; the defaults where there is nothing, or nothing that can be read.
AppState last_state(const std::string& first_card, const std::string& language) {
    AppState state;
    state.card = first_card;
    state.language = language == "ko" ? Language::ko : Language::en;
    QFile file(state_path());
    if (!file.open(QIODevice::ReadOnly)) return state;
    try {
        AppState last = state_from_json(file.readAll(), state_path());
        last.run = 0; // its Runs ended with it; whether to go on with them is asked
        last.cursor = {};
        if (last.card.empty()) last.card = first_card;
        return last;
    } catch (const FileError& error) {
        say("gradus: {}; starting as new\n", error.what());
        return state;
    }
}

} // namespace

LastTime LastTime::read(const std::string& first_card, const std::string& language) {
    LastTime out{last_state(first_card, language), LastSession::read(LastSession::standard_path())};
    AppState& state = out.state;
    if (const auto& last = out.session) { // one file has all that belongs together
        state.card = last->state.card.empty() ? state.card : last->state.card;
        state.card_step = last->state.card_step;
        state.parameters = last->state.parameters;
        state.seed = last->state.seed;
        state.bookmarks = last->state.bookmarks;
        state.open_modules = last->state.open_modules;
        state.views = last->state.views;
        state.front = last->state.front;
        state.alone = last->state.alone;
    }
    if (qgetenv("GRADUS_THEME") == "dark") state.theme = ThemeMode::dark;
    return out;
}

Lab::Lab(Library library, const LastTime& before)
    : state_file_(state_path().toStdString()), session_file_(LastSession::standard_path()) {
    const std::optional<LastSession>& last = before.session;
    try {
        progress_ = std::make_unique<Progress>(Progress::standard_path());
    } catch (const FileError& error) {
        say("gradus: {}; answers are not kept\n", error.what());
        unkept_ = error.what();
    }
    recording_ = std::make_unique<Recording>(user_folder(Keeps::state), last ? last->recording : std::filesystem::path(),
                                             !last || last->record);
    window_ = std::make_unique<MainWindow>(std::make_shared<const Library>(std::move(library)), before.state, progress_.get(), recording_.get());
    if (last) window_->files().remember(*last);
    if (!unkept_.empty()) window_->files().sayUnkept(unkept_);
    saved_ = window_->state();
    // A crash loses a quarter of a second of where one was, while it plays a second.
    QObject::connect(&saver_, &QTimer::timeout, window_.get(), [this] {
        if (window_->presenter().playing() && since_saved_.isValid() && since_saved_.elapsed() < 1000) return;
        since_saved_.start();
        save();
    });
    saver_.start(250);
}

Lab::~Lab() {
    save();
    saver_.stop();
}

void Lab::save() {
    AppState now = window_->state();
    now.cursor = {}; // the session's file has it
    now.run = 0;
    now.parameters = window_->presenter().ownParameters();
    if (now != saved_) state_file_.keep(state_to_json(saved_ = now));
    if (recording_->on() && recording_->file().empty() && recording_->failure().empty()) return; // just being made
    const LastSession session = window_->files().session();
    if (session.recording == saved_session_.recording && session_file_.idle())
        recording_->dropFormer(); // the disk knows of the one that counts
    if (session != saved_session_) session_file_.keep((saved_session_ = session).to_json());
}

} // namespace gradus
