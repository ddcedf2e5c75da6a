#include "views/derive/parameter_words.hpp"

#include "views/derive/engine_words.hpp"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

namespace gradus {

namespace {

QString said(const QHash<QString, const char*>& words, const char* context, const std::string& name) {
    const auto found = words.constFind(QString::fromStdString(name));
    return found == words.constEnd() ? QString::fromStdString(name) : QCoreApplication::translate(context, *found);
}

} // namespace

QString parameter_words(const std::string& name) {
    static const QHash<QString, const char*> words{
        {"activation", QT_TRANSLATE_NOOP("Parameter", "Activation")},
        {"after", QT_TRANSLATE_NOOP("Parameter", "After layers")},
        {"batch", QT_TRANSLATE_NOOP("Parameter", "Batch")},
        {"between", QT_TRANSLATE_NOOP("Parameter", "Between the layers")},
        {"bias", QT_TRANSLATE_NOOP("Parameter", "Bias")},
        {"block", QT_TRANSLATE_NOOP("Parameter", "Threads of a block")},
        {"channels", QT_TRANSLATE_NOOP("Parameter", "Channels")},
        {"chip", QT_TRANSLATE_NOOP("Parameter", "Chip")},
        {"classes", QT_TRANSLATE_NOOP("Parameter", "Classes")},
        {"curvature", QT_TRANSLATE_NOOP("Parameter", "Curvature a")},
        {"curvature2", QT_TRANSLATE_NOOP("Parameter", "Curvature a₂")},
        {"data", QT_TRANSLATE_NOOP("Parameter", "Data")},
        {"depth", QT_TRANSLATE_NOOP("Parameter", "Depth")},
        {"dtype", QT_TRANSLATE_NOOP("Parameter", "Number type")},
        {"growth_interval", QT_TRANSLATE_NOOP("Parameter", "Scale grows after")},
        {"inputs", QT_TRANSLATE_NOOP("Parameter", "Inputs")},
        {"intercept_f", QT_TRANSLATE_NOOP("Parameter", "Intercept of f")},
        {"intercept_g", QT_TRANSLATE_NOOP("Parameter", "Intercept of g")},
        {"intercept_h", QT_TRANSLATE_NOOP("Parameter", "Intercept of h")},
        {"intercept_k", QT_TRANSLATE_NOOP("Parameter", "Intercept of k")},
        {"intercept_z", QT_TRANSLATE_NOOP("Parameter", "Intercept of the plane")},
        {"label", QT_TRANSLATE_NOOP("Parameter", "Right class")},
        {"layers", QT_TRANSLATE_NOOP("Parameter", "Layers")},
        {"lines", QT_TRANSLATE_NOOP("Parameter", "Lines")},
        {"loss", QT_TRANSLATE_NOOP("Parameter", "Loss")},
        {"loss_scale", QT_TRANSLATE_NOOP("Parameter", "Loss scale")},
        {"lr", QT_TRANSLATE_NOOP("Parameter", "Learning rate η")},
        {"momentum", QT_TRANSLATE_NOOP("Parameter", "Momentum β")},
        {"noise", QT_TRANSLATE_NOOP("Parameter", "Noise")},
        {"norm", QT_TRANSLATE_NOOP("Parameter", "Normalisation")},
        {"objective", QT_TRANSLATE_NOOP("Parameter", "Objective")},
        {"omit", QT_TRANSLATE_NOOP("Parameter", "Left out")},
        {"operation", QT_TRANSLATE_NOOP("Parameter", "Operation")},
        {"optimizer", QT_TRANSLATE_NOOP("Parameter", "Optimizer")},
        {"precision", QT_TRANSLATE_NOOP("Parameter", "Precision")},
        {"scale", QT_TRANSLATE_NOOP("Parameter", "Scale")},
        {"schedule", QT_TRANSLATE_NOOP("Parameter", "Schedule")},
        {"seed", QT_TRANSLATE_NOOP("Parameter", "Seed")},
        {"seeds", QT_TRANSLATE_NOOP("Parameter", "Seeds")},
        {"shift", QT_TRANSLATE_NOOP("Parameter", "Shift")},
        {"slope_f", QT_TRANSLATE_NOOP("Parameter", "Slope of f")},
        {"slope_g", QT_TRANSLATE_NOOP("Parameter", "Slope of g")},
        {"slope_h", QT_TRANSLATE_NOOP("Parameter", "Slope of h")},
        {"slope_k", QT_TRANSLATE_NOOP("Parameter", "Slope of k")},
        {"slope_x1", QT_TRANSLATE_NOOP("Parameter", "Slope in x₁")},
        {"slope_x2", QT_TRANSLATE_NOOP("Parameter", "Slope in x₂")},
        {"start", QT_TRANSLATE_NOOP("Parameter", "Start")},
        {"start2", QT_TRANSLATE_NOOP("Parameter", "Second start")},
        {"steps", QT_TRANSLATE_NOOP("Parameter", "Steps")},
        {"surface", QT_TRANSLATE_NOOP("Parameter", "Surface")},
        {"warmup", QT_TRANSLATE_NOOP("Parameter", "Warm-up")},
        {"weight_decay", QT_TRANSLATE_NOOP("Parameter", "Weight decay λ")},
        {"width", QT_TRANSLATE_NOOP("Parameter", "Width")},
        {"z0", QT_TRANSLATE_NOOP("Parameter", "Logit z₀")},
        {"z1", QT_TRANSLATE_NOOP("Parameter", "Logit z₁")},
    };
    return said(words, "Parameter", name);
}

QString choice_words(const std::string& choice) {
    static const QHash<QString, const char*> words{
        {"sum", QT_TRANSLATE_NOOP("Choice", "f + g")},
        {"product", QT_TRANSLATE_NOOP("Choice", "f · g")},
        {"f_of_g", QT_TRANSLATE_NOOP("Choice", "f(g(x))")},
        {"g_of_f", QT_TRANSLATE_NOOP("Choice", "g(f(x))")},
        {"none", QT_TRANSLATE_NOOP("Choice", "nothing")},
        {"parabola", QT_TRANSLATE_NOOP("Choice", "parabola")},
        {"plane", QT_TRANSLATE_NOOP("Choice", "plane")},
        {"bowl", QT_TRANSLATE_NOOP("Choice", "bowl")},
        {"line", QT_TRANSLATE_NOOP("Choice", "line through points")},
        {"xor", QT_TRANSLATE_NOOP("Choice", "XOR")},
        {"spirals", QT_TRANSLATE_NOOP("Choice", "spirals")},
        {"blobs", QT_TRANSLATE_NOOP("Choice", "blobs")},
        {"moons", QT_TRANSLATE_NOOP("Choice", "moons")},
        {"rings", QT_TRANSLATE_NOOP("Choice", "rings")},
        {"fashion-mnist", QT_TRANSLATE_NOOP("Choice", "Fashion-MNIST")},
        {"a100", QT_TRANSLATE_NOOP("Choice", "A100")},
        {"h100", QT_TRANSLATE_NOOP("Choice", "H100")},
        {"rtx4090", QT_TRANSLATE_NOOP("Choice", "RTX 4090")},
        {"shuffle", QT_TRANSLATE_NOOP("Choice", "shuffle")},
        {"scale", QT_TRANSLATE_NOOP("Choice", "scale")},
    };
    return said(words, "Choice", choice);
}

QString refusal_words(const std::string& name, const std::string& sentence) {
    static const QRegularExpression experiment(QStringLiteral("^[a-z_]+: "));
    const QString words = engine_words(sentence).remove(experiment), inner = QString::fromStdString(name);
    const bool named = words.startsWith(inner + ' ');
    return named ? parameter_words(name) + words.mid(inner.size()) : words;
}

QString unit_words(const std::string& unit) {
    static const QHash<QString, const char*> words{
        {"classes", QT_TRANSLATE_NOOP("Unit", "classes")}, {"examples", QT_TRANSLATE_NOOP("Unit", "examples")},
        {"layers", QT_TRANSLATE_NOOP("Unit", "layers")},   {"lines", QT_TRANSLATE_NOOP("Unit", "lines")},
        {"nets", QT_TRANSLATE_NOOP("Unit", "nets")},       {"rows", QT_TRANSLATE_NOOP("Unit", "rows")},
        {"threads", QT_TRANSLATE_NOOP("Unit", "threads")},
    };
    return said(words, "Unit", unit);
}

} // namespace gradus
