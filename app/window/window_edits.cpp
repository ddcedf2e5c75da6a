// What is typed: the number of a weight, the learning rate, where to stop.
#include "app/window/header_bar.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/setting_popup.hpp"
#include "app/window/stage.hpp"
#include "app/window/stops.hpp"
#include "app/window/window_files.hpp"
#include "engine/core/text.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"

#include <QMenu>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradus {

/// It deletes itself when it closes.
SettingPopup* MainWindow::ask(const StoryParameter& parameter) { return new SettingPopup(theme_, state().text_scale, parameter, this); }

void MainWindow::showRate() {
    const auto rate = lesson_->parameter("lr");
    if (!rate || !header_->rateButton()->isVisible()) return;
    SettingPopup* popup = ask(*rate);
    connect(popup, &SettingPopup::committed, this, [this, popup](const QString& name, const QString& value) {
        lesson_->commitParameter(name, value);
        const auto now = lesson_->parameter("lr");
        if (now && !now->refusal.isEmpty()) return popup->refuse(now->refusal);
        if (popup->types()) popup->close(); // it lies over what it has changed; a slider may be moved on
    });
    popup->popUpBelow(*header_->rateButton());
}

void MainWindow::openFan() {
    const Stage& stage = class_ ? class_->stage() : *stage_;
    bool seen = false;
    for (std::size_t i = 0; i < stage.ids().size(); ++i) seen |= shows_fan(stage.ids()[i]) && stage.views()[i]->isVisible();
    if (!seen) return files_->say(tr("The fan of futures is drawn among curves, and none is in sight: “Loss” in the menu has them."));
    presenter_.openFan();
    if (!presenter_.fan() && !presenter_.said().isEmpty()) files_->say(presenter_.said()); // again, where it was said before
}

/// The number of a weight can be typed, and the slider beside it shows what another would do.
void MainWindow::askForNumber(QWidget* view, const Edit& now, double reach, const QRect& beside) {
    const double value = now.values.front();
    const std::string place = fmt::format("[{}]", fmt::join(now.index, ", "));
    StoryParameter number;
    number.name = QString::fromStdString(now.target + place);
    number.label = written_name(now.target) + QString::fromStdString(place);
    number.value = three_digits(value);
    number.least = std::isfinite(value) ? value - reach : -reach;
    number.most = number.least + 2 * reach;
    auto* popup = ask(number);
    const auto edit_to = [now](const QString& text) -> std::optional<Edit> {
        const auto typed = parse_number(text.trimmed().toStdString());
        if (!typed) return std::nullopt;
        Edit edit = now;
        edit.values = {*typed};
        return edit;
    };
    connect(popup, &SettingPopup::dragged, this, [this, edit_to](const QString&, const QString& text) {
        if (const auto edit = edit_to(text)) presenter_.preview(*edit);
    });
    connect(popup, &SettingPopup::closed, &presenter_, &Presenter::endPreview);
    connect(popup, &SettingPopup::committed, this, [this, popup, edit_to, was = number.value](const QString&, const QString& text) {
        const auto edit = edit_to(text);
        if (!edit) return popup->refuse(tr("A number is wanted, such as 0.25."));
        if (text.trimmed() != was) {
            disconnect(popup, &SettingPopup::closed, nullptr, nullptr); // what was shown stays until the edit itself is there
            presenter_.submit(*edit);
        }
        popup->close();
    });
    popup->popUpBeside(*view, beside);
}

/// Breakpoints there are, each to be taken away, and the ways to set one.
void MainWindow::addStops(QMenu& menu) {
    if (presenter_.runs().empty()) return;
    Presenter* p = &presenter_;
    const std::vector<Edit>& now = p->status().breakpoints;
    const auto line = [&](const Edit& on, bool set) {
        Edit change = on;
        if (set) change.text_value = "off";
        QAction* action = menu.addAction(breakpoint_words(on), this, [p, change] { p->setBreakpoint(change); });
        action->setCheckable(true);
        action->setChecked(set);
    };
    const Edit nan = Edit::parse("break nan");
    if (std::find(now.begin(), now.end(), nan) == now.end()) line(nan, false);
    for (const Edit& edit : now) line(edit, true);
    menu.addSeparator();
    const StepIndex first = p->run()->head() + 1, last = p->session().planned_steps() - 1;
    menu.addAction(tr("before a step …"), this, [this, first, last] {
        StoryParameter step;
        step.name = QStringLiteral("iteration");
        step.label = tr("Stop before step");
        step.kind = StoryParameter::Kind::integer;
        step.least = static_cast<double>(first);
        step.most = static_cast<double>(last);
        step.value = QString::number(first + (last - first) / 2);
        askForStop(step, tr("A step from %1 to %2 is wanted: the others are computed.").arg(first).arg(last));
    })->setEnabled(first <= last);
    menu.addAction(tr("where the gradient's norm is above …"), this, [this] {
        StoryParameter norm;
        norm.name = QStringLiteral("gradient_norm");
        norm.label = tr("Stop where the norm is above");
        norm.least = 0.001;
        norm.most = 1000;
        norm.log = true;
        norm.value = QStringLiteral("10");
        askForStop(norm, tr("A number above 0 is wanted, such as 10."));
    });
}

void MainWindow::askForStop(const StoryParameter& number, const QString& refusal) {
    SettingPopup* popup = ask(number);
    const bool whole = number.kind == StoryParameter::Kind::integer;
    connect(popup, &SettingPopup::committed, this, [=, this](const QString& name, const QString& text) {
        const auto value = parse_number(text.trimmed().toStdString());
        const bool in_range = value && (whole ? *value >= number.least && *value <= number.most && *value == std::floor(*value) : *value > 0 && std::isfinite(*value));
        if (!in_range) return popup->refuse(refusal);
        Edit edit;
        edit.kind = Edit::Kind::breakpoint;
        edit.target = name.toStdString();
        edit.values = {*value};
        presenter_.setBreakpoint(edit);
        popup->close();
    });
    popup->popUpBelow(*header_->menuButton());
}

void MainWindow::showStops() {
    if (presenter_.runs().empty()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Stop …"))->setEnabled(false); // what its lines go on from
    addStops(*menu);
    menu->popup(header_->menuButton()->mapToGlobal(QPoint(0, header_->menuButton()->height())));
}

} // namespace gradus
