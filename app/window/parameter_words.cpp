#include "app/window/parameter_words.hpp"

#include <QCoreApplication>
#include <QHash>

namespace gradus {

namespace {

const QHash<QString, const char*>& labels() {
    static const QHash<QString, const char*> all{
        {"activation", QT_TRANSLATE_NOOP("Parameter", "Activation")},
        {"after", QT_TRANSLATE_NOOP("Parameter", "After layer")},
        {"batch", QT_TRANSLATE_NOOP("Parameter", "Batch")},
        {"between", QT_TRANSLATE_NOOP("Parameter", "Between the layers")},
        {"bias", QT_TRANSLATE_NOOP("Parameter", "Bias")},
        {"classes", QT_TRANSLATE_NOOP("Parameter", "Classes")},
        {"curvature", QT_TRANSLATE_NOOP("Parameter", "Curvature a")},
        {"curvature2", QT_TRANSLATE_NOOP("Parameter", "Second curvature")},
        {"data", QT_TRANSLATE_NOOP("Parameter", "Data")},
        {"depth", QT_TRANSLATE_NOOP("Parameter", "Depth")},
        {"dtype", QT_TRANSLATE_NOOP("Parameter", "Type of number")},
        {"inputs", QT_TRANSLATE_NOOP("Parameter", "Inputs")},
        {"intercept_f", QT_TRANSLATE_NOOP("Parameter", "Intercept of f")},
        {"intercept_g", QT_TRANSLATE_NOOP("Parameter", "Intercept of g")},
        {"intercept_h", QT_TRANSLATE_NOOP("Parameter", "Intercept of h")},
        {"intercept_k", QT_TRANSLATE_NOOP("Parameter", "Intercept of k")},
        {"label", QT_TRANSLATE_NOOP("Parameter", "Right class")},
        {"layers", QT_TRANSLATE_NOOP("Parameter", "Layers")},
        {"lines", QT_TRANSLATE_NOOP("Parameter", "Number of lines")},
        {"loss", QT_TRANSLATE_NOOP("Parameter", "Loss")},
        {"lr", QT_TRANSLATE_NOOP("Parameter", "Learning rate η")},
        {"momentum", QT_TRANSLATE_NOOP("Parameter", "Momentum β")},
        {"noise", QT_TRANSLATE_NOOP("Parameter", "Noise")},
        {"objective", QT_TRANSLATE_NOOP("Parameter", "Objective")},
        {"omit", QT_TRANSLATE_NOOP("Parameter", "Left out")},
        {"operation", QT_TRANSLATE_NOOP("Parameter", "Operation")},
        {"optimizer", QT_TRANSLATE_NOOP("Parameter", "Optimizer")},
        {"scale", QT_TRANSLATE_NOOP("Parameter", "Scale")},
        {"seed", QT_TRANSLATE_NOOP("Parameter", "Seed")},
        {"seeds", QT_TRANSLATE_NOOP("Parameter", "Seeds")},
        {"shift", QT_TRANSLATE_NOOP("Parameter", "Shift")},
        {"slope_f", QT_TRANSLATE_NOOP("Parameter", "Slope of f")},
        {"slope_g", QT_TRANSLATE_NOOP("Parameter", "Slope of g")},
        {"slope_h", QT_TRANSLATE_NOOP("Parameter", "Slope of h")},
        {"slope_k", QT_TRANSLATE_NOOP("Parameter", "Slope of k")},
        {"start", QT_TRANSLATE_NOOP("Parameter", "Start")},
        {"start2", QT_TRANSLATE_NOOP("Parameter", "Second start")},
        {"steps", QT_TRANSLATE_NOOP("Parameter", "Steps")},
        {"width", QT_TRANSLATE_NOOP("Parameter", "Width")}};
    return all;
}

} // namespace

QString parameter_label(const std::string& name) {
    const QString said = QString::fromStdString(name);
    if (name.size() == 2 && name[0] == 'z' && name[1] >= '0' && name[1] <= '9')
        return QCoreApplication::translate("Parameter", "Logit of class %1").arg(name[1]);
    const auto found = labels().constFind(said);
    return found == labels().constEnd() ? said : QCoreApplication::translate("Parameter", *found);
}

QString parameter_unit(const std::string& unit) {
    static const QHash<QString, const char*> units{
        {"classes", QT_TRANSLATE_NOOP("Unit", "classes")}, {"examples", QT_TRANSLATE_NOOP("Unit", "examples")},
        {"layers", QT_TRANSLATE_NOOP("Unit", "layers")},   {"lines", QT_TRANSLATE_NOOP("Unit", "lines")},
        {"nets", QT_TRANSLATE_NOOP("Unit", "nets")},       {"rows", QT_TRANSLATE_NOOP("Unit", "rows")}};
    const QString said = QString::fromStdString(unit);
    const auto found = units.constFind(said);
    return found == units.constEnd() ? said : QCoreApplication::translate("Unit", *found);
}

} // namespace gradus
