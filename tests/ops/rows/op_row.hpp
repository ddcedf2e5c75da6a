#pragma once

#include "engine/core/dtype.hpp"
#include "engine/core/shape.hpp"
#include "tests/support/safetensors.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/// The op rows: what an op is called with and what PyTorch says of it, as data. tests/golden/op_rows/rows.py says what each word
/// means; the same rows run on every device.
namespace gradus::test {

struct RowInput {
    std::string name;
    Shape shape;
    std::string kind;   ///< "normal", "index(5)", …: how its numbers are made (inputs.hpp)
    std::string layout; ///< "contiguous", "transposed", "permuted", "sliced", "expanded"
    bool grad = false;
};

struct RowOutput {
    std::string name;
    std::string type; ///< "floating": the row's dtype; "statistic": fp32 beside fp16 and bf16; or its own: "i32", …
    Shape shape;
    bool grad = false;
};

struct OpRow {
    std::string name; ///< "softmax.003"
    std::string op;
    std::uint64_t seed = 0;
    std::vector<RowInput> inputs;
    std::vector<RowOutput> outputs;
    std::vector<std::string> attributes; ///< numbers as text, "dtype" or "dtype:i32"
    std::set<DType> dtypes;
    bool upstream_is_one = false; ///< ∂L = 1 is built into the op
    bool half_saved = false;  ///< fp16 and bf16 gradients have a reference of their own, made of rounded saved tensors
    std::string no_gradcheck; ///< the reason, or empty
    std::set<std::string> zero;       ///< gradients that are 0 by construction
    std::map<std::string, Dim> every; ///< of a large tensor the golden file holds every n-th element
    std::shared_ptr<const Golden> golden;

    bool differentiated() const;
    /// What PyTorch computed, "y" or "dx". Throws naming the tensor if it is missing.
    const Tensor& wanted(const std::string& tensor) const { return golden->at(name + "/" + tensor); }
    bool has(const std::string& tensor) const { return golden->has(name + "/" + tensor); }
};

/// The number of an attribute in a run of some dtype.
double attribute_of(const std::string& text, DType dtype);
/// "i32" -> DType::i32, "floating" -> `row`, "statistic" -> fp32 for a half type. Throws std::runtime_error for a word that
/// names no type.
DType dtype_of_word(const std::string& word, DType row);

/// Every row of every family: tests/golden/op_rows_*.json. Read once. Throws std::runtime_error for a damaged file.
const std::vector<OpRow>& op_rows();

} // namespace gradus::test
