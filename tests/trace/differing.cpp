#include "engine/trace/derive/differing.hpp"

#include "tests/support/check.hpp"

#include <limits>
#include <memory>
#include <vector>

using namespace gradus;

namespace {

template <class T = float> Tensor matrix(Dim rows, Dim columns, const std::vector<T>& values) {
    return Tensor::from<T>(*std::make_shared<BufferPool>(), {{rows, "row"}, {columns, "column"}}, values);
}

} // namespace

TEST(elements_differ_by_their_bits) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor a = matrix(2, 3, {1, 0, nan, 4, 5, 6});
    CHECK_EQUAL(*differing_elements(a, matrix(2, 3, {1, 0, nan, 4, 5, 6})), Dim{0}); // a NaN is like itself
    CHECK_EQUAL(*differing_elements(a, matrix(2, 3, {1, -0.0F, nan, 4, 5, 7})), Dim{2});
    CHECK_EQUAL(*differing_elements(a, matrix(2, 3, {1, 0, 3, 4, 5, 6})), Dim{1});
    const Tensor columns = matrix(3, 2, {1, 4, 0, 5, nan, 8}).transposed(0, 1);
    CHECK_EQUAL(*differing_elements(a, columns), Dim{1}); // strides do not matter
}

TEST(what_cannot_be_compared_has_no_number) {
    const Tensor a = matrix(2, 3, {1, 2, 3, 4, 5, 6});
    CHECK(!differing_elements(a, {}));
    CHECK(!differing_elements({}, a));
    CHECK(!differing_elements(a, matrix(3, 2, {1, 2, 3, 4, 5, 6})));
    CHECK(!differing_elements(a, matrix<double>(2, 3, {1, 2, 3, 4, 5, 6})));
}
