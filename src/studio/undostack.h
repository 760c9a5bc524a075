// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QtQml/qqmlregistration.h>
#include <functional>

namespace accelopt {

/// Undo of what a user removed or changed. GUI thread; emptied when the project closes.
class UndoStack : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Session.undoStack")
    Q_PROPERTY(bool canUndo READ canUndo NOTIFY changed)
    Q_PROPERTY(bool canRedo READ canRedo NOTIFY changed)
    Q_PROPERTY(QString undoText READ undoText NOTIFY changed)
    Q_PROPERTY(QString redoText READ redoText NOTIFY changed)
public:
    using QObject::QObject;
    /// `text` names what was done ("Experience removed"); it was done already. Shows no toast.
    void push(const QString &text, std::function<void()> undo, std::function<void()> redo);
    [[nodiscard]] bool canUndo() const { return m_index > 0; }
    [[nodiscard]] bool canRedo() const { return m_index < m_entries.size(); }
    [[nodiscard]] QString undoText() const { return canUndo() ? m_entries.at(m_index - 1).text : QString(); }
    [[nodiscard]] QString redoText() const { return canRedo() ? m_entries.at(m_index).text : QString(); }
    Q_INVOKABLE void undo();
    Q_INVOKABLE void redo();
    void clear();

Q_SIGNALS:
    void changed();

private:
    struct Entry {
        QString text;
        std::function<void()> undo, redo;
    };
    QList<Entry> m_entries;
    qsizetype m_index = 0;
};

} // namespace accelopt
