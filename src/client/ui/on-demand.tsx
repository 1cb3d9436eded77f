import { useEffect, useEffectEvent, useState, useRef } from "react";
import type { ComponentType, ReactNode } from "react";
import { siteResponds, fetchCode } from "./fetch-code.ts";
import { toast } from "./toasts.tsx";
import { ExternalStore, useStore } from "./external-store.ts";

const pendingCount = new ExternalStore(0);

/** Shows the progress line while requested code loads. Returns how to end it. Browser only. */
function beginProgress(): () => void {
  pendingCount.set(pendingCount.get() + 1);
  return () => pendingCount.set(pendingCount.get() - 1);
}

export const useInProgress = (): boolean => useStore(pendingCount) > 0;

const RETRY_MS = 10_000;

async function reportFailure(): Promise<void> {
  if (await siteResponds(location.href))
    toast({
      message: "The site was updated since you opened this page.",
      action: { label: "Reload", run: () => location.reload() },
    });
  else toast({ kind: "error", message: "We couldn’t load that. Please try again." });
}

/** Fetches code and calls `use` with it; reports a failure as a toast. */
export function withCode<Code>(load: () => Promise<Code>, use: (code: Code) => void): void {
  fetchCode(load).then(use, () => void reportFailure());
}

interface OnDemand<P> {
  (props: P & { onFail?: () => void }): React.ReactNode;
  /** Fetches the code early; a failure is reported when the part is shown. */
  prepare: () => void;
}

/**
 * A component whose code is fetched when first shown, or by `prepare`. Unlike React's `lazy`, missing code (no network, a new
 * release) does not break the page. With `onFail`, which is a dialog's `onClose` unless given, the wait is visible, a failure is
 * reported, and the caller unmounts the part, so that showing it again retries. Without, it retries silently.
 */
export function onDemand<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): OnDemand<P> {
  let Part: ComponentType<P> | undefined;
  const fetchPart = async (): Promise<void> => {
    Part ??= (await fetchCode(load)).default;
  };
  const Shown: OnDemand<P> = ({ onFail: onGivenFail, ...props }) => {
    const onFail = onGivenFail ?? (props as { onClose?: () => void }).onClose;
    const wasAskedFor = onFail !== undefined;
    const [isLoaded, setLoaded] = useState(Part !== undefined);
    const reportIfAsked = useEffectEvent((): boolean => {
      if (!onFail) return false;
      void reportFailure();
      onFail();
      return true;
    });
    useEffect(() => {
      if (isLoaded) return;
      let isUnmounted = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = (): void => {
        fetchPart().then(
          () => !isUnmounted && setLoaded(true),
          () => {
            if (!isUnmounted && !reportIfAsked()) timer = setTimeout(attempt, RETRY_MS);
          },
        );
      };
      attempt();
      const endWaiting = wasAskedFor ? beginProgress() : undefined;
      return () => {
        isUnmounted = true;
        endWaiting?.();
        clearTimeout(timer);
      };
    }, [isLoaded, wasAskedFor]);
    return isLoaded && Part ? <Part {...(props as unknown as P)} /> : null;
  };
  Shown.prepare = () => void fetchPart().catch(() => {});
  return Shown;
}

/** Renders its children once they are within a window's height below the window. */
export function WhenNear({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && setNear(true), {
      rootMargin: "0px 0px 100%",
    });
    observer.observe(container.current!);
    return () => observer.disconnect();
  }, []);
  return <div ref={container}>{isNear && children}</div>;
}
