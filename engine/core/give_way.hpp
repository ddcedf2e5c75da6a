#pragma once

namespace gradus {

/// From now on the calling thread, and those that it starts, leave a processor to the program's other threads when
/// there are not enough: a window needs one for some milliseconds, and at once. Nothing where the system refuses.
void give_way();

} // namespace gradus
