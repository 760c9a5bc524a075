// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/tokens.h"

#include <QFont>
#include <QObject>
#include <QPalette>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Colours, sizes and fonts of everything that is drawn: QML reads properties, painted items and charts read
/// `tokens()`. GUI thread. One object for the program; QML sees it as `Theme`.
///
/// Sizes are for a 13 px base and follow the text size (90 to 150 %). Lengths without a name of their own:
/// `Math.round(n * Theme.scale)`.
class Theme : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(Mode mode READ mode WRITE setMode NOTIFY changed)
    Q_PROPERTY(bool dark READ dark NOTIFY changed)
    Q_PROPERTY(int textSize READ textSize WRITE setTextSize NOTIFY changed) ///< per cent, 90 to 150
    Q_PROPERTY(double scale READ scale NOTIFY changed)
    Q_PROPERTY(QString sans READ sans CONSTANT)
    Q_PROPERTY(QString mono READ mono CONSTANT)
    Q_PROPERTY(QPalette palette READ palette NOTIFY changed)
    Q_PROPERTY(QList<QColor> series READ series NOTIFY changed)
    Q_PROPERTY(bool reduceMotion READ reduceMotion WRITE setReduceMotion NOTIFY changed)
    Q_PROPERTY(int quick READ quick NOTIFY changed) ///< ms, hover and press
    Q_PROPERTY(int slow READ slow NOTIFY changed) ///< ms, panes and dialogs
    // lengths, px
    Q_PROPERTY(int figureSize READ figureSize NOTIFY changed)
    Q_PROPERTY(int largeSize READ largeSize NOTIFY changed)
    Q_PROPERTY(int cardFigureSize READ cardFigureSize NOTIFY changed)
    Q_PROPERTY(int stripSize READ stripSize NOTIFY changed)
    Q_PROPERTY(int titleSize READ titleSize NOTIFY changed)
    Q_PROPERTY(int objectSize READ objectSize NOTIFY changed)
    Q_PROPERTY(int bodySize READ bodySize NOTIFY changed)
    Q_PROPERTY(int tableSize READ tableSize NOTIFY changed)
    Q_PROPERTY(int smallSize READ smallSize NOTIFY changed)
    Q_PROPERTY(int codeSize READ codeSize NOTIFY changed)
    Q_PROPERTY(int snippetSize READ snippetSize NOTIFY changed)
    Q_PROPERTY(int controlHeight READ controlHeight NOTIFY changed)
    Q_PROPERTY(int rowHeight READ rowHeight NOTIFY changed)
    Q_PROPERTY(int tallRowHeight READ tallRowHeight NOTIFY changed)
    Q_PROPERTY(int headHeight READ headHeight NOTIFY changed)
    Q_PROPERTY(int cardHeadHeight READ cardHeadHeight NOTIFY changed)
    Q_PROPERTY(int pageHeadHeight READ pageHeadHeight NOTIFY changed)
    Q_PROPERTY(int topBarHeight READ topBarHeight NOTIFY changed)
    Q_PROPERTY(int statusBarHeight READ statusBarHeight NOTIFY changed)
    Q_PROPERTY(int railWidth READ railWidth NOTIFY changed)
    Q_PROPERTY(int slimRailWidth READ slimRailWidth NOTIFY changed)
    // colours
    Q_PROPERTY(QColor window READ window NOTIFY changed)
    Q_PROPERTY(QColor chrome READ chrome NOTIFY changed)
    Q_PROPERTY(QColor panel READ panel NOTIFY changed)
    Q_PROPERTY(QColor raised READ raised NOTIFY changed)
    Q_PROPERTY(QColor sunken READ sunken NOTIFY changed)
    Q_PROPERTY(QColor hover READ hover NOTIFY changed)
    Q_PROPERTY(QColor pressed READ pressed NOTIFY changed)
    Q_PROPERTY(QColor selected READ selected NOTIFY changed)
    Q_PROPERTY(QColor railCurrent READ railCurrent NOTIFY changed)
    Q_PROPERTY(QColor segment READ segment NOTIFY changed)
    Q_PROPERTY(QColor segmentChosen READ segmentChosen NOTIFY changed)
    Q_PROPERTY(QColor line READ line NOTIFY changed)
    Q_PROPERTY(QColor lineStrong READ lineStrong NOTIFY changed)
    Q_PROPERTY(QColor text READ text NOTIFY changed)
    Q_PROPERTY(QColor text2 READ text2 NOTIFY changed)
    Q_PROPERTY(QColor text3 READ text3 NOTIFY changed)
    Q_PROPERTY(QColor accent READ accent NOTIFY changed)
    Q_PROPERTY(QColor accentPressed READ accentPressed NOTIFY changed)
    Q_PROPERTY(QColor onAccent READ onAccent NOTIFY changed)
    Q_PROPERTY(QColor focus READ focus NOTIFY changed)
    Q_PROPERTY(QColor better READ better NOTIFY changed)
    Q_PROPERTY(QColor betterGround READ betterGround NOTIFY changed)
    Q_PROPERTY(QColor worse READ worse NOTIFY changed)
    Q_PROPERTY(QColor worseGround READ worseGround NOTIFY changed)
    Q_PROPERTY(QColor neutral READ neutral NOTIFY changed)
    Q_PROPERTY(QColor neutralGround READ neutralGround NOTIFY changed)
    Q_PROPERTY(QColor failed READ failed NOTIFY changed)
    Q_PROPERTY(QColor failedGround READ failedGround NOTIFY changed)
    Q_PROPERTY(QColor quarantined READ quarantined NOTIFY changed)
    Q_PROPERTY(QColor quarantinedGround READ quarantinedGround NOTIFY changed)
    Q_PROPERTY(QColor estimate READ estimate NOTIFY changed)
    Q_PROPERTY(QColor estimateGround READ estimateGround NOTIFY changed)
    Q_PROPERTY(QColor barBase READ barBase NOTIFY changed)
    Q_PROPERTY(QColor barTrack READ barTrack NOTIFY changed)
    Q_PROPERTY(QColor progressTrack READ progressTrack NOTIFY changed)
    Q_PROPERTY(QColor meterSpent READ meterSpent NOTIFY changed)
    Q_PROPERTY(QColor meterForecast READ meterForecast NOTIFY changed)
    Q_PROPERTY(QColor seriesMuted READ seriesMuted NOTIFY changed)
    Q_PROPERTY(QColor laneLight READ laneLight NOTIFY changed)
    Q_PROPERTY(QColor laneDark READ laneDark NOTIFY changed)
    Q_PROPERTY(QColor codeKeyword READ codeKeyword NOTIFY changed)
    Q_PROPERTY(QColor codeBuiltin READ codeBuiltin NOTIFY changed)
    Q_PROPERTY(QColor codeString READ codeString NOTIFY changed)
    Q_PROPERTY(QColor codeComment READ codeComment NOTIFY changed)
    Q_PROPERTY(QColor codeNumber READ codeNumber NOTIFY changed)
    Q_PROPERTY(QColor diffAdded READ diffAdded NOTIFY changed)
    Q_PROPERTY(QColor diffAddedMark READ diffAddedMark NOTIFY changed)
    Q_PROPERTY(QColor diffRemoved READ diffRemoved NOTIFY changed)
    Q_PROPERTY(QColor diffRemovedMark READ diffRemovedMark NOTIFY changed)
    Q_PROPERTY(QColor diffFiller READ diffFiller NOTIFY changed)
    Q_PROPERTY(QColor scrim READ scrim NOTIFY changed)
    Q_PROPERTY(QColor shadow READ shadow NOTIFY changed)
    Q_PROPERTY(QColor dialogEdge READ dialogEdge NOTIFY changed)

public:
    enum class Mode { Light, Dark, System };
    Q_ENUM(Mode)

    explicit Theme(QObject *parent); ///< no default: QML would make an object of its own instead of asking create()
    ~Theme() override;
    /// The program's theme; made on first use, kept until the application ends.
    [[nodiscard]] static Theme *instance();
    /// Also gives the engine the image provider "icon" (see iconprovider.h).
    [[nodiscard]] static Theme *create(QQmlEngine *engine, QJSEngine *);

    [[nodiscard]] const Tokens &tokens() const { return m_tokens; }
    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode, bool keep = true); ///< `keep`: in the user's settings
    /// Light, dark, system, light, …
    Q_INVOKABLE void cycleMode();
    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] int textSize() const { return m_textSize; }
    void setTextSize(int percent, bool keep = true);
    [[nodiscard]] double scale() const { return m_textSize / 100.0; }
    [[nodiscard]] QString sans() const { return m_sans; }
    [[nodiscard]] QString mono() const { return m_mono; }
    [[nodiscard]] QPalette palette() const;
    [[nodiscard]] QList<QColor> series() const { return m_tokens.series; }
    [[nodiscard]] bool reduceMotion() const { return m_reduceMotion; }
    void setReduceMotion(bool reduce);
    [[nodiscard]] int quick() const { return m_reduceMotion ? 0 : 80; }
    [[nodiscard]] int slow() const { return m_reduceMotion ? 0 : 120; }
    /// A length of the 13 px base in the user's text size.
    [[nodiscard]] int scaled(double length) const { return qRound(length * m_textSize / 100.0); }
    /// Fonts for painted items; tabular digits are on, ligatures of the monospace font are off.
    [[nodiscard]] QFont font(double pixels, int weight = QFont::Normal) const;
    [[nodiscard]] QFont monoFont(double pixels) const;

    [[nodiscard]] int figureSize() const { return scaled(28); }
    [[nodiscard]] int largeSize() const { return scaled(24); }
    [[nodiscard]] int cardFigureSize() const { return scaled(20); }
    [[nodiscard]] int stripSize() const { return scaled(17); }
    [[nodiscard]] int titleSize() const { return scaled(16); }
    [[nodiscard]] int objectSize() const { return scaled(15); }
    [[nodiscard]] int bodySize() const { return scaled(13); }
    [[nodiscard]] int tableSize() const { return scaled(12); }
    [[nodiscard]] int smallSize() const { return scaled(11); }
    [[nodiscard]] int codeSize() const { return scaled(12); }
    [[nodiscard]] int snippetSize() const { return scaled(11); }
    [[nodiscard]] int controlHeight() const { return scaled(28); }
    [[nodiscard]] int rowHeight() const { return scaled(28); }
    [[nodiscard]] int tallRowHeight() const { return scaled(52); }
    [[nodiscard]] int headHeight() const { return scaled(28); }
    [[nodiscard]] int cardHeadHeight() const { return scaled(36); }
    [[nodiscard]] int pageHeadHeight() const { return scaled(48); }
    [[nodiscard]] int topBarHeight() const { return scaled(44); }
    [[nodiscard]] int statusBarHeight() const { return scaled(24); }
    [[nodiscard]] int railWidth() const { return scaled(168); }
    [[nodiscard]] int slimRailWidth() const { return scaled(48); }

    [[nodiscard]] QColor window() const { return m_tokens.window; }
    [[nodiscard]] QColor chrome() const { return m_tokens.chrome; }
    [[nodiscard]] QColor panel() const { return m_tokens.panel; }
    [[nodiscard]] QColor raised() const { return m_tokens.raised; }
    [[nodiscard]] QColor sunken() const { return m_tokens.sunken; }
    [[nodiscard]] QColor hover() const { return m_tokens.hover; }
    [[nodiscard]] QColor pressed() const { return m_tokens.pressed; }
    [[nodiscard]] QColor selected() const { return m_tokens.selected; }
    [[nodiscard]] QColor railCurrent() const { return m_tokens.railCurrent; }
    [[nodiscard]] QColor segment() const { return m_tokens.segment; }
    [[nodiscard]] QColor segmentChosen() const { return m_tokens.segmentChosen; }
    [[nodiscard]] QColor line() const { return m_tokens.line; }
    [[nodiscard]] QColor lineStrong() const { return m_tokens.lineStrong; }
    [[nodiscard]] QColor text() const { return m_tokens.text; }
    [[nodiscard]] QColor text2() const { return m_tokens.text2; }
    [[nodiscard]] QColor text3() const { return m_tokens.text3; }
    [[nodiscard]] QColor accent() const { return m_tokens.accent; }
    [[nodiscard]] QColor accentPressed() const { return m_tokens.accentPressed; }
    [[nodiscard]] QColor onAccent() const { return m_tokens.onAccent; }
    [[nodiscard]] QColor focus() const { return m_tokens.focus; }
    [[nodiscard]] QColor better() const { return m_tokens.better; }
    [[nodiscard]] QColor betterGround() const { return m_tokens.betterGround; }
    [[nodiscard]] QColor worse() const { return m_tokens.worse; }
    [[nodiscard]] QColor worseGround() const { return m_tokens.worseGround; }
    [[nodiscard]] QColor neutral() const { return m_tokens.neutral; }
    [[nodiscard]] QColor neutralGround() const { return m_tokens.neutralGround; }
    [[nodiscard]] QColor failed() const { return m_tokens.failed; }
    [[nodiscard]] QColor failedGround() const { return m_tokens.failedGround; }
    [[nodiscard]] QColor quarantined() const { return m_tokens.quarantined; }
    [[nodiscard]] QColor quarantinedGround() const { return m_tokens.quarantinedGround; }
    [[nodiscard]] QColor estimate() const { return m_tokens.estimate; }
    [[nodiscard]] QColor estimateGround() const { return m_tokens.estimateGround; }
    [[nodiscard]] QColor barBase() const { return m_tokens.barBase; }
    [[nodiscard]] QColor barTrack() const { return m_tokens.barTrack; }
    [[nodiscard]] QColor progressTrack() const { return m_tokens.progressTrack; }
    [[nodiscard]] QColor meterSpent() const { return m_tokens.meterSpent; }
    [[nodiscard]] QColor meterForecast() const { return m_tokens.meterForecast; }
    [[nodiscard]] QColor seriesMuted() const { return m_tokens.seriesMuted; }
    [[nodiscard]] QColor laneLight() const { return m_tokens.laneLight; }
    [[nodiscard]] QColor laneDark() const { return m_tokens.laneDark; }
    [[nodiscard]] QColor codeKeyword() const { return m_tokens.codeKeyword; }
    [[nodiscard]] QColor codeBuiltin() const { return m_tokens.codeBuiltin; }
    [[nodiscard]] QColor codeString() const { return m_tokens.codeString; }
    [[nodiscard]] QColor codeComment() const { return m_tokens.codeComment; }
    [[nodiscard]] QColor codeNumber() const { return m_tokens.codeNumber; }
    [[nodiscard]] QColor diffAdded() const { return m_tokens.diffAdded; }
    [[nodiscard]] QColor diffAddedMark() const { return m_tokens.diffAddedMark; }
    [[nodiscard]] QColor diffRemoved() const { return m_tokens.diffRemoved; }
    [[nodiscard]] QColor diffRemovedMark() const { return m_tokens.diffRemovedMark; }
    [[nodiscard]] QColor diffFiller() const { return m_tokens.diffFiller; }
    [[nodiscard]] QColor scrim() const { return m_tokens.scrim; }
    [[nodiscard]] QColor shadow() const { return m_tokens.shadow; }
    [[nodiscard]] QColor dialogEdge() const { return m_tokens.dialogEdge; }

Q_SIGNALS:
    void changed();

private:
    void refresh();

    Tokens m_tokens;
    Mode m_mode = Mode::System;
    bool m_dark = false;
    bool m_reduceMotion = false;
    int m_textSize = 100;
    QString m_sans, m_mono;
};

} // namespace accelopt
