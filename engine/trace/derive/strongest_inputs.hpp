#pragma once

#include "engine/trace/run.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// The layer that reads the examples, by the names of its values in the Run: z1 = x · W1 + b1, a1 = f(z1).
struct FirstLayer {
    std::string x, weight, bias; ///< (B, in), (in, neurons), (neurons)
    std::string product, z, a;   ///< (B, neurons); a is empty where no activation follows
};
/// None where no product of data and a parameter with a bias is part of the forward pass.
std::optional<FirstLayer> first_layer(const Run& run);

/// What every neuron of the first layer answers to each of some examples.
struct NeuronAnswers {
    FirstLayer layer;
    Tensor weight, bias;   ///< that the iteration's forward pass read
    Dim examples = 0, neurons = 0;
    std::vector<double> z; ///< (examples, neurons): x · W1 + b1, unitless
    std::vector<double> a; ///< (examples, neurons): f(z); empty where no activation follows
    double z_of(Dim example, Dim neuron) const { return z[static_cast<std::size_t>(example * neurons + neuron)]; }
    double a_of(Dim example, Dim neuron) const { return a[static_cast<std::size_t>(example * neurons + neuron)]; }
};

/// Runs the first `count` of `examples` (N, in), or all if there are fewer, through the forward pass of an iteration: the
/// Run's own ops, parameters, precision and instruction set, and so its own bits. Bytes are taken as bytes/255, as a batch
/// is. See forward_inputs() for `origin`. Throws UnavailableError where the forward pass cannot be computed again, ShapeError
/// where the examples are not as wide as what it reads.
NeuronAnswers neuron_answers(const Run& run, const Run& origin, StepIndex iteration, const Tensor& examples, Dim count);

/// The examples with the largest z of a neuron, strongest first; of equals the earlier one first, NaN last. As many as
/// `count`, or all if there are fewer.
std::vector<Dim> strongest_inputs(const NeuronAnswers& answers, Dim neuron, std::size_t count);

} // namespace gradus
