// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTextDocument;

namespace accelopt {

/// Fills a document with a report's Markdown as a page in the theme's colours: headings, tables with hairlines, code on
/// a sunken ground, diffs with added and removed lines. HTML in the Markdown stays text. GUI thread.
void dressReport(QTextDocument &document, const QString &markdown);

} // namespace accelopt
