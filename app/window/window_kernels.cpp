// The kernels that a learner writes: on the stage, and for the question that asks for one.
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/stage.hpp"
#include "app/window/waiting_keys.hpp"
#include "lessons/runtime/edit.hpp"
#include "views/derive/settings.hpp"
#include "views/story/story_view.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theatre/theatre_view.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

namespace {

constexpr auto theatre_id = "kernel-theatre";

std::vector<TheatreView*> theatres(const Stage& stage) {
    std::vector<TheatreView*> out;
    for (View* view : stage.views())
        if (auto* theatre = qobject_cast<TheatreView*>(view)) out.push_back(theatre);
    return out;
}

bool is_open(const std::vector<TheatreView*>& theatres) {
    return std::any_of(theatres.begin(), theatres.end(), [](const TheatreView* theatre) { return theatre->editing(); });
}

} // namespace

const CheckEdit* MainWindow::askedKernel() const { return drafting_.isEmpty() || drafting_ != lesson_->editKey() ? nullptr : lesson_->edit(); }

/// Whether somebody writes in a kernel's text, which stays in sight while what was written is run.
bool MainWindow::isWritten() const {
    const std::vector<TheatreView*> all = theatres(*stage_);
    return std::any_of(all.begin(), all.end(), [](const TheatreView* theatre) { return theatre->editing() && theatre->isVisible(); });
}

/// Opens the editor of the kernel that the question asks for; where it is open, what stands there is tried.
void MainWindow::writeKernel() {
    const CheckEdit* asked = lesson_->edit();
    if (!asked) return;
    for (TheatreView* theatre : theatres(*stage_))
        if (theatre->editing() && askedKernel()) return theatre->editPanel().tryIt();
    const auto& ids = stage_->ids();
    if (std::find(ids.begin(), ids.end(), theatre_id) == ids.end()) {
        std::vector<std::string> with{theatre_id};
        with.insert(with.end(), ids.begin(), ids.end());
        with.resize(std::min<std::size_t>(with.size(), 2)); // the text wants room
        chooseViews(std::move(with));
    } else if (state().front != theatre_id && ids.size() > 1) {
        presenter_.change("stage", [](AppState& now) {
            now.front = theatre_id;
            now.alone = false;
        });
    }
    drafting_ = lesson_->editKey();
    if (!before_kernel_) before_kernel_ = {state().card, state().parameters};
    beginKernel(*asked);
    waiting_keys_->wait();
}

/// What is written is kept; the lesson goes on with the run that it had before.
void MainWindow::leaveKernel() {
    waiting_keys_->drop();
    if (drafting_.isEmpty()) return;
    for (TheatreView* theatre : theatres(*stage_)) theatre->setEditing(false); // tells of what was written last
    drafts_.drop();
    drafting_.clear();
    const auto before = std::exchange(before_kernel_, std::nullopt);
    if (!before || before->first != state().card || before->second == state().parameters) return;
    presenter_.change("parameter", [&](AppState& now) { now.parameters = before->second; });
    restart();
}

/// On stage is what has run, be it what one begins with: what is written may not even compile.
void MainWindow::beginKernel(const CheckEdit& asked) {
    const QString text = lesson_->editText();
    lesson_->showKernel(QString::fromStdString(asked.text));
    drafts_.begin(text, QString::fromStdString(asked.kernel), text == QString::fromStdString(asked.text));
}

void MainWindow::draftKernel(const QString& text, bool run) {
    if (drafting_.isEmpty()) {
        const bool open = is_open(theatres(*stage_));
        const auto kernels = presenter_.frame().kernels;
        if (open && kernels) drafts_.want(setup_of_kernel(presenter_.session().setup(), kernels->trace()), text, run);
        else if (open) drafts_.again(text, run);
        return;
    }
    lesson_->keepKernel(drafting_, text);
    const CheckEdit* asked = askedKernel();
    if (!asked) return; // its editor closes, or a class is in front of it
    Setup setup;
    setup.parameters = edit_parameters(*asked, text.toStdString(), asked->tries.front());
    setup.steps = 1;
    drafts_.want(setup, text, run, true);
    if (run) lesson_->gradeKernel(text);
}

void MainWindow::takeKernel(const QString& text) {
    if (askedKernel()) lesson_->showKernel(text);
    else runKernel(text);
}

/// It becomes the lesson's kernel; of a net that trains, from the step one stands on.
void MainWindow::runKernel(const QString& text) {
    const std::string name = source_parameter(presenter_.session().setup());
    if (name == "matmul_source") {
        const auto now = text_setting_at(*presenter_.run(), name, state().cursor.iteration);
        const auto kernels = presenter_.frame().kernels;
        const auto* sources = kernels ? &kernels->trace().sources : nullptr;
        const bool same = now && (*now == text.toStdString() || (*now == "own" && sources && !sources->empty() && sources->front() == text.toStdString()));
        if (!same) presenter_.submit({.kind = Edit::Kind::setting, .target = name, .index = {}, .values = {}, .text_value = text.toStdString()});
        return; // of the same kernel a branch would be the same run again
    }
    lesson_->commitParameter(QStringLiteral("source"), text);
}

/// The same run with that block recorded, where it can record one.
void MainWindow::recordBlock(int launch, qint64 block) {
    const Parameters& now = presenter_.session().setup().parameters;
    if (!now.contains("record_block")) return presenter_.say(tr("That block was not recorded: of a kernel in a step of training one is. What was found stands at its lines."));
    presenter_.change("parameter", [&](AppState& state) {
        if (now.at("record") != "block_alone") state.parameters["record"] = "block";
        state.parameters["record_launch"] = std::to_string(launch);
        state.parameters["record_block"] = std::to_string(block);
    });
    restart();
}

void MainWindow::dropKernel() {
    if (const CheckEdit* asked = askedKernel()) { // its own text is what one begins with, not what solves it
        lesson_->keepKernel(drafting_, {});
        return beginKernel(*asked);
    }
    drafts_.drop();
    runKernel(QStringLiteral("own"));
}

/// Whoever goes on to another question, or has another kernel run, leaves the editor; what is written is kept.
void MainWindow::followKernel() {
    bool open = is_open(theatres(*stage_));
    if (!drafting_.isEmpty()) {
        const CheckEdit* asked = askedKernel();
        const Parameters& now = presenter_.session().setup().parameters;
        const auto rung = now.find("rung");
        const bool other = asked && rung != now.end() && rung->second != asked->kernel; // chosen in the controls
        if (other) before_kernel_.reset();
        if (!asked || other) {
            leaveKernel();
            open = false;
        }
    }
    const bool writing = open && !drafting_.isEmpty();
    lesson_->setEditorOpen(writing);
    if (was_writing_ && !writing && !drafting_.isEmpty()) story_->focusCheck();
    was_writing_ = writing;
    if (!writing || !waiting_keys_->waiting()) return;
    for (TheatreView* theatre : theatres(*stage_))
        if (theatre->editing()) return waiting_keys_->give(theatre->editPanel().editor());
}

} // namespace gradus
