// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QPointer>
#include <QQmlEngine>
#include <QQmlParserStatus>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// One command of the window, declared in QML where it acts: menu, palette, shortcut and list of shortcuts all read
/// this object.
///     Command { commandId: "compare.swap"; text: qsTr("Swap A and B"); shortcut: "S"; page: "compare"; onTriggered: …
///     }
/// It is in the registry while it exists. `page`: empty = everywhere; else the shortcut works on that page only.
class Command : public QObject, public QQmlParserStatus {
    Q_OBJECT
    QML_ELEMENT
    Q_INTERFACES(QQmlParserStatus)
    Q_PROPERTY(QString commandId MEMBER m_id NOTIFY changed)
    Q_PROPERTY(QString text MEMBER m_text NOTIFY changed) ///< a verb, "…" where more is asked
    Q_PROPERTY(QString icon MEMBER m_icon NOTIFY changed)
    Q_PROPERTY(QString shortcut MEMBER m_shortcut NOTIFY
            changed) ///< portable text, "Ctrl+K"; the user's own wins, see Commands
    Q_PROPERTY(QString alternative MEMBER m_alternative NOTIFY changed) ///< a second key that cannot be changed
    Q_PROPERTY(QString page MEMBER m_page NOTIFY changed)
    Q_PROPERTY(bool enabled MEMBER m_enabled NOTIFY changed)
    Q_PROPERTY(bool inPalette MEMBER m_inPalette NOTIFY changed)
    Q_PROPERTY(QString sequence READ sequence NOTIFY changed) ///< the shortcut that holds now
public:
    explicit Command(QObject *parent = nullptr)
        : QObject(parent)
    {
    }
    ~Command() override;
    void classBegin() override { }
    void componentComplete() override;

    [[nodiscard]] QString id() const { return m_id; }
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QString icon() const { return m_icon; }
    [[nodiscard]] QString page() const { return m_page; }
    [[nodiscard]] QString standardSequence() const { return m_shortcut; }
    [[nodiscard]] QString sequence() const;
    [[nodiscard]] bool isEnabled() const { return m_enabled; }
    [[nodiscard]] bool inPalette() const { return m_inPalette; }
    /// Does nothing while it is disabled.
    Q_INVOKABLE void trigger();

Q_SIGNALS:
    void changed();
    void triggered();

private:
    QString m_id, m_text, m_icon, m_shortcut, m_alternative, m_page;
    bool m_enabled = true, m_inPalette = true;
};

/// All commands that exist now. GUI thread. QML sees it as `Commands`.
class Commands : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(int count READ count NOTIFY countChanged)
public:
    enum Role {
        CommandRole = Qt::UserRole,
        IdRole,
        TextRole,
        IconRole,
        SequenceRole,
        SequenceTextRole,
        StandardRole,
        PageRole,
        EnabledRole
    };

    /// No default: QML would make an object of its own instead of asking create().
    explicit Commands(QObject *parent)
        : QAbstractListModel(parent)
    {
    }
    [[nodiscard]] static Commands *instance();
    [[nodiscard]] static Commands *create(QQmlEngine *, QJSEngine *);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return int(m_commands.size()); }
    void add(Command *command);
    void remove(Command *command);
    [[nodiscard]] const QList<Command *> &all() const { return m_commands; }
    [[nodiscard]] Q_INVOKABLE accelopt::Command *find(const QString &id) const;
    Q_INVOKABLE void trigger(const QString &id);
    /// For key caps: "Ctrl+Shift+R" of a command, empty where it has none. Re-evaluate on `shortcutsChanged`.
    [[nodiscard]] Q_INVOKABLE QString shortcutOf(const QString &id) const;
    /// The keys of a sequence, one cap each: {"Ctrl", "⇧", "R"}.
    [[nodiscard]] Q_INVOKABLE static QStringList keyCaps(const QString &sequence);
    /// The user's own key, in the settings; empty = the standard one. Answers why not, where another command has it.
    Q_INVOKABLE QString setShortcut(const QString &id, const QString &sequence);
    Q_INVOKABLE QString setShortcutByKey(const QString &id, int key, int modifiers);
    Q_INVOKABLE void resetShortcuts();

Q_SIGNALS:
    void countChanged();
    void shortcutsChanged();

private:
    QList<Command *> m_commands;
};

} // namespace accelopt
