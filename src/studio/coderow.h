// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/bars.h"
#include "studio/sourcehighlight.h"

#include <QTextLayout>
#include <memory>

namespace accelopt {

/// One line of code as it stands in a listing or on one side of a diff: ground, line number, sign, and the text with
/// its colours and marks. Drawn as one item, so that a page of code is a few dozen of them. `offset` scrolls the text
/// sideways under the numbers; with `wrap` the item says how high it must be.
class CodeRow : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QVariant code READ code WRITE setCode NOTIFY changed) ///< a CodeText from a model's role
    Q_PROPERTY(int number READ number WRITE setNumber NOTIFY changed) ///< 0 = none
    Q_PROPERTY(
        int secondNumber READ secondNumber WRITE setSecondNumber NOTIFY changed) ///< unified diff; -1 = no column
    Q_PROPERTY(int digits READ digits WRITE setDigits NOTIFY changed) ///< room for line numbers
    Q_PROPERTY(QString sign READ sign WRITE setSign NOTIFY changed)
    Q_PROPERTY(bool signColumn READ signColumn WRITE setSignColumn NOTIFY changed)
    Q_PROPERTY(QString ground READ ground WRITE setGround NOTIFY changed) ///< "", added, removed, filler, error, sunken
    Q_PROPERTY(
        QString bar READ bar WRITE setBar NOTIFY changed) ///< 3 px at the left: "", current, changed, slower, error
    Q_PROPERTY(double offset READ offset WRITE setOffset NOTIFY changed) ///< px
    Q_PROPERTY(double phase READ phase WRITE setPhase NOTIFY changed) ///< of the hatching, so that rows join
    Q_PROPERTY(bool wrap READ wrap WRITE setWrap NOTIFY changed)
    Q_PROPERTY(double fontSize READ fontSize WRITE setFontSize NOTIFY changed) ///< of the 13 px base; 12 or 11
    Q_PROPERTY(double lineHeight READ lineHeight NOTIFY changed)
    Q_PROPERTY(double textLeft READ textLeft NOTIFY changed) ///< where the code begins
    Q_PROPERTY(double characterWidth READ characterWidth NOTIFY changed)
public:
    explicit CodeRow(QQuickItem *parent = nullptr);
    ~CodeRow() override;
    void paint(QPainter *painter) override;

    [[nodiscard]] QVariant code() const { return QVariant::fromValue(m_code); }
    void setCode(const QVariant &code);
    [[nodiscard]] int number() const { return m_number; }
    void setNumber(int number) { set(m_number, number); }
    [[nodiscard]] int secondNumber() const { return m_secondNumber; }
    void setSecondNumber(int number) { set(m_secondNumber, number); }
    [[nodiscard]] int digits() const { return m_digits; }
    void setDigits(int digits) { set(m_digits, digits); }
    [[nodiscard]] QString sign() const { return m_sign; }
    void setSign(const QString &sign) { repaint(m_sign, sign); }
    [[nodiscard]] bool signColumn() const { return m_signColumn; }
    void setSignColumn(bool shown) { set(m_signColumn, shown); }
    [[nodiscard]] QString ground() const { return m_ground; }
    void setGround(const QString &ground) { repaint(m_ground, ground); }
    [[nodiscard]] QString bar() const { return m_bar; }
    void setBar(const QString &bar) { repaint(m_bar, bar); }
    [[nodiscard]] double offset() const { return m_offset; }
    void setOffset(double offset) { repaint(m_offset, offset); }
    [[nodiscard]] double phase() const { return m_phase; }
    void setPhase(double phase) { repaint(m_phase, phase); }
    [[nodiscard]] bool wrap() const { return m_wrap; }
    void setWrap(bool wrap) { set(m_wrap, wrap); }
    [[nodiscard]] double fontSize() const { return m_fontSize; }
    void setFontSize(double size) { set(m_fontSize, size); }
    [[nodiscard]] double lineHeight() const;
    [[nodiscard]] double textLeft() const;
    [[nodiscard]] double characterWidth() const;

Q_SIGNALS:
    void changed();

protected:
    void geometryChange(const QRectF &now, const QRectF &before) override;

private:
    template <typename T> void set(T &member, const T &value)
    {
        if (member == value)
            return;
        member = value;
        relayout();
    }
    template <typename T> void repaint(T &member, const T &value) ///< what does not move the text
    {
        if (member == value)
            return;
        member = value;
        Q_EMIT changed();
        update();
    }
    void relayout();
    void lay();
    [[nodiscard]] QFont font() const;

    CodeText m_code;
    QString m_sign, m_ground, m_bar;
    std::unique_ptr<QTextLayout> m_layout; ///< made when it is first drawn
    double m_offset = 0, m_phase = 0, m_fontSize = 12;
    int m_number = 0, m_secondNumber = -1, m_digits = 3;
    bool m_wrap = false, m_signColumn = false;
};

} // namespace accelopt

Q_DECLARE_METATYPE(accelopt::CodeText)
