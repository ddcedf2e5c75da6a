#pragma once

#include <QString>
#include <string>

namespace gradus {

/// What a person calls an experiment's parameter: "Learning rate η" for `lr`.
QString parameter_words(const std::string& name);
/// What a person calls one of its choices: "f(g(x))" for `f_of_g`.
QString choice_words(const std::string& choice);
/// Why a value of it was refused, as the field that it was typed into says it: with the word a person calls it by.
QString refusal_words(const std::string& name, const std::string& sentence);
/// What a parameter is counted in: "examples".
QString unit_words(const std::string& unit);

} // namespace gradus
