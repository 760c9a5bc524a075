// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>

namespace accelopt {

/// Every colour of the window, for one theme. Meanings and contrasts are those of the design language, section 4; no
/// other place holds a colour value. `tests/unit/studio/tst_theme` computes each promised contrast from these.
struct Tokens {
    QColor window;
    QColor chrome;
    QColor panel;
    QColor raised;
    QColor sunken;
    QColor hover;
    QColor pressed;
    QColor selected;
    QColor railCurrent;
    QColor segment;
    QColor segmentChosen;
    QColor line;
    QColor lineStrong;
    QColor text;
    QColor text2;
    QColor text3;
    QColor accent;
    QColor accentPressed;
    QColor onAccent;
    QColor focus;
    QColor better;
    QColor betterGround;
    QColor worse;
    QColor worseGround;
    QColor neutral;
    QColor neutralGround;
    QColor failed;
    QColor failedGround;
    QColor quarantined;
    QColor quarantinedGround;
    QColor estimate;
    QColor estimateGround;
    QColor barBase;
    QColor barTrack;
    QColor progressTrack;
    QColor meterSpent;
    QColor meterForecast;
    QColor seriesMuted;
    QColor laneLight;
    QColor laneDark;
    QColor codeKeyword;
    QColor codeBuiltin;
    QColor codeString;
    QColor codeComment;
    QColor codeNumber;
    QColor diffAdded;
    QColor diffAddedMark;
    QColor diffRemoved;
    QColor diffRemovedMark;
    QColor diffFiller;
    QColor scrim;
    QColor shadow;
    QColor dialogEdge;
    QList<QColor> series; ///< up to eight data series, in order

    bool operator==(const Tokens &) const = default;
    [[nodiscard]] static const Tokens &light();
    [[nodiscard]] static const Tokens &dark();
};

/// WCAG 2.2 contrast ratio of two opaque colours, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor &a, const QColor &b);

} // namespace accelopt
