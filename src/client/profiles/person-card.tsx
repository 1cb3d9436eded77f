import { Popover, usePopoverStore } from "@ariakit/react/popover";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FollowButton } from "./follow-button.tsx";
import "./profile-queries.ts";
import "./people.css";

/** Milliseconds: a passing pointer opens no card, and one on its way from the link to the card closes none. */
const delaysMs = { pointed: 350, left: 250 };

interface Props {
  username: string;
  link: RefObject<HTMLAnchorElement | null>;
  onClose: () => void;
}

/**
 * A person's card, open while it or the link is hovered or has the focus, until Escape. Tab leads from the link into it, and
 * from it on in the text.
 */
export default function PersonCard({ username, link, onClose }: Props) {
  const [isOpen, setOpen] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  const { data: person, error } = trpc.users.profile.useQuery({ username }, { enabled: isOpen });
  const popover = usePopoverStore({ open: isOpen, placement: "bottom-start" });

  useEffect(() => {
    popover.setAnchorElement(link.current);
    popover.setDisclosureElement(link.current);
  }, [popover, link]);
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isOpen) return;
    // Escape closes only the card.
    event.stopPropagation();
    if (card.current?.contains(document.activeElement)) link.current?.focus();
    onClose();
  });

  useEffect(() => {
    // There is no such person any more.
    if (error) close();
  }, [error]);
  useEffect(() => {
    const anchor = link.current!;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isPointed = (): boolean =>
      anchor.matches(":hover, :focus-visible") || card.current?.matches(":hover, :focus-within") === true;
    const scheduleUpdate = (wait: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => (isPointed() ? setOpen(true) : close()), wait);
    };
    const onMove = ({ target }: Event): void => {
      const isInside = target instanceof Node && (anchor.contains(target) || card.current?.contains(target));
      if (!isInside) scheduleUpdate(delaysMs.left);
    };
    scheduleUpdate(delaysMs.pointed);
    const key = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener("keydown", key, true);
    for (const type of ["pointerover", "focusin"] as const)
      document.addEventListener(type, onMove, { passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", key, true);
      for (const type of ["pointerover", "focusin"] as const) document.removeEventListener(type, onMove);
    };
  }, [link]);

  return (
    <Popover
      ref={card}
      store={popover}
      className="person-card popup"
      aria-label={person?.name ?? `@${username}`}
      aria-busy={!person}
      gutter={6}
      portal
      unmountOnHide
      autoFocusOnShow={false}
      autoFocusOnHide={false}
      hideOnEscape={false}
      hideOnInteractOutside={false}
    >
      {person ? <Facts person={person} /> : <Waiting />}
    </Popover>
  );
}

function Facts({ person }: { person: Profile }) {
  const { followersCount, username } = person;
  return (
    <>
      <Avatar person={person} size={48} />
      <div className="person-text stack">
        <p className="row gap-1">
          <Link to={routes.profile(username)} className="plain-link strong">
            <bdi>{person.name}</bdi>
          </Link>
          {person.private && (
            <>
              <Icon name="lock" size={14} />
              <span className="visually-hidden">, a private account</span>
            </>
          )}
        </p>
        <p className="muted">@{username}</p>
      </div>
      {person.bio && (
        <p className="person-bio soft line-clamp" dir="auto">
          {person.bio}
        </p>
      )}
      <div className="row wrap between">
        {followersCount !== null && (
          <p className="muted">
            <strong className="ink tabular">{followersCount.toLocaleString("en")}</strong>{" "}
            {followersCount === 1 ? "follower" : "followers"}
          </p>
        )}
        <FollowButton person={person} status={person.follow} asksFirst={person.private} named />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <>
      <Skeleton width="3rem" height="3rem" round />
      <div className="person-text stack">
        <Skeleton width="9rem" />
        <Skeleton width="6rem" height="0.75rem" />
      </div>
    </>
  );
}
