#pragma once

#include "lessons/runtime/session.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gradus::cli {

/// One figure of a benchmark: what was measured, against what, and what is to be reached.
struct BenchRow {
    std::string suite, name;
    double value = 0;
    std::string unit;      ///< "ratio", "µs", "%"
    double bound = 0;      ///< what is to be reached; 0 where there is none
    bool at_least = false; ///< bound is a lower one
    std::string note;
    bool skipped = false;
    std::vector<std::pair<std::string, double>> beside = {}; ///< what each took part with, in `beside_unit`
    std::string beside_unit = {};
    std::string limited_by = {}; ///< what keeps it from more
    bool reached() const { return skipped || bound == 0 || (at_least ? value >= bound : value <= bound); }
};

/// What recording one event costs, against two reads of the time-stamp counter.
std::vector<BenchRow> bench_events();
/// What readers cost a training step: the 784-256-10 net with and without every view's reader attached.
std::vector<BenchRow> bench_readers();
/// Training steps against PyTorch, interleaved; `python` must be able to import torch.
std::vector<BenchRow> bench_training(const std::string& python);
/// The CPU's products, rows, convolution and GPT steps, beside Eigen, OpenBLAS, oneDNN, PyTorch and the machine's own limits, at one
/// and two threads. Takes minutes, so only where it is asked for: "cpu", or one of its parts.
std::vector<BenchRow> bench_cpu(const std::string& python, const std::string& part);
std::vector<std::string> cpu_parts();
/// CUDA kernels on the CPU: stepped through with all checks and counts, and run without. Only where it is asked for: "kernels".
std::vector<BenchRow> bench_kernels();

/// A suite that is not the command line's own: the window's.
struct BenchSuite {
    std::string name;
    std::function<std::vector<BenchRow>()> measure;
    bool when_named = false; ///< only where it is asked for
};

/// Brings a session to where `steps` more contain no test of the 10 000 images, which is no part of a training step
/// (train_mlp tests every 500 iterations).
void pass_evaluation(Session& session, StepIndex steps);

double median(std::vector<double> values);

} // namespace gradus::cli
