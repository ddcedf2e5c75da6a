// The op rows on the simt device, in fp32: those whose kernels all have a rung, forwards and backwards, against PyTorch. The others are refused
// by name.
#include "engine/core/error.hpp"
#include "tests/ops/rows/op_row.hpp"
#include "tests/ops/rows/row_tape.hpp"
#include "tests/ops/rows/verdict.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Whole numbers from 100 to 103: a mean in fp32 is off by up to 101 · 2⁻²⁴ = 6e-6, of deviations of about 1. The cpu sums in fp64.
constexpr const char* far_from_zero = "layer_norm.013";
constexpr double far_bound = 1e-5;

void check_far_from_zero(const OpRow& row, const RowTape& tape) {
    for (const RowResult& result : results_of(row, tape, DType::f32))
        CHECK_ERROR(excess(tape.tape.tensor(result.value), row.wanted(result.name), Bound{far_bound}), 1.0, result.name);
}

} // namespace

TEST(op_rows_run_on_simt_or_are_refused) {
    std::shared_ptr<Device> simt;
    try {
        simt = std::make_shared<Device>(DeviceOptions{"simt", "", 2});
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    std::map<std::string, int> ran, refused; // rows of each op
    for (const OpRow& row : op_rows()) {
        if (!row.dtypes.contains(DType::f32)) continue;
        const Row named(row.name);
        try {
            RowTape tape = written(row, DType::f32, simt);
            execute(tape);
            if (row.name == far_from_zero) check_far_from_zero(row, tape);
            else check_against_golden(row, tape, DType::f32, nullptr);
            ++ran[row.op];
        } catch (const UnavailableError& error) {
            CHECK(std::string(error.what()).starts_with("the simt device has no kernel for "), error.what());
            CHECK(std::string(error.what()).ends_with("there is one on cpu"), error.what());
            ++refused[row.op];
        } catch (const std::exception& error) {
            CHECK(false, error.what());
        }
    }
    int rows = 0, others = 0;
    for (const auto& [op, count] : ran) rows += count;
    for (const auto& [op, count] : refused) others += count;
    CHECK(rows >= 400 && ran.size() >= 31, fmt::format("{} rows of {} ops ran", rows, ran.size()));
    if (!std::getenv("GRADUS_SHOW_ERRORS")) return;
    fmt::print("{} rows of {} ops ran, {} were refused:", rows, ran.size(), others);
    for (const auto& [op, count] : refused) fmt::print(" {} ({})", op, count);
    fmt::print("\nran:");
    for (const auto& [op, count] : ran) fmt::print(" {} ({})", op, count);
    fmt::print("\n");
}
