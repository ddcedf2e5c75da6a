#pragma once

#include "views/tensor/tensor_card.hpp"

namespace gradus {

/// What a kernel that was run step by step tells of an element: which thread wrote it, what that had read, and the multiply-adds that made
/// the sum. Says nothing of what no recorded thread wrote.
void tell_writer(ElementCard& card, const TensorModel& model, const std::vector<Dim>& index);

} // namespace gradus
