#include "app/window/edit_panel.hpp"

#include "engine/core/text.hpp"
#include "views/derive/settings.hpp"
#include "views/theme/numbers.hpp"

#include <QGridLayout>
#include <QPainter>
#include <algorithm>

namespace gradus {

namespace {

QLabel* quiet(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "quiet");
    return label;
}

/// A choice with the mark that says so.
class ChoiceBox : public QComboBox {
public:
    ChoiceBox(const Panel& panel, QWidget* parent) : QComboBox(parent), panel_(panel) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        QComboBox::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(panel_.theme().ink2, 1.5));
        const QPointF tip(width() - 14, height() / 2.0 + 2);
        const QPointF mark[3] = {tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)};
        painter.drawPolyline(mark, 3);
    }

private:
    const Panel& panel_;
};

/// The field's number, none if it is empty or no number.
std::optional<double> number_in(const QLineEdit* field) { return parse_number(field->text().trimmed().toStdString()); }
std::optional<std::int64_t> integer_in(const QLineEdit* field) {
    return parse_integer(field->text().trimmed().toStdString());
}

} // namespace

EditPanel::EditPanel(const Theme& theme, QWidget* parent)
    : Panel(theme, tr("Change"), parent), where_(quiet({}, this)), rate_(new QLineEdit(this)),
      apply_rate_(new QPushButton(tr("Apply"), this)), name_(new ChoiceBox(*this, this)), row_(new QLineEdit("0", this)),
      column_(new QLineEdit("0", this)), value_(new QLineEdit(this)), old_(quiet({}, this)),
      apply_weight_(new QPushButton(tr("Apply"), this)), said_(quiet({}, this)) {
    rate_->setObjectName("rate");
    name_->setObjectName("weight");
    row_->setObjectName("row");
    column_->setObjectName("column");
    value_->setObjectName("value");
    apply_rate_->setObjectName("applyRate");
    apply_weight_->setObjectName("applyWeight");
    said_->setObjectName("said");
    rate_->setAccessibleName(tr("Learning rate"));
    row_->setAccessibleName(tr("Row"));
    column_->setAccessibleName(tr("Column"));
    value_->setAccessibleName(tr("New value"));
    value_->setPlaceholderText(tr("new value"));
    said_->setWordWrap(true);
    said_->setFixedHeight(34);
    said_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(metrics::inside, title_height - 4, metrics::inside, 10);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->addWidget(where_, 0, 0, 1, 3);
    grid->setRowMinimumHeight(1, 6);
    grid->addWidget(new QLabel(tr("Learning rate η"), this), 2, 0, 1, 3);
    grid->addWidget(rate_, 3, 0, 1, 2);
    grid->addWidget(apply_rate_, 3, 2);
    grid->setRowMinimumHeight(4, 6);
    grid->addWidget(new QLabel(tr("One weight: name, row, column"), this), 5, 0, 1, 3);
    grid->addWidget(name_, 6, 0);
    grid->addWidget(row_, 6, 1);
    grid->addWidget(column_, 6, 2);
    grid->addWidget(value_, 7, 0, 1, 2);
    grid->addWidget(apply_weight_, 7, 2);
    grid->addWidget(old_, 8, 0, 1, 3);
    grid->addWidget(said_, 9, 0, 1, 3);
    grid->setRowStretch(10, 1);
    for (const int column : {0, 1, 2}) grid->setColumnStretch(column, 1);
    for (QLineEdit* field : {rate_, row_, column_, value_}) {
        field->setMinimumWidth(40);
        connect(field, &QLineEdit::textEdited, this, [this] { say({}); }); // what was said was of the old words
    }

    connect(apply_rate_, &QPushButton::clicked, this, &EditPanel::submitRate);
    connect(rate_, &QLineEdit::returnPressed, this, &EditPanel::submitRate);
    connect(apply_weight_, &QPushButton::clicked, this, &EditPanel::submitWeight);
    connect(value_, &QLineEdit::returnPressed, this, &EditPanel::submitWeight);
    connect(name_, &QComboBox::currentTextChanged, this, &EditPanel::updateOld);
    connect(row_, &QLineEdit::textChanged, this, &EditPanel::updateOld);
    connect(column_, &QLineEdit::textChanged, this, &EditPanel::updateOld);
}

void EditPanel::present(const EditPlace& place) {
    const bool other_run = place.run != place_.run;
    place_ = place;
    if (other_run && parameters_.empty()) presentParameters(*place.run);
    const QString where = place.forks ? tr("Before step %1, on a new branch").arg(place.iteration)
                                      : tr("Before step %1, on this run").arg(place.iteration);
    if (where != where_->text()) where_->setText(where);
    if (!rate_->hasFocus() || !rate_->isModified()) {
        const auto rate = setting_at(*place.run, "lr", place.iteration);
        const QString text = rate ? QString::fromStdString(number_text(*rate)) : QString();
        if (text != rate_->text()) rate_->setText(text);
        rate_->setEnabled(rate.has_value());
    }
    updateOld();
}

void EditPanel::presentParameters(const Run& run) {
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        for (const OutputInfo& output : site.outputs) {
            const QString name = QString::fromStdString(output.name);
            const auto known = std::find_if(parameters_.begin(), parameters_.end(),
                                            [&](const auto& entry) { return entry.first == name; });
            if (output.role == Role::parameter && known == parameters_.end()) parameters_.emplace_back(name, output.shape);
        }
    }
    const QSignalBlocker quietly(name_);
    for (const auto& [name, shape] : parameters_) name_->addItem(name);
}

const Shape* EditPanel::chosenShape() const {
    for (const auto& [name, shape] : parameters_)
        if (name == name_->currentText()) return &shape;
    return nullptr;
}

void EditPanel::updateOld() {
    const Shape* shape = chosenShape();
    if (shape) column_->setEnabled(shape->rank() > 1);
    QString text;
    const auto row = integer_in(row_), column = integer_in(column_);
    const std::string name = name_->currentText().toStdString();
    if (shape) text = tr("shape %1").arg(QString::fromStdString(shape->text()));
    // At the head the update of the cursor's step has been; behind it the edit comes before the step.
    const RecordedTensor* found = place_.tensors ? parameter_in(*place_.tensors, name, !place_.forks) : nullptr;
    if (found && shape && row && (column || shape->rank() < 2)) {
        const bool inside = *row >= 0 && *row < (*shape)[0] &&
                            (shape->rank() < 2 || (*column >= 0 && *column < (*shape)[1]));
        if (inside) {
            const Dim flat = shape->rank() < 2 ? *row : *row * (*shape)[1] + *column;
            text = tr("now %1, ").arg(three_digits(found->tensor.at(flat))) + text;
        }
    }
    if (text != old_->text()) old_->setText(text);
}

void EditPanel::submitRate() {
    Edit edit;
    edit.target = "lr";
    if (const auto number = number_in(rate_)) edit.values = {*number};
    else edit.text_value = rate_->text().trimmed().toStdString();
    rate_->setModified(false);
    emit submitted(edit);
}

void EditPanel::submitWeight() {
    const auto value = number_in(value_);
    const auto row = integer_in(row_), column = integer_in(column_);
    const Shape* shape = chosenShape();
    if (!shape) return;
    if (!value || !row || (shape->rank() > 1 && !column)) {
        say(tr("A weight needs a row, a column and a number."));
        return;
    }
    Edit edit;
    edit.kind = Edit::Kind::element;
    edit.target = name_->currentText().toStdString();
    edit.index = {*row};
    if (shape->rank() > 1) edit.index.push_back(*column);
    edit.values = {*value};
    emit submitted(edit);
}

void EditPanel::say(const QString& sentence) {
    if (sentence != said_->text()) said_->setText(sentence);
    said_->setToolTip(sentence);
}

void EditPanel::choose(const QString& parameter) {
    if (const int at = name_->findText(parameter); at >= 0) name_->setCurrentIndex(at);
}

} // namespace gradus
