import { useEffect, useRef, useState } from "react";
import { routes } from "../../shared/routes.ts";
import type { NotificationGroup } from "../../shared/notifications.ts";
import type { CachedNotifications } from "./notifications.ts";
import { trpc } from "../api/trpc.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { mutate } from "../live/live.ts";
import { readNotifications } from "./notification-mutations.ts";
import { NotificationEntry } from "./notification-entry.tsx";
import { useMarkSeen } from "./mark-read.ts";
import "./notifications.css";

/**
 * The notifications, newest first. New ones wait behind a button while the viewer is in the list, so that nothing moves.
 * Opening it clears the bell's number; an entry stays unread until followed.
 */
export function NotificationList({ first, onFollow }: { first: number; onFollow?: () => void }) {
  const query = trpc.social.notifications.useQuery();
  const { error, isFetching, refetch } = query;
  const [shownCount, setShownCount] = useState(first);
  const list = useRef<HTMLUListElement>(null);
  const cached: CachedNotifications | undefined = query.data;
  useMarkSeen(cached);
  const isOlder = cached?.isStale === true && !isFetching && error === null;
  useEffect(() => {
    if (isOlder && !isBusyWith(list.current)) void refetch();
  }, [isOlder, refetch]);

  return (
    <QueryResult query={query} noun="notifications" fallback={<ListSkeleton />}>
      {({ notifications }) => (
        <>
          <div className="notifications-fresh afloat" role="status">
            {isOlder && (
              <Button size="s" onClick={() => void refetch()}>
                <Icon name="arrow-up" size={16} /> New notifications
              </Button>
            )}
          </div>
          {notifications.length === 0 ? (
            <Nothing onFollow={onFollow} />
          ) : (
            <ul className="notifications lined" ref={list}>
              {notifications.slice(0, shownCount).map((notification) => (
                <NotificationEntry
                  key={keyOf(notification)}
                  notification={notification}
                  onFollow={() => onFollow?.()}
                />
              ))}
            </ul>
          )}
          {notifications.length > shownCount && !onFollow && (
            <Button className="mt-4" onClick={() => setShownCount(shownCount + first)}>
              Show older
            </Button>
          )}
        </>
      )}
    </QueryResult>
  );
}

const keyOf = ({ kind, target }: NotificationGroup): string => `${kind} ${target}`;

/** Whether the viewer is in the list: pointer or focus in it, or scrolled down. */
function isBusyWith(list: HTMLElement | null): boolean {
  if (!list) return false;
  const scroller = list.closest(".notifications-scroll");
  return list.matches(":hover, :focus-within") || (scroller ? scroller.scrollTop > 0 : window.scrollY > 0);
}

function Nothing({ onFollow }: { onFollow?: (() => void) | undefined }) {
  return (
    <EmptyState
      title="Nothing yet"
      action={
        <LinkButton to={routes.home()} onClick={onFollow}>
          Find something to read
        </LinkButton>
      }
    >
      New followers, likes and replies will appear here.
    </EmptyState>
  );
}

const ListSkeleton = () =>
  Array.from({ length: 4 }, (_, index) => (
    <div className="notification" key={index}>
      <Skeleton width="2.5rem" height="2.5rem" round />
      <span>
        <Skeleton width="85%" />
        <Skeleton width="30%" height="0.75rem" />
      </span>
    </div>
  ));

export const ReadAll = () => (
  <Button kind="quiet" size="s" onClick={() => void mutate(readNotifications, { only: null })}>
    Mark all read
  </Button>
);
