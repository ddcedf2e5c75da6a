#pragma once

#include "lessons/runtime/card.hpp"

#include <stop_token>
#include <string>

namespace gradus {

/// What came of a learner's kernel.
struct EditVerdict {
    bool right = false;
    std::string engine = {}; ///< why it is not, where the engine says it in its own words: a finding, an end before the end
    Words words = {};        ///< why it is not, or, behind the engine's words, at which sizes
};

/// The parameters of run_kernel with that text in place of the kernel's.
Parameters edit_parameters(const CheckEdit& edit, const std::string& text, const EditTry& at = {}, int schedule = 0);

/// A text that is accepted. Throws FileError where the kernel's own cannot be read.
std::string solution_of(const CheckEdit& edit);

/// Compiles the text and runs it at every try: it must come to its end, give what the reference gives, have nothing found, and meet every demand.
/// What counts is what it computes and what is counted, never the text. Throws Interrupted.
EditVerdict grade_edit(const CheckEdit& edit, const std::string& text, const std::stop_token& stop = {});

/// How many of the card's checks a class is asked: all but the kernels, which come last.
std::size_t class_checks(const Card& card);

} // namespace gradus
