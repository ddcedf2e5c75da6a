#include "views/story/accessible_slider.hpp"

#include "views/story/slider.hpp"

#include <QAccessibleWidget>

namespace gradus {

namespace {

class AccessibleSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleSlider(Slider* slider) : QAccessibleWidget(slider, QAccessible::Slider), slider_(slider) {}

    QVariant currentValue() const override { return slider_->value(); }
    void setCurrentValue(const QVariant& value) override { slider_->take(value.toDouble()); }
    QVariant minimumValue() const override { return slider_->scale().value(0); }
    QVariant maximumValue() const override { return slider_->scale().value(1); }
    QVariant minimumStepSize() const override {
        return slider_->scale().step(slider_->value(), 1) - slider_->value();
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? SliderScale::tick_text(slider_->value()) : QAccessibleWidget::text(kind);
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

private:
    Slider* slider_;
};

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* slider = qobject_cast<Slider*>(object);
    return slider ? new AccessibleSlider(slider) : nullptr;
}

} // namespace

void install_accessible_sliders() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(installed);
}

} // namespace gradus
