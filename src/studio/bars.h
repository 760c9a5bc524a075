// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/theme.h"

#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// A painted item that is drawn again when the theme changes. Painting works on every backend, software included.
class ThemedItem : public QQuickPaintedItem {
    Q_OBJECT
public:
    explicit ThemedItem(QQuickItem *parent = nullptr);

protected:
    [[nodiscard]] static const Tokens &tokens() { return Theme::instance()->tokens(); }
};

/// Before, after, ceiling: grey to the baseline, "better" to the best, a tick at the best, the peak line at 100 %.
/// Above 100 % the part past the line is in quarantine colour until it is accepted. Estimates are barred.
class PeakBar : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(double before MEMBER m_baseline NOTIFY changed) ///< the baseline's fraction of peak, 0 = none
    Q_PROPERTY(double best MEMBER m_best NOTIFY changed)
    Q_PROPERTY(bool estimate MEMBER m_estimate NOTIFY changed)
    Q_PROPERTY(bool accepted MEMBER m_accepted NOTIFY changed) ///< a value above the peak was accepted
    Q_PROPERTY(bool peakLine MEMBER m_peakLine NOTIFY changed)
    Q_PROPERTY(double barHeight MEMBER m_barHeight NOTIFY changed) ///< 0 = 8 px
    Q_PROPERTY(bool mono MEMBER m_mono NOTIFY changed) ///< one dark bar to the best: beam cards
public:
    explicit PeakBar(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    double m_baseline = 0, m_best = 0, m_barHeight = 0;
    bool m_estimate = false, m_accepted = false, m_peakLine = true, m_mono = false;
};

/// A step line over iterations with an end dot and no axis. All sparks of a page get the same `iterations`.
class Spark : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<double> values MEMBER m_values NOTIFY changed)
    Q_PROPERTY(int iterations MEMBER m_iterations NOTIFY changed)
    Q_PROPERTY(bool estimate MEMBER m_estimate NOTIFY changed)
public:
    explicit Spark(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    QList<double> m_values;
    int m_iterations = 0;
    bool m_estimate = false;
};

/// Money, tokens, time: spent solid, forecast pale, ticks at 50, 80 and 95 % where there is a limit.
class Meter : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(double spent MEMBER m_spent NOTIFY changed) ///< 0 to 1 of the limit
    Q_PROPERTY(double forecast MEMBER m_forecast NOTIFY changed) ///< 0 to 1, 0 = none
    Q_PROPERTY(bool ticks MEMBER m_ticks NOTIFY changed)
    Q_PROPERTY(bool progress MEMBER m_progress NOTIFY changed) ///< in accent: what is done
public:
    explicit Meter(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    double m_spent = 0, m_forecast = 0;
    bool m_ticks = false, m_progress = false;
};

/// Parts of a whole, in the colours of their meanings ("better", "neutral", "failed", "quarantined", "estimate",
/// "working", "track").
class StackBar : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<double> parts MEMBER m_parts NOTIFY changed)
    Q_PROPERTY(QStringList meanings MEMBER m_meanings NOTIFY changed)
public:
    explicit StackBar(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    QList<double> m_parts;
    QStringList m_meanings;
};

/// The dashed edge of an estimate.
class DashedFrame : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)
    Q_PROPERTY(double radius MEMBER m_radius NOTIFY changed)
public:
    explicit DashedFrame(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    QColor m_color;
    double m_radius = 4;
};

/// The colour of a meaning: better, worse, neutral, failed, quarantined, estimate, working; text for anything else.
[[nodiscard]] QColor meaningColor(const Tokens &tokens, const QString &meaning);
/// Bars in the colour of estimates, for fills.
void fillBarred(QPainter *painter, const QRectF &rect, const QColor &color, const QColor &ground);

} // namespace accelopt
