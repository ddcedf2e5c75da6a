// Kernels that a lesson asks its learner to complete.
#include "app/window/lesson_driver.hpp"

#include "app/window/qt_text.hpp"
#include "lessons/runtime/card.hpp"
#include "lessons/runtime/edit.hpp"
#include "views/derive/engine_words.hpp"

#include <QRegularExpression>

namespace gradus {

namespace {

/// Words as they are, in a rich text: a compiler quotes code.
QString escaped(QString words) {
    static const QRegularExpression marks(QStringLiteral("([*`${}\\\\])"));
    return words.replace(marks, QStringLiteral("\\\\1"));
}

} // namespace

const CheckEdit* LessonDriver::edit() const {
    const Check* check = in_class_ ? nullptr : current();
    return check ? check->edit.get() : nullptr;
}

QString LessonDriver::editKey() const { return edit() ? q(card_->id + "/" + current()->id) : QString(); }

QString LessonDriver::editText() const {
    const CheckEdit* wanted = edit();
    if (!wanted) return {};
    const auto written = written_.find(editKey());
    return written == written_.end() || written->second.isEmpty() ? q(wanted->text) : written->second;
}

void LessonDriver::keepKernel(const QString& key, const QString& text) { written_[key] = text; }

void LessonDriver::gradeKernel(const QString& text) {
    if (!edit()) return;
    keepKernel(editKey(), text);
    grading_.request_stop();
    grading_ = {};
    if (pending_.valid()) given_up_.push_back(std::move(pending_)); // what is newer is wanted
    typed_ = text;
    recalled_ = false;
    check_state_ = StoryCheck::State::computing;
    pending_in_class_ = false;
    pending_check_ = check_;
    pending_ = std::async(std::launch::async, [kernel = current()->edit, typed = text.toStdString(), why = whyOf(*current()), stop = grading_.get_token()] {
        Verdicted out;
        try {
            const EditVerdict verdict = grade_edit(*kernel, typed, stop);
            out.right = verdict.right;
            if (verdict.right) out.why = why;
            out.engine_said = verdict.engine;
            out.not_met = {q(verdict.words.en), q(verdict.words.ko)};
        } catch (const std::exception& error) { // nobody waits for it where it was stopped
            out.understood = false;
            out.refusal = {error.what(), error.what()};
        }
        return out;
    });
}

std::array<QString, 2> LessonDriver::whyOf(const Check& check) const {
    const Run* run = presenter_.runs().empty() ? nullptr : presenter_.runs()[0].get();
    const Setup& setup = presenter_.session().setup();
    return {q(fill_in(check.why.en, *card_, setup, run, nullptr)), q(fill_in(check.why.ko, *card_, setup, run, nullptr))};
}

/// What was accepted once is so for good; nothing is run for it again.
void LessonDriver::recallEdit() {
    const auto given = given_.find(current()->id);
    if (given == given_.end() || !given->second.right) return;
    typed_ = given->second.typed;
    verdict_ = {};
    verdict_.right = recalled_ = true;
    verdict_.why = whyOf(*current());
    check_state_ = StoryCheck::State::committed;
}

QString LessonDriver::notMet() const {
    const QString words = verdict_.not_met[language() == "ko" ? 1 : 0];
    if (verdict_.engine_said.empty()) return words;
    const QString said = engine_words(verdict_.engine_said);
    return words.isEmpty() ? said : QStringLiteral("%1 (%2)").arg(said, words);
}

void LessonDriver::fillEdit(StoryCheck& out) const {
    const CheckEdit& kernel = *current()->edit;
    out.editing = editor_open_;
    out.answer.clear(); // the editor has it
    QStringList demands{tr("the reference's result"), tr("nothing found")};
    for (const EditDemand& demand : kernel.demands) demands << q(demand.words.in(language()));
    out.ask += "\n\n" + tr("Accepted at %1 sizes: %2.").arg(kernel.tries.size()).arg(demands.join(QStringLiteral("; ")));
    if (out.state == StoryCheck::State::committed && !out.is_right) out.why = QStringLiteral("✕ ") + escaped(notMet());
}

void LessonDriver::showKernel(const QString& text) {
    const CheckEdit* wanted = edit();
    if (!wanted || presenter_.session().experiment().id() != "run_kernel") return;
    Parameters changed = presenter_.session().setup().parameters;
    const Parameters kernel = edit_parameters(*wanted, text.toStdString(), wanted->tries.front());
    for (const char* name : {"ladder", "rung", "source", "sizes", "block"}) changed[name] = kernel.at(name);
    for (const char* name : {"record_launch", "record_block", "record_warp"}) changed[name] = "0";
    const Parameters& now = presenter_.session().setup().parameters;
    if (changed == now) return;
    presenter_.change("parameter", [&](AppState& state) {
        for (const auto& [name, value] : changed)
            if (now.at(name) != value) state.parameters[name] = value;
    });
    emit restartWanted();
}

} // namespace gradus
