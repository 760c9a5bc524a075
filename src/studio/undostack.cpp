// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/undostack.h"

namespace accelopt {

void UndoStack::push(const QString &text, std::function<void()> undo, std::function<void()> redo)
{
    m_entries.resize(m_index);
    m_entries.append({text, std::move(undo), std::move(redo)});
    ++m_index;
    Q_EMIT changed();
}

void UndoStack::undo()
{
    if (!canUndo())
        return;
    --m_index;
    const auto action = m_entries.at(m_index).undo;
    action();
    Q_EMIT changed();
}

void UndoStack::redo()
{
    if (!canRedo())
        return;
    const auto action = m_entries.at(m_index).redo;
    ++m_index;
    action();
    Q_EMIT changed();
}

void UndoStack::clear()
{
    m_entries.clear();
    m_index = 0;
    Q_EMIT changed();
}

} // namespace accelopt
