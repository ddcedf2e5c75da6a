#pragma once

#include "views/state/app_state.hpp"

#include <QByteArray>
#include <QString>

namespace gradus {

/// An AppState as JSON: what is saved, shared and restored.
QByteArray state_to_json(const AppState& state);

/// Reads it back; unknown fields are left alone, missing ones keep their defaults. Throws FileError with one sentence
/// naming `place` and the field for what is no AppState, or one of a newer version.
AppState state_from_json(const QByteArray& json, const QString& place);

/// Where this user's last state is kept.
QString state_path();
/// Writes it as a whole or not at all; false where that cannot be done.
bool save_state(const AppState& state, const QString& path);

} // namespace gradus
