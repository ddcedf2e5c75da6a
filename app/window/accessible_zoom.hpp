#pragma once

class QWidget;

namespace gradus {

class ZoomHost;

/// Lets assistive tools go from a host to what it shows and back, at any zoom: a widget in a scene is nobody's child.
void make_accessible(ZoomHost& host, QWidget& content);

} // namespace gradus
