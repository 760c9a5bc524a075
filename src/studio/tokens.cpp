// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/tokens.h"

#include <cmath>

namespace accelopt {

namespace {

QColor hex(QRgb value)
{
    return QColor::fromRgba(value);
}

double luminance(const QColor &color)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

double contrastRatio(const QColor &a, const QColor &b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

const Tokens &Tokens::light()
{
    static const Tokens tokens{
        .window = hex(0xFFF4F5F7),
        .chrome = hex(0xFFECEEF1),
        .panel = hex(0xFFFFFFFF),
        .raised = hex(0xFFFFFFFF),
        .sunken = hex(0xFFF1F3F5),
        .hover = hex(0xFFEEF1F5),
        .pressed = hex(0xFFE0E4E9),
        .selected = hex(0xFFDFEAFB),
        .railCurrent = hex(0xFFDCE1E7),
        .segment = hex(0xFFE6E9ED),
        .segmentChosen = hex(0xFFFFFFFF),
        .line = hex(0xFFDFE3E8),
        .lineStrong = hex(0xFF7B8593),
        .text = hex(0xFF171B21),
        .text2 = hex(0xFF47505D),
        .text3 = hex(0xFF5E6876),
        .accent = hex(0xFF1B5FC4),
        .accentPressed = hex(0xFF164FA4),
        .onAccent = hex(0xFFFFFFFF),
        .focus = hex(0xFF1B5FC4),
        .better = hex(0xFF08745A),
        .betterGround = hex(0xFFDDF3EC),
        .worse = hex(0xFF9C3A00),
        .worseGround = hex(0xFFFBE9DD),
        .neutral = hex(0xFF5E6876),
        .neutralGround = hex(0xFFEBEEF2),
        .failed = hex(0xFFAE1F3D),
        .failedGround = hex(0xFFFBE4E8),
        .quarantined = hex(0xFF7A2E8E),
        .quarantinedGround = hex(0xFFF5E9F7),
        .estimate = hex(0xFF7A6200),
        .estimateGround = hex(0xFFFAF4DC),
        .barBase = hex(0xFF9AA5B3),
        .barTrack = hex(0xFFEBEEF2),
        .progressTrack = hex(0xFFDDE1E7),
        .meterSpent = hex(0xFF47505D),
        .meterForecast = hex(0xFFA9AEB6),
        .seriesMuted = hex(0xFFB9C1CB),
        .laneLight = hex(0xFF8FB0E3),
        .laneDark = hex(0xFF123F85),
        .codeKeyword = hex(0xFF6F3AAB),
        .codeBuiltin = hex(0xFF1B5FC4),
        .codeString = hex(0xFF08745A),
        .codeComment = hex(0xFF5E6876),
        .codeNumber = hex(0xFF765400),
        .diffAdded = hex(0xFFE2F4EE),
        .diffAddedMark = hex(0xFFC6EBDF),
        .diffRemoved = hex(0xFFFCECE1),
        .diffRemovedMark = hex(0xFFF9DBC6),
        .diffFiller = hex(0xFFF3F4F6),
        .scrim = hex(0x66000000),
        .shadow = hex(0x24000000),
        .dialogEdge = hex(0xFFDFE3E8),
        .series = {hex(0xFF1B5FC4), hex(0xFFA8450C), hex(0xFF08745A), hex(0xFF6F3AAB), hex(0xFF765400), hex(0xFFB0246B),
            hex(0xFF0E6E8C), hex(0xFF4F5A68)},
    };
    return tokens;
}

const Tokens &Tokens::dark()
{
    static const Tokens tokens{
        .window = hex(0xFF14171B),
        .chrome = hex(0xFF181C21),
        .panel = hex(0xFF1C2026),
        .raised = hex(0xFF262B33),
        .sunken = hex(0xFF15181D),
        .hover = hex(0xFF272D35),
        .pressed = hex(0xFF30373F),
        .selected = hex(0xFF22344F),
        .railCurrent = hex(0xFF2A313B),
        .segment = hex(0xFF15181D),
        .segmentChosen = hex(0xFF343C48),
        .line = hex(0xFF2C323B),
        .lineStrong = hex(0xFF7A8696),
        .text = hex(0xFFE7EAEE),
        .text2 = hex(0xFFB4BCC8),
        .text3 = hex(0xFF97A1AF),
        .accent = hex(0xFF78AEFF),
        .accentPressed = hex(0xFF5F99EE),
        .onAccent = hex(0xFF0B1220),
        .focus = hex(0xFF78AEFF),
        .better = hex(0xFF4FDDB5),
        .betterGround = hex(0xFF15332C),
        .worse = hex(0xFFF08A50),
        .worseGround = hex(0xFF3A2619),
        .neutral = hex(0xFF97A1AF),
        .neutralGround = hex(0xFF272D35),
        .failed = hex(0xFFF47A92),
        .failedGround = hex(0xFF3C1F27),
        .quarantined = hex(0xFFE6BBF1),
        .quarantinedGround = hex(0xFF37263D),
        .estimate = hex(0xFFE8D98C),
        .estimateGround = hex(0xFF302C19),
        .barBase = hex(0xFF5A6575),
        .barTrack = hex(0xFF272D35),
        .progressTrack = hex(0xFF333A44),
        .meterSpent = hex(0xFFB4BCC8),
        .meterForecast = hex(0xFF606772),
        .seriesMuted = hex(0xFF56616F),
        .laneLight = hex(0xFF4A6C9F),
        .laneDark = hex(0xFFC3DBFF),
        .codeKeyword = hex(0xFFC6A2F5),
        .codeBuiltin = hex(0xFF78AEFF),
        .codeString = hex(0xFF45CBA6),
        .codeComment = hex(0xFF97A1AF),
        .codeNumber = hex(0xFFDDBB57),
        .diffAdded = hex(0xFF14302A),
        .diffAddedMark = hex(0xFF1B4A3E),
        .diffRemoved = hex(0xFF38241A),
        .diffRemovedMark = hex(0xFF573322),
        .diffFiller = hex(0xFF181B20),
        .scrim = hex(0xA6000000),
        .shadow = hex(0x66000000),
        .dialogEdge = hex(0xFF3A424D),
        .series = {hex(0xFF78AEFF), hex(0xFFF4935A), hex(0xFF45CBA6), hex(0xFFC6A2F5), hex(0xFFDDBB57), hex(0xFFF58FB4),
            hex(0xFF6FD3EE), hex(0xFFA9B4C2)},
    };
    return tokens;
}

} // namespace accelopt
