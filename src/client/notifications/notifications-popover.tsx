import { Popover, PopoverHeading, usePopoverStore } from "@ariakit/react/popover";
import { useEffect } from "react";
import type { RefObject } from "react";
import { Link } from "../ui/link.tsx";
import { trpc } from "../api/trpc.ts";
import { NotificationList, ReadAll } from "./notification-list.tsx";
import "./notifications.css";

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The newest notifications beside the bell. */
export default function NotificationsPopover({ button, open, onOpen }: Props) {
  const popover = usePopoverStore({ setOpen: onOpen, placement: "bottom-end" });
  const { data } = trpc.social.notifications.useQuery(undefined, { enabled: false });
  useEffect(() => {
    // The existing button anchors the popover and gets the focus back.
    popover.setAnchorElement(button.current);
    popover.setDisclosureElement(button.current);
  }, [popover, button]);
  useEffect(() => {
    if (open) popover.show();
    else popover.hide();
  }, [popover, open]);
  const close = (): void => onOpen(false);
  return (
    <Popover store={popover} className="popup notifications-popover" gutter={6} portal unmountOnHide>
      <div className="row between gap-3 hairline-bottom notifications-head">
        <PopoverHeading className="notifications-title">Notifications</PopoverHeading>
        {data && data.unread > 0 && <ReadAll />}
      </div>
      <div className="notifications-scroll">
        <NotificationList first={20} onFollow={close} />
      </div>
      {data && data.notifications.length > 0 && (
        <Link
          className="stack center small medium hairline-top hover-sunk notifications-all"
          to="/notifications"
          onClick={close}
        >
          All notifications
        </Link>
      )}
    </Popover>
  );
}
