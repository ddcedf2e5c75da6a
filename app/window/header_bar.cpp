#include "app/window/header_bar.hpp"

#include <QHBoxLayout>

namespace gradus {

namespace {
QString parameter(const Manifest& manifest, const char* name) {
    const auto found = manifest.parameters.find(name);
    return found == manifest.parameters.end() ? QString() : QString::fromStdString(found->second);
}
} // namespace

HeaderBar::HeaderBar(QWidget* parent)
    : QWidget(parent), name_(new QLabel("Gradus", this)), place_(new QLabel(this)), machine_(new QLabel(this)) {
    setFixedHeight(48);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 0, 24, 0);
    row->setSpacing(40);
    row->addWidget(name_);
    row->addWidget(place_, 1);
    row->addWidget(machine_);
    machine_->setTextFormat(Qt::PlainText);
    place_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long net must not widen the window
}

void HeaderBar::setTheme(const Theme& theme) {
    const QString ink2 = theme.ink2.name();
    name_->setStyleSheet("font-size: 16px; font-weight: 700;");
    place_->setStyleSheet("color: " + ink2 + ";");
    machine_->setStyleSheet("color: " + ink2 + "; font-family: 'JetBrains Mono', 'DejaVu Sans Mono'; font-size: 12px;");
}

void HeaderBar::present(const Run& run, const QString& title, StepIndex cursor) {
    const Manifest& manifest = run.manifest();
    const QString separator = QStringLiteral("   ›   ");
    QString layers = parameter(manifest, "layers");
    layers.replace(",", QStringLiteral(" → "));
    QString place = title;
    if (!layers.isEmpty()) place += separator + layers;
    place += separator + QString::fromStdString(manifest.id) + separator + "<b>" + tr("step %1").arg(cursor) + "</b>";
    if (place != place_->text()) place_->setText(place);
    const QString threads = manifest.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(manifest.threads);
    const QString machine = QString::fromStdString(manifest.device).toUpper() + ", " + threads +
                            "   " + QString::fromStdString(manifest.isa) + "   " + parameter(manifest, "dtype") + "   " +
                            tr("seed %1").arg(manifest.seed);
    if (machine != machine_->text()) machine_->setText(machine);
}

} // namespace gradus
