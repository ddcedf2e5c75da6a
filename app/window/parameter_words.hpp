#pragma once

#include <QString>
#include <string>

namespace gradus {

/// What an experiment calls a parameter, as a person reads it beside its control: "lr" -> "Learning rate η".
QString parameter_label(const std::string& name);

/// What a parameter is counted in: "examples".
QString parameter_unit(const std::string& unit);

} // namespace gradus
