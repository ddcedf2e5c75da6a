// The op rows: every op in every floating type against PyTorch, forwards and backwards, on every path of the processor; gradients
// against central differences; the same bits for any number of threads.
#include "engine/ops/ops.hpp"
#include "tests/ops/rows/gradcheck.hpp"
#include "tests/ops/rows/op_row.hpp"
#include "tests/ops/rows/row_tape.hpp"
#include "tests/ops/rows/verdict.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

/// The devices of one of the threads that run rows side by side: a device is for one caller at a time.
struct Devices {
    std::vector<std::shared_ptr<Device>> one_thread, two_threads; ///< per path
    Devices() {
        for (const std::string& isa : isa_paths()) {
            one_thread.push_back(std::make_shared<Device>(DeviceOptions{"cpu", isa, 1}));
            two_threads.push_back(std::make_shared<Device>(DeviceOptions{"cpu", isa, 2}));
        }
    }
};

/// Whether a row is to be run: GRADUS_ROWS names a part of its name, for who looks into some rows.
bool wanted(const OpRow& row) {
    const char* const word = std::getenv("GRADUS_ROWS");
    return !word || row.name.find(word) != std::string::npos;
}

/// Runs `check` for every row on as many threads as the machine has cores. What it throws fails the row.
template <class Check> void over_rows(Check&& check) {
    const std::vector<OpRow>& rows = op_rows();
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        const Devices devices;
        for (std::size_t i = next++; i < rows.size(); i = next++) {
            if (!wanted(rows[i])) continue;
            const Row named(rows[i].name);
            try {
                check(rows[i], devices);
            } catch (const std::exception& error) {
                report(false, error.what(), Where::current());
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
}

/// The worst share of its bound that each op used, per type; printed where GRADUS_SHOW_ERRORS is set.
class Worst {
public:
    void note(const std::string& op, DType dtype, double share) {
        const std::lock_guard lock(mutex_);
        double& worst = worst_[op][dtype];
        if (!(share <= worst)) worst = share;
    }
    void print() const {
        if (!std::getenv("GRADUS_SHOW_ERRORS")) return;
        for (const auto& [op, types] : worst_) {
            std::string line = op;
            for (const auto& [dtype, share] : types) line += fmt::format("  {} {:.3g}", name_of(dtype), share);
            fmt::print("{}\n", line);
        }
    }

private:
    std::mutex mutex_; // protects worst_
    std::map<std::string, std::map<DType, double>> worst_;
};

using Results = std::map<std::string, Tensor>; ///< by name

/// Runs a row in one type on one path.
Results run_row(const OpRow& row, DType dtype, std::size_t path, const Devices& devices, Worst& worst) {
    RowTape tape = written(row, dtype, devices.one_thread[path]);
    execute(tape);
    Roundings roundings;
    if (is_half(dtype)) roundings = check_every_node(tape, dtype, devices.one_thread[path]);
    worst.note(row.op, dtype, check_against_golden(row, tape, dtype, is_half(dtype) ? &roundings : nullptr));
    RowTape again = written(row, dtype, devices.two_threads[path]);
    execute(again);
    Results out;
    const std::vector<RowResult> results = results_of(row, tape, dtype), same = results_of(row, again, dtype);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].value == no_value || same[i].value == no_value) continue; // already reported
        const Tensor& result = out[results[i].name] = tape.tape.tensor(results[i].value);
        CHECK(same_bits(again.tape.tensor(same[i].value), result), results[i].name + " with 2 threads");
    }
    return out;
}

} // namespace

TEST(op_rows_agree_with_pytorch) {
    Worst worst;
    over_rows([&](const OpRow& row, const Devices& devices) {
        for (const DType dtype : row.dtypes) {
            Results first;
            for (std::size_t path = 0; path < devices.one_thread.size(); ++path) {
                const Row named(fmt::format("{} {}", name_of(dtype), devices.one_thread[path]->isa()));
                const Results now = run_row(row, dtype, path, devices, worst);
                if (path == 0) first = now;
                if (is_half(dtype)) continue; // each is within the bound of PyTorch's
                for (const auto& [name, result] : now)
                    if (!row.zero.contains(name) && first.contains(name))
                        CHECK_ERROR(excess(result, first.at(name), bound_of(result.dtype())), 1.0,
                                    fmt::format("share of the bound that {} of the first path is away", name));
            }
        }
    });
    worst.print();
}

TEST(op_rows_agree_with_central_differences) {
    over_rows([](const OpRow& row, const Devices& devices) {
        if (!row.differentiated() || !row.no_gradcheck.empty() || !row.dtypes.contains(DType::f64)) return;
        for (const std::shared_ptr<Device>& device : devices.one_thread) {
            const Row named(device->isa());
            RowTape tape = written(row, DType::f64, device, true);
            execute(tape);
            check_gradients(row, tape);
        }
    });
}

TEST(op_rows_cover_every_op) {
    std::size_t checked = 0;
    std::set<std::string> ops, differentiated, names;
    for (const OpRow& row : op_rows()) {
        checked += row.dtypes.size();
        ops.insert(row.op);
        if (row.differentiated()) differentiated.insert(row.op);
        CHECK(names.insert(row.name).second, row.name + " is there twice");
    }
    CHECK(checked >= 2000, fmt::format("{} rows with their types", checked));
    for (const Op* op : all_ops()) {
        CHECK(ops.contains(std::string(op->name)), std::string(op->name) + " has no row");
        CHECK(!op->backward || differentiated.contains(std::string(op->name)),
              std::string(op->name) + " has no row with a gradient");
    }
    if (std::getenv("GRADUS_SHOW_ERRORS"))
        fmt::print("{} rows, {} with their types, {} ops\n", op_rows().size(), checked, ops.size());
}
