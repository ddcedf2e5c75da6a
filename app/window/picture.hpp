#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QWidget>

#include <filesystem>
#include <string>

namespace gradus {

enum class PictureFormat : std::uint8_t { png, svg, pdf };

/// By the name's ending. Throws ArgumentError for another one.
PictureFormat picture_format(const std::filesystem::path& path);

/// A view's id as part of a file's name: "series:loss,accuracy" -> "series-loss-accuracy".
QString file_stem(const std::string& view);

/// A widget as it looked at one moment. Taken on the window's thread; written on any.
struct Picture {
    PictureFormat format = PictureFormat::png;
    QImage image;     ///< of png, which is compressed as it is written
    QByteArray bytes; ///< of the others, the whole file
};
Picture picture_of(QWidget& widget, PictureFormat format);

/// Replaces a file that is there, as a whole or not at all. Throws FileError.
void write_picture(const Picture& picture, const std::filesystem::path& path);

} // namespace gradus
