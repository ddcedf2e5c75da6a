#pragma once

#include <QImage>

namespace gradus {

/// A picture, with anything on it, whose pixels lie where those of an earlier one did: memory that is new costs as much as
/// what is painted into it, and on a virtual machine that hands back what was freed ten times as much. Up to 32 MiB of what
/// pictures give back is kept for the next ones. Of 4 bytes per pixel; any thread.
QImage recycled_picture(const QSize& size, QImage::Format format);

} // namespace gradus
