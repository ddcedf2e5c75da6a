#include "engine/trace/derive/run_device.hpp"

#include "engine/core/error.hpp"

namespace gradus {

std::shared_ptr<Device> run_device(const std::string& isa) {
    try {
        return std::make_shared<Device>(DeviceOptions{"cpu", isa, 1});
    } catch (const Error&) {
        return std::make_shared<Device>(DeviceOptions{"cpu", "", 1});
    }
}

} // namespace gradus
