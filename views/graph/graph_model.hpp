#pragma once

#include "engine/trace/run.hpp"

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// How many ops stand in one box: each alone, matmul with its add_bias, or all of a layer.
enum class Fold : std::uint8_t { ops, linear, modules };

/// The tensor whose shape and value a box shows.
struct GraphTensor {
    std::string name;
    Role role = Role::activation;
    DType dtype = DType::f32;
    Shape shape;
    std::int32_t ordinal = -1; ///< of the event that writes it; -1: the state an iteration begins with, found by name
    std::int32_t output = 0;
};

/// One op inside a box.
struct GraphOp {
    std::int32_t ordinal = -1;
    std::string name, formula, implementation;
    double flops = 0, bytes = 0; ///< counted; bytes read and written
};

struct GraphNode {
    /// Rows from top to bottom: what flows in from above, the forward pass, gradients of activations, of parameters.
    enum class Row : std::uint8_t { operand, forward, gradient, parameter_gradient };
    std::string id;    ///< unique in a model: "W1", "matmul x·W1", "dz2"
    std::string title; ///< of an op or a module: "matmul", "layer1"; a tensor has its name
    std::string module;
    Row row = Row::forward;
    int column = 0; ///< counted along the forward pass
    int slot = 0;   ///< its place among those that share row and column
    bool is_op = false;
    GraphTensor tensor;
    std::vector<GraphOp> ops;
    std::optional<GraphOp> update = {}; ///< of a parameter: the op that writes it for the next step
    QString words() const; ///< its name as a person reads it, in the language of now: "W₁", "matmul", "∂z₂", "layer 1"
    /// The event that makes what the box shows; -1 for what an iteration begins with.
    std::int32_t last_ordinal() const { return ops.empty() || !is_made() ? -1 : ops.back().ordinal; }
    bool is_made() const { return is_op || row == Row::gradient || row == Row::parameter_gradient; }
    bool loss() const { return row == Row::forward && tensor.role == Role::loss; }
};

struct GraphEdge {
    std::size_t from = 0, to = 0;
    Role role = Role::activation;
    std::string label; ///< name of the tensor that flows
};

/// The computation of one iteration as boxes and arrows, made from a Run's sites.
struct GraphModel {
    Fold fold = Fold::ops;
    int columns = 0;
    bool holds_constants = false; ///< a closed module has some inside
    int first_row = 0, rows = 4; ///< of GraphNode::Row, that are shown
    int room = 4;                ///< rows there was room for
    bool kept_closed = false;    ///< a module that was opened, for want of room
    bool rows_left_out = false;  ///< there are more rows than there was room for
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    const GraphNode* find(std::string_view id) const;
};

/// Only so many rows, with what flows between them, for want of room.
GraphModel keep_rows(const GraphModel& model, int first_row, int rows);

/// Its products and their matrices: without biases and what its result is compared with, and without its input unless wanted.
GraphModel essentials(const GraphModel& model, bool with_input);

/// `open`: modules that are shown op by op, whatever the fold.
GraphModel make_graph(const Run& run, Fold fold, const std::vector<std::string>& open = {});

} // namespace gradus
