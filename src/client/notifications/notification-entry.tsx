import { useId } from "react";
import { useLocation } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import {
  actorParts,
  actionText,
  notificationAddress,
  type NotificationGroup,
  type NotificationKind,
} from "../../shared/notifications.ts";
import { InvitationActions } from "../authors/invitation-actions.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useViewer } from "../session/viewer.ts";
import { readNotification } from "./mark-read.ts";

const icons: Record<NotificationKind, IconName> = {
  follow: "user",
  request: "lock",
  accepted: "check",
  comment: "comment",
  "pending-comment": "comment",
  reply: "reply",
  like: "heart-filled",
  "comment-like": "heart-filled",
  mention: "comment",
  subscription: "comment",
  live: "bell",
  "report-acted": "check",
  "report-kept": "check",
  "taken-down": "eye-off",
  restored: "eye",
  "appeal-kept": "eye-off",
  "appeal-restored": "eye",
  "new-reports": "warning",
  "new-appeals": "warning",
  "new-sign-ups": "user",
  unscheduled: "draft",
  invited: "user",
  joined: "user",
};

const placeholder = { name: "?", picture: null };

/** What happened to one thing, by whom. A link to it that marks the entry as read. */
export function NotificationEntry({
  notification,
  onFollow,
}: {
  notification: NotificationGroup;
  onFollow?: (() => void) | undefined;
}) {
  const id = useId();
  const viewer = useViewer();
  const follow = (): void => {
    if (notification.unread) readNotification(notification);
  };
  const { pathname } = useLocation();
  if (!viewer) return null;
  const address = notificationAddress(notification, viewer);
  const [actor = placeholder] = notification.actors;
  return (
    <li data-item>
      <Link
        id={id}
        className="notification"
        to={address}
        // A comment on the current page may have to be loaded before scrolling.
        preventScrollReset={address.startsWith(`${pathname}#`)}
        data-main
        data-unread={notification.unread || undefined}
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          follow();
          if (!ctrlKey && !metaKey && !shiftKey) onFollow?.();
        }}
        onAuxClick={({ button }) => button === 1 && follow()}
      >
        <span className="notification-actor">
          <Avatar person={actor} size={40} />
          <span className="stack center round notification-sign" data-kind={notification.kind}>
            <Icon name={icons[notification.kind]} size={12} />
          </span>
        </span>
        <span className="stack notification-text">
          {notification.unread && <span className="visually-hidden">Unread: </span>}
          <Sentence notification={notification} />
          {notification.excerpt && (
            <span className="soft line-clamp notification-excerpt" dir="auto">
              {notification.excerpt}
            </span>
          )}
          <RelativeTime className="muted notification-time" at={notification.at} />
        </span>
      </Link>
      {notification.kind === "invited" && (
        <div className="notification-acts">
          <InvitationActions id={notification.target} describedBy={id} onFollow={onFollow} />
        </div>
      )}
    </li>
  );
}

function Sentence({ notification }: { notification: NotificationGroup }) {
  const [before = "", after = ""] = actionText(notification).split("%");
  return (
    <span>
      {actorParts(notification).map(({ name, text }) =>
        name === undefined ? (
          text
        ) : (
          <bdi className="strong" key={name}>
            {name}
          </bdi>
        ),
      )}{" "}
      {before}
      {notification.blog && actionText(notification).includes("%") && (
        <>
          “<bdi>{notification.blog.title}</bdi>”{after}
        </>
      )}
    </span>
  );
}
