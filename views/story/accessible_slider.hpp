#pragma once

namespace gradus {

/// Makes every Slider known to screen readers as one: its value, its ends, its step. A second call does nothing.
void install_accessible_sliders();

} // namespace gradus
