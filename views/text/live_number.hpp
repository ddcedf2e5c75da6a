#pragma once

#include "engine/trace/provenance.hpp"

#include <QString>
#include <functional>
#include <optional>

namespace gradus {

/// A number of the Run in the middle of a sentence, as it is written there.
struct LiveNumber {
    QString text; ///< with its unit, if it has one; never broken over two lines
    Provenance provenance = Provenance::computed;
    bool operator==(const LiveNumber&) const = default;
};

/// The live number of that name; nothing as long as there is none.
using LiveNumbers = std::function<std::optional<LiveNumber>(const QString& name)>;

/// What stands where a live number is not there yet.
inline const QString nothing_yet = QStringLiteral("…");

} // namespace gradus
