// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <expected>

namespace accelopt {

/// What went wrong, for people: one sentence, and where there is more to see, the technical detail.
struct Error {
    /// What the caller may decide on. `NoSpace` is apart because a run pauses on it instead of failing.
    enum class Kind { Invalid, NotFound, Conflict, NewerVersion, NoSpace, Io, Cancelled, Internal };

    Kind kind = Kind::Internal;
    QString message; ///< What happened, what was kept, what to do. Ends with a full stop.
    QString detail; ///< Library text, paths, line numbers; may be empty.

    bool operator==(const Error &) const = default;
};

template <typename T> using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Error::Kind kind, const QString &message, const QString &detail = {})
{
    return std::unexpected(Error{kind, message, detail});
}

} // namespace accelopt
