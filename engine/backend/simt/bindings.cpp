#include "engine/backend/simt/bindings.hpp"

#include <iterator>

namespace gradus::simt {

std::span<const Binding> bindings() {
    static const std::vector<Binding> all = [] {
        std::vector<Binding> out;
        for (const auto family : {product_bindings, elementwise_bindings, row_bindings, update_bindings, image_bindings}) {
            std::vector<Binding> some = family();
            out.insert(out.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
        }
        return out;
    }();
    return all;
}

} // namespace gradus::simt
