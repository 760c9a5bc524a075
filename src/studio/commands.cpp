// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/commands.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QSettings>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {
QString settingsKey(const QString &id)
{
    return u"shortcuts/"_s + id;
}
} // namespace

Command::~Command()
{
    Commands::instance()->remove(this);
}

void Command::componentComplete()
{
    Commands::instance()->add(this);
}

QString Command::sequence() const
{
    return QSettings().value(settingsKey(m_id), m_shortcut).toString();
}

void Command::trigger()
{
    if (m_enabled)
        Q_EMIT triggered();
}

Commands *Commands::instance()
{
    static Commands *commands = new Commands(nullptr); // outlives every Command, which may die with the engine
    return commands;
}

Commands *Commands::create(QQmlEngine *, QJSEngine *)
{
    QJSEngine::setObjectOwnership(instance(), QJSEngine::CppOwnership);
    return instance();
}

int Commands::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_commands.size());
}

QVariant Commands::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    Command *command = m_commands.at(index.row());
    switch (role) {
    case CommandRole:
        return QVariant::fromValue(command);
    case IdRole:
        return command->id();
    case Qt::DisplayRole:
    case TextRole:
        return command->text();
    case IconRole:
        return command->icon();
    case SequenceRole:
        return command->sequence();
    case SequenceTextRole:
        return keyCaps(command->sequence()).join(u' ');
    case StandardRole:
        return command->standardSequence();
    case PageRole:
        return command->page();
    case EnabledRole:
        return command->isEnabled();
    default:
        return {};
    }
}

QHash<int, QByteArray> Commands::roleNames() const
{
    return {{CommandRole, "command"}, {IdRole, "commandId"}, {TextRole, "text"}, {IconRole, "icon"},
        {SequenceRole, "sequence"}, {SequenceTextRole, "sequenceText"}, {StandardRole, "standard"}, {PageRole, "page"},
        {EnabledRole, "commandEnabled"}};
}

void Commands::add(Command *command)
{
    if (m_commands.contains(command))
        return;
    const int row = int(m_commands.size());
    beginInsertRows({}, row, row);
    m_commands.append(command);
    endInsertRows();
    connect(command, &Command::changed, this, [this, command] {
        const int at = int(m_commands.indexOf(command));
        if (at >= 0)
            Q_EMIT dataChanged(index(at), index(at));
    });
    Q_EMIT countChanged();
}

void Commands::remove(Command *command)
{
    const int row = int(m_commands.indexOf(command));
    if (row < 0)
        return;
    beginRemoveRows({}, row, row);
    m_commands.removeAt(row);
    endRemoveRows();
    Q_EMIT countChanged();
}

Command *Commands::find(const QString &id) const
{
    const auto found = std::ranges::find_if(m_commands, [&](const Command *command) { return command->id() == id; });
    return found == m_commands.end() ? nullptr : *found;
}

void Commands::trigger(const QString &id)
{
    if (Command *command = find(id))
        command->trigger();
}

QString Commands::shortcutOf(const QString &id) const
{
    const Command *command = find(id);
    return command ? command->sequence() : QString();
}

QStringList Commands::keyCaps(const QString &sequence)
{
    if (sequence.isEmpty())
        return {};
    // A '+' that is itself the key: "Ctrl++".
    QStringList caps;
    QString rest = sequence;
    while (true) {
        const qsizetype plus = rest.indexOf(u'+', 1);
        caps.append(plus < 0 ? rest : rest.left(plus));
        if (plus < 0)
            break;
        rest = rest.mid(plus + 1);
    }
    for (QString &cap : caps) {
        if (cap == "Return"_L1 || cap == "Enter"_L1)
            cap = u"↵"_s;
        else if (cap == "Shift"_L1)
            cap = u"⇧"_s;
        else if (cap == "Left"_L1)
            cap = u"←"_s;
        else if (cap == "Right"_L1)
            cap = u"→"_s;
        else if (cap == "Up"_L1)
            cap = u"↑"_s;
        else if (cap == "Down"_L1)
            cap = u"↓"_s;
        else if (cap == "-"_L1)
            cap = u"−"_s;
    }
    return caps;
}

QString Commands::setShortcut(const QString &id, const QString &sequence)
{
    const QString wanted = QKeySequence(sequence, QKeySequence::PortableText).toString(QKeySequence::PortableText);
    Command *command = find(id);
    if (!command)
        return tr("This command does not exist here.");
    if (!sequence.isEmpty() && wanted.isEmpty())
        return tr("\"%1\" is not a key.").arg(sequence);
    for (const Command *other : std::as_const(m_commands)) {
        const bool meet = other->page().isEmpty() || command->page().isEmpty() || other->page() == command->page();
        if (other != command && meet && !wanted.isEmpty() && QKeySequence(other->sequence()) == QKeySequence(wanted))
            return tr("%1 has this key.").arg(other->text());
    }
    if (wanted.isEmpty() || wanted == command->standardSequence())
        QSettings().remove(settingsKey(id));
    else
        QSettings().setValue(settingsKey(id), wanted);
    Q_EMIT command->changed();
    Q_EMIT shortcutsChanged();
    return {};
}

QString Commands::setShortcutByKey(const QString &id, int key, int modifiers)
{
    // "?" and "+" carry their shift in the key itself.
    if (key < Qt::Key_A || (key > Qt::Key_Z && key < Qt::Key_Escape))
        modifiers &= ~int(Qt::ShiftModifier);
    const QKeyCombination keys = QKeyCombination(Qt::KeyboardModifiers(modifiers) & ~Qt::KeypadModifier, Qt::Key(key));
    return setShortcut(id, QKeySequence(keys).toString(QKeySequence::PortableText));
}

void Commands::resetShortcuts()
{
    QSettings().remove(u"shortcuts"_s);
    for (Command *command : std::as_const(m_commands))
        Q_EMIT command->changed();
    Q_EMIT shortcutsChanged();
}

} // namespace accelopt
