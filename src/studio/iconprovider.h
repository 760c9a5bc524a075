// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QQuickImageProvider>

namespace accelopt {

/// One icon of resources/icons in one colour: `currentColor` of the SVG becomes `color`. Empty image for an unknown
/// name. Any thread.
[[nodiscard]] QImage iconImage(const QString &name, const QColor &color, const QSize &pixels);
/// The names that exist.
[[nodiscard]] QStringList iconNames();

/// "image://icon/NAME/AARRGGBB", drawn in the size that is asked for. QML uses `Icon` (AccelOpt.Components), which
/// fills both in.
class IconProvider : public QQuickImageProvider {
public:
    IconProvider()
        : QQuickImageProvider(QQuickImageProvider::Image)
    {
    }
    QImage requestImage(const QString &id, QSize *size, const QSize &requestedSize) override;
};

} // namespace accelopt
