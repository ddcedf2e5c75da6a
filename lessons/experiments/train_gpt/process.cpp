#include "lessons/experiments/train_gpt/process.hpp"

#include "lessons/experiments/evaluation.hpp"

#include <algorithm>

namespace gradus::gpt {

namespace {

constexpr StepIndex evaluate_every = 250;
constexpr std::uint64_t test_seed = 0x7E57'7E57'7E57'7E57; // no user's

/// Writes exercises `first`, `first` + 1, … over a net's inputs.
void write_exercises(Tape& tape, const Network& net, const SequenceTask& task, std::uint64_t seed, std::uint64_t first) {
    const auto T = static_cast<std::size_t>(task.read()), A = static_cast<std::size_t>(task.answer());
    const auto batch = static_cast<std::size_t>(tape.value(net.tokens).shape[0]);
    auto* tokens = static_cast<std::int32_t*>(tape.writable(net.tokens));
    auto* answers = static_cast<std::int32_t*>(tape.writable(net.answers));
    for (std::size_t i = 0; i < batch; ++i) task.write(seed, first + i, {tokens + i * T, T}, {answers + i * A, A});
}

/// Rows of logits whose answers are all right; ties and NaN are wrong, as the op accuracy has it.
Dim whole_answers_right(const Tensor& logits, const Tensor& answers, Dim length) {
    const Dim V = logits.shape()[1];
    Dim right = 0;
    for (Dim from = 0; from < answers.elements(); from += length) {
        bool all = true;
        for (Dim at = from; at < from + length; ++at) {
            const auto label = static_cast<Dim>(answers.at(at));
            const double told = logits.at(at * V + label);
            for (Dim v = 0; v < V; ++v) all &= v == label || logits.at(at * V + v) < told;
            all &= told == told;
        }
        right += all;
    }
    return right;
}

} // namespace

TrainGpt::TrainGpt(const Setup& setup)
    : TrainingProcess(setup, read_settings(setup.parameters, setup.steps).training, evaluate_every),
      settings_(read_settings(setup.parameters, setup.steps)), net_(tape_, settings_, setup.seed, true, settings_.batch) {
    ready({.loss = net_.loss, .accuracy = net_.accuracy, .parameters = net_.parameters, .fed = {net_.tokens, net_.answers}});
}

void TrainGpt::describe(Manifest& manifest) const {
    TrainingProcess::describe(manifest);
    manifest.dataset = setup_.parameters.at("task");
}

void TrainGpt::load(StepIndex iteration) {
    write_exercises(tape_, net_, settings_.task, setup_.seed, static_cast<std::uint64_t>(iteration * settings_.batch));
    for (const auto& dropout : net_.dropouts) dropout->set_step(iteration);
}

std::vector<SeriesInfo> TrainGpt::more_series() const {
    if (settings_.mlp != Mlp::experts) return {};
    return {{"load_balance", "", Provenance::computed, true}};
}

void TrainGpt::push_more(RunWriter& writer, std::size_t first) {
    if (net_.balance != no_value) writer.push(first, tape_.scalar(net_.balance));
}

double TrainGpt::test_accuracy() {
    // No more tokens at once than a training step has, but for very small ones.
    const Dim batch = evaluation_piece(test_exercises, std::clamp<Dim>(settings_.batch, 10, 250));
    Tape tape(device_, std::make_shared<BufferPool>());
    tape.heed(setup_.stop);
    Network net(tape, settings_, setup_.seed, false, batch);
    for (std::size_t i = 0; i < net.parameters.size(); ++i) tape.set(net.parameters[i], tape_.tensor(net_.parameters[i]));
    EvaluationProgress progress(setup_.evaluating.get(), test_exercises / batch);
    Dim right = 0;
    for (Dim from = 0; from < test_exercises; from += batch) {
        write_exercises(tape, net, settings_.task, test_seed, static_cast<std::uint64_t>(from));
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
        right += whole_answers_right(tape.tensor(net.logits), tape.tensor(net.answers), settings_.task.answer());
        progress.piece_done();
    }
    return static_cast<double>(right) / test_exercises;
}

} // namespace gradus::gpt
