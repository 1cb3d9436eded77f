import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { Form } from "react-router-dom";
import { trpc } from "../api/trpc.ts";
import { Icon } from "../ui/icon.tsx";
import { onDemand } from "../ui/on-demand.tsx";

const NotificationsPopover = onDemand(() => import("./notifications-popover.tsx"));

/**
 * Returns the number of unseen notifications. Fetches the notifications and the follow requests for all badges, which only read
 * the cache.
 */
export function useUnseen(isMember: boolean): number {
  const { data: unseen = 0 } = trpc.social.notifications.useQuery(undefined, {
    select: (data) => data.unseen,
    enabled: isMember,
  });
  trpc.social.requests.useQuery(undefined, { notifyOnChangeProps: [], enabled: isMember });
  return unseen;
}

/** The bell. On wide screens it opens the list; otherwise, and until scripts run, it links to the page. */
export function Bell({ unseen, hasPopover = false }: { unseen: number; hasPopover?: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean | null>(null);
  const countText = unseen > 99 ? "99+" : unseen;
  const toggle = (event: FormEvent): void => {
    if (!hasPopover) return;
    event.preventDefault();
    setOpen(!open);
  };
  const prefetch = hasPopover ? NotificationsPopover.prepare : undefined;
  return (
    <Form action="/notifications" onSubmit={toggle}>
      <button
        ref={button}
        type="submit"
        className="icon-button bell"
        aria-label={unseen > 0 ? `Notifications, ${countText} new` : "Notifications"}
        {...(hasPopover ? { "aria-haspopup": "dialog", "aria-expanded": open === true } : {})}
        onPointerEnter={prefetch}
        onFocus={prefetch}
      >
        <Icon name="bell" size={22} />
        {unseen > 0 && <span className="bell-count tabular">{countText}</span>}
      </button>
      {open !== null && (
        <NotificationsPopover button={button} open={open} onOpen={setOpen} onFail={() => setOpen(null)} />
      )}
    </Form>
  );
}
