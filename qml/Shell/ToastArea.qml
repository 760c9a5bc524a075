// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// At most three toasts, the newest below.
Column {
    id: root

    spacing: 8

    ListModel {
        id: shown
    }
    Connections {
        target: Session

        function onToast(id: int) {
            shown.append({ "noticeId": id });
            if (shown.count > 3)
                shown.remove(0);
        }
    }
    Repeater {
        model: shown

        Toast {
            id: toast

            required property int index
            required noticeId

            anchors.right: parent?.right
            onExpired: shown.remove(toast.index)
        }
    }
}
