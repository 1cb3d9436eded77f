import { useEffect, useEffectEvent } from "react";
import { useBlocker, useNavigate } from "react-router-dom";
import { Link } from "../../ui/link.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Asks before leaving the page or closing the tab while `isAtRisk`. `isOwn`: whether the form's account is still signed in. */
export function useLeaveGuard(isAtRisk: boolean, isOwn: () => boolean): void {
  useEffect(() => {
    // The dialog's code: the question is asked when there is no network.
    import("../../ui/confirm-dialog.tsx").catch(() => undefined);
  }, []);
  useEffect(() => {
    if (!isAtRisk) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => window.removeEventListener("beforeunload", preventUnload);
  }, [isAtRisk]);

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isAtRisk && isOwn() && currentLocation.pathname !== nextLocation.pathname,
  );
  const ask = useEffectEvent(async () => {
    const isLeaving = await confirm({
      title: "Leave without saving?",
      body: "Your last changes are neither on the server nor on this device. If you leave, they’re lost.",
      action: "Leave",
      cancel: "Stay",
      danger: true,
    });
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
  });
  useEffect(() => {
    if (blocker.state === "blocked") void ask();
  }, [blocker.state]);
}

/** Leads back to the page before the form, if that was on this site; else to `to`. Shown on phones, which have no site header here. */
export function CloseLink({ to }: { to: string }) {
  const navigate = useNavigate();
  return (
    <Link
      className="blog-form-leave icon-button"
      to={to}
      aria-label="Close"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || !hasPageBefore()) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <Icon name="close" size={24} />
    </Link>
  );
}

/** Whether the router of this site has an entry before the current one: it numbers them. */
function hasPageBefore(): boolean {
  const state = window.history.state as { idx?: number } | null;
  return (state?.idx ?? 0) > 0;
}
