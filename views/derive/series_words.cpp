#include "views/derive/series_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <QHash>

namespace gradus {

QString series_words(const std::string& name) {
    static const QHash<QString, const char*> words{
        {"loss", QT_TRANSLATE_NOOP("Series", "Loss")},
        {"accuracy", QT_TRANSLATE_NOOP("Series", "Accuracy")},
        {"test_accuracy", QT_TRANSLATE_NOOP("Series", "Test accuracy")},
        {"gradient_norm", QT_TRANSLATE_NOOP("Series", "Gradient norm")},
        {"step_seconds", QT_TRANSLATE_NOOP("Series", "Time per step")},
        {"learning_rate", QT_TRANSLATE_NOOP("Series", "Learning rate")},
        {"loss_scale", QT_TRANSLATE_NOOP("Series", "Loss scale")},
        {"skipped", QT_TRANSLATE_NOOP("Series", "Skipped steps")},
        {"largest_difference", QT_TRANSLATE_NOOP("Series", "Largest difference")},
        {"matrices_left", QT_TRANSLATE_NOOP("Series", "Matrices left")},
        {"result", QT_TRANSLATE_NOOP("Series", "result")},
        {"arrow", QT_TRANSLATE_NOOP("Series", "arrow, its length")},
        {"degree", QT_TRANSLATE_NOOP("Series", "degree")},
        {"residual", QT_TRANSLATE_NOOP("Series", "residual")},
    };
    const auto found = words.constFind(QString::fromStdString(name));
    return found == words.constEnd() ? written_name(name) : QCoreApplication::translate("Series", *found);
}

} // namespace gradus
