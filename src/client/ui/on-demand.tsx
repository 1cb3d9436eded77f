import { useEffect, useEffectEvent, useState } from "react";
import type { ComponentType } from "react";
import { answers, fetchCode } from "./fetch-code.ts";
import { beginWaiting } from "./waiting.ts";
import { toast } from "./toasts.tsx";

const AGAIN_AFTER = 10_000;

async function tell(): Promise<void> {
  if (await answers(location.href))
    toast({
      message: "The site was updated since you opened this page.",
      action: { label: "Reload", run: () => location.reload() },
    });
  else toast({ kind: "error", message: "We couldn’t load that. Please try again." });
}

/** Does what was asked for with code that is fetched for it; where that can't be had, the person is told. */
export function withCode<Code>(load: () => Promise<Code>, act: (code: Code) => void): void {
  fetchCode(load).then(act, () => void tell());
}

interface OnDemand<P> {
  (props: P & { onFail?: () => void }): React.ReactNode;
  /** Fetches the code before it is needed; where that fails, showing the part will tell. */
  prepare: () => void;
}

/**
 * A part whose code is fetched when it is first shown, or before. Unlike React's `lazy`, one whose code can't be had (no
 * network, a new release) takes no page down with it: with `onFail`, the person sees that it is waited for, is told, and
 * the part is to be put away, so that asking for it again fetches it again; without, nobody asked for it, and it is tried
 * again by itself.
 */
export function onDemand<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): OnDemand<P> {
  let Part: ComponentType<P> | undefined;
  const fetchPart = async (): Promise<void> => {
    Part ??= (await fetchCode(load)).default;
  };
  const Shown: OnDemand<P> = ({ onFail, ...props }) => {
    const wasAskedFor = onFail !== undefined;
    const [isHere, setHere] = useState(Part !== undefined);
    const missing = useEffectEvent((): boolean => {
      if (!onFail) return false;
      void tell();
      onFail();
      return true;
    });
    useEffect(() => {
      if (isHere) return;
      let isGone = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = (): void => {
        fetchPart().then(
          () => !isGone && setHere(true),
          () => {
            if (!isGone && !missing()) timer = setTimeout(attempt, AGAIN_AFTER);
          },
        );
      };
      attempt();
      const endWaiting = wasAskedFor ? beginWaiting() : undefined;
      return () => {
        isGone = true;
        endWaiting?.();
        clearTimeout(timer);
      };
    }, [isHere, wasAskedFor]);
    return isHere && Part ? <Part {...(props as unknown as P)} /> : null;
  };
  Shown.prepare = () => void fetchPart().catch(() => {});
  return Shown;
}
