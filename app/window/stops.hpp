#pragma once

#include "lessons/runtime/session.hpp"

#include <QString>

namespace gradus {

/// What stopped a run last, in a sentence; empty if nothing did.
QString stop_words(const Session::Status& status);

/// A breakpoint as a line of a menu: "before step 100".
QString breakpoint_words(const Edit& breakpoint);

} // namespace gradus
