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
            check_against_golden(row, tape, DType::f32, nullptr);
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
    CHECK(rows >= 323 && ran.size() >= 25, fmt::format("{} rows of {} ops ran", rows, ran.size()));
    if (!std::getenv("GRADUS_SHOW_ERRORS")) return;
    fmt::print("{} rows of {} ops ran, {} were refused:", rows, ran.size(), others);
    for (const auto& [op, count] : refused) fmt::print(" {} ({})", op, count);
    fmt::print("\nran:");
    for (const auto& [op, count] : ran) fmt::print(" {} ({})", op, count);
    fmt::print("\n");
}
