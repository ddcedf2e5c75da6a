#include "app/window/header_bar.hpp"

#include "views/derive/event_words.hpp"
#include "views/derive/settings.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QEvent>
#include <QHBoxLayout>

namespace gradus {

namespace {
QString parameter(const Manifest& manifest, const char* name) {
    const auto found = manifest.parameters.find(name);
    return found == manifest.parameters.end() ? QString() : QString::fromStdString(found->second);
}

/// What the run computes in: as its setting says, else as its ops write.
QString precision(const Run& run) {
    if (const QString set = parameter(run.manifest(), "dtype"); !set.isEmpty()) return set;
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        for (const OutputInfo& output : run.sites()[i].outputs)
            if (is_floating(output.dtype)) return QString::fromStdString(std::string(name_of(output.dtype)));
    return {};
}

QPushButton* quiet_button(const QString& text, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setProperty("role", "quiet");
    button->setFocusPolicy(Qt::TabFocus);
    button->setFixedSize(32, 30);
    return button;
}
} // namespace

HeaderBar::HeaderBar(const Theme& theme, QWidget* parent)
    : QWidget(parent), name_(new QLabel("Gradus", this)), place_(new QLabel(this)), machine_(new QLabel(this)),
      recording_(new QLabel(this)), rate_(new QPushButton(this)), menu_(quiet_button("≡", this)),
      help_(quiet_button("?", this)) {
    setFixedHeight(52);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 0, 20, 0);
    row->setSpacing(18);
    name_->setFixedWidth(198);
    row->addWidget(name_);
    row->addWidget(place_, 1);
    rate_->setProperty("role", "quiet");
    rate_->setFocusPolicy(Qt::TabFocus);
    rate_->setFixedHeight(30);
    rate_->hide();
    row->addWidget(rate_);
    row->addWidget(machine_);
    row->addWidget(recording_, 0, Qt::AlignVCenter);
    row->addWidget(menu_);
    row->addSpacing(-12);
    row->addWidget(help_);
    recording_->hide();
    machine_->setTextFormat(Qt::PlainText);
    place_->setTextFormat(Qt::RichText);
    place_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long place must not widen the window
    retranslate();
    setTheme(theme);
}

void HeaderBar::hold(QWidget* line) {
    line_ = line;
    static_cast<QHBoxLayout*>(layout())->insertWidget(layout()->indexOf(place_), line, 1, Qt::AlignVCenter);
    line->installEventFilter(this);
    share();
}

void HeaderBar::resizeEvent(QResizeEvent*) { share(); }

bool HeaderBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)) share();
    return QWidget::eventFilter(watched, event);
}

/// Where there is little room the place one stands at needs it most, and what is said more than that.
void HeaderBar::share() {
    const bool narrow = width() < 900, says = line_ && !line_->isHidden();
    name_->setFixedWidth(narrow ? name_->sizeHint().width() : says ? 186 : 198); // a box begins where the stage does, words where its words do
    name_->setVisible(!narrow || !says);
    place_->setVisible(!says);
    machine_->setVisible(!narrow && !says);
}

void HeaderBar::setTheme(const Theme& theme) {
    const QString ink2 = theme.ink2.name(), mono = mono_sheet(metrics::text - 1);
    set_style(*name_, "font-size: 16px; font-weight: 700;");
    set_style(*place_, "color: " + ink2 + ";");
    set_style(*rate_, "QPushButton { padding: 0 10px; " + mono + " }");
    set_style(*machine_, "color: " + ink2 + ";" + mono);
    set_style(*recording_, QString("color: %1; background: %2; border-radius: 11px; padding: 3px 10px;")
                                  .arg(theme.window.name(), theme.ink.name()) + mono_sheet(metrics::text - 1, QFont::Bold));
}

void HeaderBar::retranslate() {
    for (const auto& [button, name] : {std::pair{menu_, tr("Menu")}, std::pair{help_, tr("Keys")}}) {
        button->setAccessibleName(name);
        button->setToolTip(name);
    }
    rate_->setToolTip(tr("Change the learning rate from here on (E)"));
    machine_->clear(); // written anew at the next look
    crumbs_.clear();
}

void HeaderBar::setRecording(const QString& words) {
    recording_->setVisible(!words.isEmpty());
    if (words != recording_->text()) recording_->setText(words);
}

/// From where one stands outwards, as far as there is room.
QString HeaderBar::placeText(QStringList crumbs) const {
    const QString last = crumbs.takeLast(), between = QStringLiteral("  ›  "), more = QStringLiteral("…");
    QFont bold = place_->font();
    bold.setBold(true);
    const TextMetrics plain(place_->font());
    const double room = crumbs_room_ - TextMetrics(bold).horizontalAdvance(last) - 2;
    QString before = crumbs.join(between) + (crumbs.isEmpty() ? QString() : between);
    while (!crumbs.isEmpty() && plain.horizontalAdvance(before) > room) {
        crumbs.removeFirst();
        before = more + between + crumbs.join(between) + (crumbs.isEmpty() ? QString() : between);
    }
    return before.toHtmlEscaped().replace(' ', QStringLiteral("&nbsp;")) + "<b>" + last.toHtmlEscaped() + "</b>";
}

void HeaderBar::presentNothing() {
    crumbs_.clear();
    place_->clear();
    machine_->clear();
    rate_->hide();
}

void HeaderBar::present(const Look& look, const EventTree& tree) {
    const Run& run = *look.run();
    const Manifest& manifest = run.manifest();
    QStringList crumbs;
    const QString change = written_change(run);
    crumbs << (change.isEmpty() ? tr("Run") : change);
    if (look.state.cursor.level >= Level::iteration) crumbs << tr("step %1").arg(look.state.cursor.iteration);
    if (look.state.cursor.level > Level::iteration)
        for (const EventSite* site : tree.path(look.state.cursor.ordinal))
            if (site->level > Level::iteration) crumbs << event_word(*site);
    if (crumbs != crumbs_ || place_->width() != crumbs_room_) {
        crumbs_ = crumbs;
        crumbs_room_ = place_->width();
        place_->setText(placeText(std::move(crumbs)));
        place_->setAccessibleName(crumbs_.join(QStringLiteral(" › ")));
    }
    const auto rate = setting_at(run, "lr", look.state.cursor.iteration);
    rate_->setVisible(rate.has_value());
    if (const QString words = rate ? "η " + three_digits(*rate) : QString(); words != rate_->text()) {
        rate_->setText(words);
        rate_->setAccessibleName(tr("Learning rate η") + " " + words.mid(2));
    }
    const bool interpreted = manifest.device == "simt"; // whose kernels have threads of their own
    const QString threads = manifest.threads == 1 ? (interpreted ? tr("1 CPU thread") : tr("1 thread")) : (interpreted ? tr("%1 CPU threads") : tr("%1 threads")).arg(manifest.threads);
    const QString machine = QString::fromStdString(manifest.device).toUpper() + ", " + threads + "   " +
                            precision(run) + "   " + tr("seed %1").arg(manifest.seed);
    if (machine != machine_->text()) {
        machine_->setText(machine);
        machine_->setToolTip(tr("instruction path %1").arg(QString::fromStdString(manifest.isa)));
    }
}

} // namespace gradus
