#pragma once

#include "engine/core/ids.hpp"

#include <QStringList>
#include <algorithm>

namespace gradus {

/// What must not be seen while a prediction is open, on every view alike.
struct Veil {
    QStringList ids;    ///< of what is hidden: a series "loss", an op "layer1/matmul", a tensor "coefficients"
    StepIndex from = 0; ///< curves of a hidden series end before this step
    bool empty() const { return ids.isEmpty(); }
    bool hides(const QString& id) const { return ids.contains(id); }
    /// Whether it is asked what ops cost: "layer1/matmul.work", or "matmul.work" of all products.
    bool hidesWork() const {
        return std::any_of(ids.begin(), ids.end(), [](const QString& id) { return id.endsWith(QLatin1String(".work")); });
    }
    template <typename Names>
    bool hidesAny(const Names& names) const {
        return !ids.isEmpty() && std::any_of(names.begin(), names.end(), [this](const auto& name) { return hides(QString(name)); });
    }
    bool operator==(const Veil&) const = default;
};

} // namespace gradus
