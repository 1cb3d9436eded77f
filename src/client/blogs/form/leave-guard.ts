import { useEffect, useEffectEvent } from "react";
import { useBlocker } from "react-router-dom";
import { confirm } from "../../ui/confirm.tsx";

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
