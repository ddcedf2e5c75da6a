#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/trace/provenance.hpp"

#include <QRectF>
#include <QString>
#include <QStringList>

namespace gradus {

/// A thing on screen: painting, hover, the keyboard, screen readers and tests share it.
struct ViewItem {
    QRectF rect;
    QString id;    ///< unique in its view, stable from frame to frame
    QString name;  ///< as a person says it: "W₂, row 138, column 6"
    QString value; ///< as it is written on screen, with its unit; empty where there is none
    Provenance provenance = Provenance::computed; ///< of the value
    Role role = Role::metric;
    QStringList parts = {};  ///< what else it shows, by the names a card has for it: "layer1/matmul"
    QRectF hides = QRectF(); ///< what is covered while it is veiled; null: all of `rect`
};

} // namespace gradus
