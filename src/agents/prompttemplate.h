// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace accelopt {

/// A prompt with places for facts: `{{name}}`, and parts between the lines `{{?name}}` and `{{/name}}` that are there
/// only where `name` is not empty. Parsed once; what is put in is never looked at again, so kernels and summaries may
/// hold "{{…}}". A thread-safe value.
class PromptTemplate {
public:
    /// Invalid with the line where a place is not closed, a part is not closed, or parts overlap.
    [[nodiscard]] static Result<PromptTemplate> parse(const QString &text, const QString &name);
    /// Every name that occurs, sorted.
    [[nodiscard]] QStringList names() const;
    /// A name without a value is left empty; `PromptLibrary::load` checks that this cannot happen.
    [[nodiscard]] QString render(const QMap<QString, QString> &values) const;

private:
    struct Piece {
        enum class Kind { Text, Place, Open, Close };
        Kind kind = Kind::Text;
        QString text; ///< or the name
    };
    QList<Piece> m_pieces;
};

} // namespace accelopt
