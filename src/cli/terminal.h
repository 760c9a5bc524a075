// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace accelopt::cli {

/// What a script sees of how a command ended (docs/cli-json.md).
enum ExitCode { Done = 0, Failed = 1, Usage = 2, Stopped = 3 };

/// Prints one JSON document on stdout.
void printJson(const QJsonObject &json);
/// One line of JSON on stdout, at once.
void printJsonLine(const QJsonObject &json);
/// A line for people, to stdout or stderr; control characters in it are shown, not sent.
void print(const QString &line);
void note(const QString &line);
void printBytes(const QByteArray &bytes); ///< to stdout, as they are
/// False where something did not reach stdout (a full disk); says so once, on stderr.
[[nodiscard]] bool outputIsComplete();
/// Prints the error (to stderr, and as a document where `json`), and gives the exit code for it.
int report(const Error &error, bool json);

/// Columns as wide as their widest cell; columns whose head starts with ">" stand to the right. Control characters of a
/// cell are shown, not sent.
[[nodiscard]] QString table(const QStringList &heads, const QList<QStringList> &rows);
/// Text of a kernel or a reply, safe for a terminal: no escape sequences.
[[nodiscard]] QString sanitized(const QString &text);
[[nodiscard]] bool stderrIsTerminal();
[[nodiscard]] bool stdoutIsTerminal();

} // namespace accelopt::cli
