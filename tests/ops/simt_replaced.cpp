// A device that makes its products with a text that somebody wrote in place of a rung's.
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/ops/ops.hpp"
#include "tests/ops/simt_calls.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Product {
    std::shared_ptr<Device> device;
    Tape tape;
    NodeIndex node = 0;

    explicit Product(const std::string& rungs) : device(open(rungs)), tape(device, std::make_shared<BufferPool>()) {
        const ValueIndex a = tape.input("A", normal({37, 45}, 1), Role::data), b = tape.input("B", normal({45, 29}, 2), Role::data);
        node = tape.apply(ops::matmul(), Phase::forward, "m", {a, b}, {"C"});
    }
    static std::shared_ptr<Device> open(const std::string& rungs) {
        try {
            return std::make_shared<Device>(DeviceOptions{"simt", "", 1, rungs});
        } catch (const UnavailableError& error) {
            throw Skipped(error.what());
        }
    }
    Tensor run() {
        tape.prepare_buffers();
        tape.execute(node);
        return tape.tensor(tape.node(node).outputs[0]);
    }
};

std::string text_of_rung(const std::string& name) {
    const auto [ladder, rung] = simt::find_rung(name);
    return simt::text_of(simt::file_of(*ladder, *rung));
}

} // namespace

TEST(another_text_makes_the_products_from_the_next_call_on) {
    Product product("matmul/3_shared");
    const Tensor own = product.run();
    const std::string text = text_of_rung("matmul/3_shared");
    product.device->replace_kernel("matmul/3_shared", text);
    CHECK(same_bits(own, product.run()));
    std::string doubled = text;
    doubled.replace(doubled.find("= sum;"), 6, "= 2 * sum;");
    product.device->replace_kernel("matmul/3_shared", doubled);
    const Tensor twice = product.run();
    for (Dim i = 0; i < own.elements(); ++i) CHECK_EQUAL(twice.at(i), 2 * own.at(i));
    CHECK_THROWS(product.device->replace_kernel("matmul/3_shared", "__global__ void other() {}"), UnavailableError, "matmul_shared");
    CHECK(same_bits(twice, product.run())); // what was there goes on
    product.device->replace_kernel("matmul/3_shared", "");
    CHECK(same_bits(own, product.run()));
}

TEST(a_rung_that_the_device_does_not_use_cannot_be_replaced) {
    const Product product("matmul/3_shared");
    CHECK_THROWS(product.device->replace_kernel("matmul/1_naive", text_of_rung("matmul/1_naive")), ArgumentError, "matmul/1_naive");
    CHECK_THROWS(product.device->replace_kernel("reduction/1_modulo", text_of_rung("reduction/1_modulo")), ArgumentError, "reduction/1_modulo");
    CHECK_THROWS(product.device->replace_kernel("matmul/9_none", "x"), ArgumentError, "9_none");
    Device cpu(DeviceOptions{"cpu", "", 1});
    CHECK_THROWS(cpu.replace_kernel("matmul/3_shared", "x"), ArgumentError, "cpu", "simt does");
}
