#include "engine/kernels/struct_layout/ladder.hpp"

namespace gradus::struct_layout {

/// Particles are moved by (dx, dy, dz): x[i] = x0[i] + dx, and y and z alike; all (n). Their mass does not come into it.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&x0 = values.at("x0"), &y0 = values.at("y0"), &z0 = values.at("z0");
    std::vector<double>&x = values.at("x"), &y = values.at("y"), &z = values.at("z");
    for (std::int64_t i = 0; i < n; ++i) {
        x[i] = x0[i] + double{dx};
        y[i] = y0[i] + double{dy};
        z[i] = z0[i] + double{dz};
    }
}

} // namespace gradus::struct_layout
