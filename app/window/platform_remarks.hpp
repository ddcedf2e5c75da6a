#pragma once

namespace gradus {

/// Keeps to itself what Qt says about a machine without a session or a display, which is no news where pictures are drawn
/// without one. Everything else is written as before. Call it before the application is made.
void drop_platform_remarks();

} // namespace gradus
