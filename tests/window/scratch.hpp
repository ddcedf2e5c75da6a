#pragma once

#include "lessons/runtime/card.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>

namespace gradus {

constexpr int patience_ms = 30'000;

/// A folder that goes with the test, in which everything the lab keeps is kept.
class ScratchHome {
public:
    ScratchHome() {
        for (const char* name : {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"}) qputenv(name, folder_.filePath(name).toUtf8());
        if (!qEnvironmentVariableIsSet("XDG_CACHE_HOME")) qputenv("XDG_CACHE_HOME", qgetenv("HOME") + "/.cache"); // shared: it only saves time
        qputenv("HOME", folder_.path().toUtf8());
    }
    QString path(const QString& name = {}) const { return name.isEmpty() ? folder_.path() : folder_.filePath(name); }
    std::filesystem::path file(const QString& name) const { return folder_.filePath(name).toStdString(); }

    /// A copy of the lessons that a test may write to.
    std::filesystem::path lessons() const {
        const std::filesystem::path copy = file("lessons");
        std::filesystem::create_directories(copy);
        for (const char* part : {"cards", "paths"})
            std::filesystem::copy(std::filesystem::path(GRADUS_SOURCE_FOLDER) / "lessons" / part, copy / part,
                                  std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
        return copy;
    }

private:
    QTemporaryDir folder_;
};

inline QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As an editor saves: another file takes the name.
inline void replaceFile(const QString& path, const QByteArray& text) {
    QFile part(path + "~");
    QVERIFY(part.open(QIODevice::WriteOnly) && part.write(text) == text.size());
    part.close();
    std::filesystem::rename((path + "~").toStdString(), path.toStdString());
}

} // namespace gradus
