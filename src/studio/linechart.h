// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/bars.h"

#include <QAbstractTableModel>
#include <QImage>
#include <QPointF>
#include <memory>

class QChart;
class QGraphicsScene;

namespace accelopt {

/// One series of a chart. Values are plain; the chart decimates them.
struct ChartSeries {
    enum class Kind {
        Step,
        Line,
        Dots,
        Failed,
        Quarantined,
        Estimates
    }; ///< Step: the value holds until the next point
    enum class Emphasis {
        Normal,
        Muted,
        Selected,
        Strong
    }; ///< Muted grey, Selected accent and dashed, Strong text colour 2.6 px
    QString name;
    QList<QPointF> points; ///< by x
    Kind kind = Kind::Step;
    Emphasis emphasis = Emphasis::Normal;
    bool operator==(const ChartSeries &) const = default;
};

/// What a LineChart draws. Filled by C++ (a page's model owns one); also a table model for "Show as table". GUI thread.
class ChartData : public QAbstractTableModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Given by a model")
    Q_PROPERTY(bool empty READ empty NOTIFY seriesChanged)
public:
    using QAbstractTableModel::QAbstractTableModel;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override; ///< one row an x
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override; ///< x, then one a series
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void setSeries(const QList<ChartSeries> &series);
    [[nodiscard]] const QList<ChartSeries> &series() const { return m_series; }
    [[nodiscard]] bool empty() const { return m_series.isEmpty(); }
    void setNames(const QString &xName, const QString &unit);
    [[nodiscard]] QByteArray csv() const;

Q_SIGNALS:
    void seriesChanged();

private:
    [[nodiscard]] double valueAt(const ChartSeries &series, double x, bool *found) const;
    QList<ChartSeries> m_series;
    QList<double> m_xs;
    QString m_xName, m_unit;
};

/// The one chart of lines: Qt Charts lays out and draws axes and series into an image on the GUI thread, which every
/// backend can show; peak line, now line, direct labels and the hovered point are drawn over it. Rules: design
/// language, section 9. Keys: arrows move between points, 0 fits; Ctrl+wheel zooms x; double click fits.
class LineChart : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(accelopt::ChartData *chartData READ chartData WRITE setChartData NOTIFY dataChanged)
    Q_PROPERTY(double peak MEMBER m_peak NOTIFY changed) ///< y of the roofline, 0 = none
    Q_PROPERTY(QString peakText MEMBER m_peakText NOTIFY changed)
    Q_PROPERTY(double now MEMBER m_now NOTIFY changed) ///< x of "now", below 0 = none
    Q_PROPERTY(double xMaximum MEMBER m_xMaximum NOTIFY changed) ///< 0 = from the data
    Q_PROPERTY(double yMaximum MEMBER m_yMaximum NOTIFY changed) ///< 0 = from the data
    Q_PROPERTY(double yMinimum MEMBER m_yMinimum NOTIFY changed)
    Q_PROPERTY(QString xTitle MEMBER m_xTitle NOTIFY changed)
    Q_PROPERTY(double yFactor MEMBER m_yFactor NOTIFY changed) ///< shown = value * factor (100 for per cent)
    Q_PROPERTY(QString yUnit MEMBER m_yUnit NOTIFY changed) ///< behind a no-break space, "%"; "×" without a space
    Q_PROPERTY(int decimals MEMBER m_decimals NOTIFY changed)
    Q_PROPERTY(bool directLabels MEMBER m_directLabels NOTIFY
            changed) ///< names at the line ends of strong and selected series
    Q_PROPERTY(QString title MEMBER m_title NOTIFY changed) ///< for exports and readers
    Q_PROPERTY(QString source MEMBER m_source NOTIFY changed) ///< project, run, time: printed on exports
    Q_PROPERTY(bool hovering READ hovering NOTIFY hoverChanged)
    Q_PROPERTY(QString hoverSeries READ hoverSeries NOTIFY hoverChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY hoverChanged) ///< "iteration 8: 35.4 %"
    Q_PROPERTY(QPointF hoverPosition READ hoverPosition NOTIFY hoverChanged)
    Q_PROPERTY(bool zoomed READ zoomed NOTIFY zoomChanged)
public:
    explicit LineChart(QQuickItem *parent = nullptr);
    ~LineChart() override;
    void paint(QPainter *painter) override;

    [[nodiscard]] ChartData *chartData() const { return m_data; }
    void setChartData(ChartData *data);
    [[nodiscard]] bool hovering() const { return m_hoverSeries >= 0; }
    [[nodiscard]] QString hoverSeries() const;
    [[nodiscard]] QString hoverText() const;
    [[nodiscard]] QPointF hoverPosition() const { return m_hoverPosition; }
    [[nodiscard]] bool zoomed() const { return m_viewTo > m_viewFrom; }
    Q_INVOKABLE void fit();
    Q_INVOKABLE void hoverAt(double x, double y);
    Q_INVOKABLE void leave();
    /// Moves the hover to the next (+1) or previous (-1) point of the hovered series, `series` +-1 to another one.
    Q_INVOKABLE void step(int points, int series);
    Q_INVOKABLE void zoom(double factor, double x);
    Q_INVOKABLE QString clickedSeries(double x, double y) const; ///< name of the nearest line, "" = none near
    /// PNG, SVG or CSV by the file's ending, with title, legend and source. Empty = done, else why not.
    Q_INVOKABLE QString exportTo(const QUrl &file);

Q_SIGNALS:
    void dataChanged();
    void changed();
    void hoverChanged();
    void zoomChanged();

protected:
    void updatePolish() override;
    void geometryChange(const QRectF &now, const QRectF &before) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void redraw();
    void render(QPainter *painter, const QSizeF &size, double scale);
    [[nodiscard]] QPointF toItem(const QPointF &value) const;
    [[nodiscard]] QString valueText(double value) const;
    struct Near {
        int series = -1;
        qsizetype point = 0;
    };
    [[nodiscard]] Near nearest(const QPointF &position, double within) const;
    void setHover(const Near &near);

    ChartData *m_data = nullptr;
    QImage m_image;
    QRectF m_plot;
    double m_xFrom = 0, m_xTo = 1, m_yFrom = 0, m_yTo = 1; ///< axis ranges of the image
    double m_viewFrom = 0, m_viewTo = 0; ///< zoomed x range
    double m_peak = 0, m_now = -1, m_xMaximum = 0, m_yMaximum = 0, m_yMinimum = 0, m_yFactor = 1;
    int m_decimals = 1;
    bool m_directLabels = true;
    QString m_peakText, m_xTitle, m_yUnit, m_title, m_source;
    int m_hoverSeries = -1;
    qsizetype m_hoverPoint = 0;
    QPointF m_hoverPosition;
};

/// Two points a pixel at most: of each half pixel the lowest and the highest, in order. Exact where there are fewer.
[[nodiscard]] QList<QPointF> decimate(const QList<QPointF> &points, double from, double to, int pixels);
/// The corners of a step line: a value holds until the next one.
[[nodiscard]] QList<QPointF> stepLine(const QList<QPointF> &points);

} // namespace accelopt
