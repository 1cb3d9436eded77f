import { useId } from "react";
import { Link, useLocation } from "react-router-dom";
import { actorParts, deedOf, noticeAddress } from "../../shared/notice-words.ts";
import type { NoticeGroup, NotificationKind } from "../../shared/social.ts";
import { InvitationActs } from "../blogs/authors/invitation-acts.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useViewer } from "../session/viewer.ts";
import { readNotice } from "./reading.ts";

const signs: Record<NotificationKind, IconName> = {
  follow: "user",
  request: "lock",
  accepted: "check",
  comment: "comment",
  held: "comment",
  reply: "reply",
  like: "heart-filled",
  "comment-like": "heart-filled",
  mention: "comment",
  talk: "comment",
  "report-acted": "check",
  "report-kept": "check",
  hidden: "eye-off",
  restored: "eye",
  unscheduled: "draft",
  invited: "user",
  joined: "user",
};

const unnamed = { name: "?", picture: null };

/** What happened to one thing, by whom. The whole entry leads there, and following it marks it as read. */
export function NoticeEntry({
  notice,
  onFollow,
}: {
  notice: NoticeGroup;
  onFollow?: (() => void) | undefined;
}) {
  const id = useId();
  const viewer = useViewer();
  const follow = (): void => {
    if (notice.unread) readNotice(notice);
  };
  const { pathname } = useLocation();
  if (!viewer) return null;
  const address = noticeAddress(notice, viewer);
  const [actor = unnamed] = notice.actors;
  return (
    <li data-item>
      <Link
        id={id}
        className="notice"
        to={address}
        // A comment of the page that is shown may have to be loaded first.
        preventScrollReset={address.startsWith(`${pathname}#`)}
        data-main
        data-unread={notice.unread || undefined}
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          follow();
          if (!ctrlKey && !metaKey && !shiftKey) onFollow?.();
        }}
        onAuxClick={({ button }) => button === 1 && follow()}
      >
        <span className="notice-actor">
          <Avatar person={actor} size={40} />
          <span className="notice-sign" data-kind={notice.kind}>
            <Icon name={signs[notice.kind]} size={12} />
          </span>
        </span>
        <span className="notice-text">
          {notice.unread && <span className="visually-hidden">Unread: </span>}
          <Sentence notice={notice} />
          {notice.excerpt && (
            <span className="notice-excerpt" dir="auto">
              {notice.excerpt}
            </span>
          )}
          <RelativeTime className="notice-time" at={notice.at} />
        </span>
      </Link>
      {notice.kind === "invited" && (
        <div className="notice-acts">
          <InvitationActs id={notice.target} describedBy={id} onFollow={onFollow} />
        </div>
      )}
    </li>
  );
}

function Sentence({ notice }: { notice: NoticeGroup }) {
  const [before = "", after = ""] = deedOf(notice).split("%");
  return (
    <span>
      {actorParts(notice).map(({ name, text }) =>
        name === undefined ? (
          text
        ) : (
          <bdi className="notice-name" key={name}>
            {name}
          </bdi>
        ),
      )}{" "}
      {before}
      {notice.blog && deedOf(notice).includes("%") && (
        <>
          “<bdi>{notice.blog.title}</bdi>”{after}
        </>
      )}
    </span>
  );
}
