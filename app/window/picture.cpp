#include "app/window/picture.hpp"

#include "engine/core/error.hpp"
#include "engine/io/export/output_file.hpp"

#include <QBuffer>
#include <QFile>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <fmt/format.h>

namespace gradus {

namespace {

/// What QSvgGenerator writes between the root element's tags, its ids made unique by `mark`.
QByteArray inside_of_svg(QByteArray svg, const QByteArray& mark) {
    const qsizetype from = svg.indexOf("<defs"), until = svg.lastIndexOf("</svg>");
    if (from < 0 || until < from) return {};
    svg = svg.mid(from, until - from);
    svg.replace(" id=\"", " id=\"" + mark);
    svg.replace("url(#", "url(#" + mark);
    svg.replace("href=\"#", "href=\"#" + mark);
    return svg;
}

/// A widget and those within it, each in a group that is clipped to its rectangle: QSvgGenerator of Qt 6.4 does not clip.
void append_svg(QByteArray& out, QWidget& widget, QPoint at, bool whole, int& count) {
    const QByteArray mark = "w" + QByteArray::number(count++) + "-";
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(QRect(QPoint(), widget.size()));
    QPainter painter(&generator);
    widget.render(&painter, QPoint(), QRegion(), whole ? QWidget::DrawWindowBackground : QWidget::RenderFlags());
    painter.end();
    out += "<g transform=\"translate(" + QByteArray::number(at.x()) + "," + QByteArray::number(at.y()) + ")\" clip-path=\"url(#" +
           mark + "clip)\">\n<defs><clipPath id=\"" + mark + "clip\"><rect x=\"0\" y=\"0\" width=\"" +
           QByteArray::number(widget.width()) + "\" height=\"" + QByteArray::number(widget.height()) +
           "\"/></clipPath></defs>\n";
    out += inside_of_svg(buffer.data(), mark);
    for (QObject* child : widget.children())
        if (auto* inner = qobject_cast<QWidget*>(child); inner && inner->isVisible() && !inner->isWindow())
            append_svg(out, *inner, inner->pos(), false, count);
    out += "</g>\n";
}

QByteArray svg_of(QWidget& widget) {
    const QByteArray width = QByteArray::number(widget.width()), height = QByteArray::number(widget.height());
    QByteArray out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                     "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" width=\"" + width + "\" height=\"" + height +
                     "\" viewBox=\"0 0 " + width + " " + height + "\">\n";
    int count = 0;
    append_svg(out, widget, {}, true, count);
    return out + "</svg>\n";
}

QByteArray pdf_of(QWidget& widget) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(QSizeF(widget.width() * 0.75, widget.height() * 0.75), QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        pdf.setResolution(96);
        QPainter painter(&pdf);
        widget.render(&painter);
    }
    return buffer.data();
}

} // namespace

QString file_stem(const std::string& view) {
    QString stem = QString::fromStdString(view);
    for (QChar& c : stem)
        if (!c.isLetterOrNumber() && c != '_') c = '-';
    return stem;
}

PictureFormat picture_format(const std::filesystem::path& path) {
    const QString ending = QString::fromStdString(path.extension().string()).toLower();
    if (ending == ".png") return PictureFormat::png;
    if (ending == ".svg") return PictureFormat::svg;
    if (ending == ".pdf") return PictureFormat::pdf;
    throw ArgumentError(fmt::format("{}: pictures are written as .png, .svg or .pdf", path.string()));
}

Picture picture_of(QWidget& widget, PictureFormat format) {
    Picture picture;
    picture.format = format;
    switch (format) {
    case PictureFormat::png: picture.image = widget.grab().toImage(); break;
    case PictureFormat::svg: picture.bytes = svg_of(widget); break;
    case PictureFormat::pdf: picture.bytes = pdf_of(widget); break;
    }
    return picture;
}

void write_picture(const Picture& picture, const std::filesystem::path& path) {
    OutputFile file(path);
    QFile part(QString::fromStdString(file.part().string()));
    const auto fail = [&] { file.fail(part.errorString().toStdString()); };
    if (!part.open(QIODevice::WriteOnly)) fail();
    QByteArray bytes = picture.bytes;
    if (picture.format == PictureFormat::png) { // in memory first: on a disk that is full libpng would speak for itself
        QBuffer buffer(&bytes);
        if (!buffer.open(QIODevice::WriteOnly) || !picture.image.save(&buffer, "PNG")) file.fail("nothing was drawn");
    }
    for (qint64 at = 0, written = 0; at < bytes.size(); at += written) { // a disk takes what fits first, and says why not the rest then
        written = part.write(bytes.constData() + at, bytes.size() - at);
        if (written <= 0) fail();
    }
    if (!part.flush() || part.error() != QFileDevice::NoError) fail();
    part.close();
    if (part.size() == 0) file.fail("nothing was drawn");
    file.commit();
}

} // namespace gradus
