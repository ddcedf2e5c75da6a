#include "app/window/platform_remarks.hpp"

#include <QString>
#include <QtGlobal>

namespace gradus {

namespace {

QtMessageHandler others = nullptr;

void without_remarks(QtMsgType type, const QMessageLogContext& context, const QString& words) {
    for (const char* start : {"QStandardPaths: XDG_RUNTIME_DIR not set", "This plugin does not support"})
        if (words.startsWith(QLatin1String(start))) return;
    others(type, context, words);
}

} // namespace

void drop_platform_remarks() {
    if (!others) others = qInstallMessageHandler(without_remarks);
}

} // namespace gradus
