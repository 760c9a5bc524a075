// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The message of an attempt's commit: title, plan, trailers. Not for other rooms.

#include "repository/kernelrepository.h"

namespace accelopt::git {

/// Text as it can stand in a commit: line ends are \n, no control characters, valid Unicode, no blank lines at the
/// ends.
[[nodiscard]] QString cleanText(const QString &text);
/// One line of it, at most `limit` characters.
[[nodiscard]] QString cleanLine(const QString &text, qsizetype limit);
[[nodiscard]] QByteArray composeMessage(const AttemptCommit &attempt);

struct Message {
    QString title, body;
    QMap<QString, QString> trailers;
};
/// The last paragraph is read as trailers when each of its lines has the form "Word: value" and one of them is ours.
[[nodiscard]] Message parseMessage(const QByteArray &message);
/// The value of the trailer Attempt, without parsing the rest; empty for a commit that is no attempt.
[[nodiscard]] QByteArray attemptTrailer(const char *message);

} // namespace accelopt::git
