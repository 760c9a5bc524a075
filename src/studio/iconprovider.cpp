// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/iconprovider.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QStringList iconNames()
{
    QStringList names = QDir(u":/icons"_s).entryList({u"*.svg"_s}, QDir::Files, QDir::Name);
    for (QString &name : names)
        name.chop(4);
    return names;
}

QImage iconImage(const QString &name, const QColor &color, const QSize &pixels)
{
    QFile file(u":/icons/"_s + name + u".svg"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", color.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(svg);
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(color.alphaF());
    renderer.render(&painter);
    return image;
}

QImage IconProvider::requestImage(const QString &id, QSize *size, const QSize &requestedSize)
{
    const qsizetype slash = id.indexOf(u'/');
    const QString name = id.left(slash);
    bool ok = false;
    const QRgb rgba = id.mid(slash + 1).toUInt(&ok, 16);
    const QSize pixels = requestedSize.isValid() && !requestedSize.isEmpty() ? requestedSize : QSize(16, 16);
    QImage image = iconImage(name, ok ? QColor::fromRgba(rgba) : QColor(Qt::gray), pixels);
    if (image.isNull()) {
        qWarning("No icon is named \"%s\".", qUtf8Printable(name));
        image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
    }
    if (size)
        *size = image.size();
    return image;
}

} // namespace accelopt
