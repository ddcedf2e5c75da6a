#include "views/story/parameter_control.hpp"

#include "engine/core/text.hpp"
#include "views/text/rich_painter.hpp"
#include "views/theme/words.hpp"

#include <QPainter>

namespace gradus {

namespace {

constexpr double widest_linear = 1e5; // a slider without a log scale cannot aim at one of more values

std::optional<double> number_in(const QString& text) { return parse_number(text.toStdString()); }

} // namespace

ParameterControl::ParameterControl(const StoryLook& look, const StoryParameter& parameter, QWidget* parent)
    : QWidget(parent), look_(look), parameter_(parameter) {
    if (parameter.kind == StoryParameter::Kind::choice) {
        for (const StoryOption& option : parameter.choices) {
            auto* button = new StoryButton(look, option.words, this);
            button->setObjectName("choice:" + option.id);
            connect(button, &QAbstractButton::clicked, this, [this, id = option.id] {
                take(id);
                emit committed(parameter_.name, id);
            });
            choices_.push_back(button);
        }
    } else {
        field_ = new StoryField(look, hasSlider(), this);
        field_->setObjectName("field");
        field_->setAccessibleName(parameter.label);
        connect(field_, &QLineEdit::returnPressed, this, &ParameterControl::submitField);
        if (hasSlider()) {
            slider_ = new Slider(look, this);
            slider_->setObjectName("slider");
            slider_->setAccessibleName(parameter.label);
            connect(slider_, &Slider::dragged, this, [this](double value) {
                const QString text = slider_->scale().written(value);
                field_->setText(text);
                slider_->setAccessibleDescription(text);
                emit dragged(parameter_.name, text);
            });
            connect(slider_, &Slider::cancelled, this, [this] {
                take(parameter_.value);
                emit cancelled();
            });
            connect(slider_, &Slider::committed, this, [this](double value) {
                emit committed(parameter_.name, slider_->scale().written(value));
            });
        }
    }
    const StoryParameter now = parameter_;
    parameter_.value = QString(); // so that the first value is taken
    present(now);
}

bool ParameterControl::hasSlider() const {
    const bool whole = parameter_.kind == StoryParameter::Kind::integer;
    if (!whole && parameter_.kind != StoryParameter::Kind::number) return false;
    return parameter_.most > parameter_.least && (parameter_.log || parameter_.most - parameter_.least <= widest_linear);
}

void ParameterControl::present(const StoryParameter& parameter) {
    const bool moved = parameter.value != parameter_.value;
    const bool refused = parameter.refusal != parameter_.refusal;
    parameter_ = parameter;
    if (slider_) slider_->setScale({parameter.least, parameter.most, parameter.log, parameter.kind == StoryParameter::Kind::integer});
    // A value of the learner's that was refused gives way to the one that holds, but typed words stay to be mended.
    if (moved || (refused && !parameter.refusal.isEmpty() && slider_)) take(parameter.value);
    if (refused) {
        emit reshaped();
        update();
    }
}

void ParameterControl::take(const QString& value) {
    for (std::size_t i = 0; i < choices_.size(); ++i)
        choices_[i]->setState(parameter_.choices[i].id == value ? StoryButton::Look::chosen : StoryButton::Look::plain);
    if (slider_ && slider_->moving()) return;
    if (slider_) {
        slider_->setValue(number_in(value).value_or(0));
        slider_->setAccessibleDescription(value);
    }
    if (field_ && !(field_->hasFocus() && field_->isModified()) && field_->text() != value) field_->setText(value);
}

void ParameterControl::cancelDrag() {
    if (slider_) slider_->cancel();
}

void ParameterControl::submitField() {
    const QString text = field_->text().trimmed();
    field_->setModified(false);
    if (const auto value = number_in(text); value && slider_) slider_->setValue(*value);
    emit committed(parameter_.name, text); // what it cannot be is for the experiment to say
}

void ParameterControl::setLook(const StoryLook& look) {
    look_ = look;
    if (slider_) slider_->setLook(look);
    if (field_) field_->setLook(look);
    for (StoryButton* button : choices_) button->setLook(look);
    update();
}

double ParameterControl::layOut(double width, bool place) {
    constexpr double left = ring_room;
    const double head = look_.px(24);
    double y = head;
    const double unit = parameter_.unit.isEmpty() ? 0 : TextMetrics(look_.text(13)).horizontalAdvance(parameter_.unit) + 6;
    if (slider_) {
        const double value = std::min(width * 0.5, look_.px(96));
        if (place) {
            field_->setGeometry(QRectF(left + width - value + (unit > 0 ? -unit : 5), 0, value, head).toRect());
            slider_->setGeometry(QRectF(0, y, width + 2 * ring_room, slider_->heightNeeded()).toRect());
        }
        y += slider_->heightNeeded();
    } else if (field_) {
        y += 4;
        if (place) field_->setGeometry(QRectF(left, y, width - unit, field_->heightNeeded()).toRect());
        y += field_->heightNeeded();
    } else {
        y += 4;
        y += place ? place_buttons(choices_, {left, y}, width) : height_of_buttons(choices_, width);
    }
    if (parameter_.refusal.isEmpty()) return y + 4;
    refusal_ = lay_out(parse_rich(parameter_.refusal), look_.rich(13, 18), width);
    refusal_top_ = y + 4;
    return y + 8 + refusal_.height;
}

void ParameterControl::resizeEvent(QResizeEvent*) { layOut(width() - 2 * ring_room, true); }

void ParameterControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(look_.text(14));
    painter.setPen(look_.theme.ink);
    const TextMetrics fm(painter.font());
    const double base = (look_.px(24) + fm.capHeight()) / 2;
    draw_text(painter, QPointF(ring_room, base), fm.elidedText(parameter_.label, Qt::ElideRight,
              slider_ ? field_->x() - ring_room - 4 : width() - 2 * ring_room));
    if (!parameter_.unit.isEmpty() && field_) {
        painter.setFont(look_.text(13));
        painter.setPen(look_.theme.ink2);
        const QRectF beside(field_->geometry().right() + 6, field_->y(), width(), field_->height());
        draw_text(painter, beside, Qt::AlignLeft | Qt::AlignVCenter, parameter_.unit);
    }
    if (slider_ && field_) { // a line under the number: it can be written over
        const QRectF box = field_->geometry();
        const double wide = std::max(look_.px(28), TextMetrics(look_.mono(14)).horizontalAdvance(field_->text()) + 4);
        painter.fillRect(QRectF(box.right() - 4 - wide, std::round(look_.px(24)) - 1, wide, 1), look_.theme.ink3);
    }
    if (!parameter_.refusal.isEmpty())
        paint_rich(painter, refusal_, {ring_room, refusal_top_}, rect(), look_.theme, look_.theme.ink2);
}

} // namespace gradus
