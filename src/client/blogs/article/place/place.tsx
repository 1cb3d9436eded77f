import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { KeepPlace, ReadingPlace } from "../../../../shared/reading-place.ts";
import type { z } from "zod";
import { mutationContext } from "../../../live/live.ts";
import { useViewer } from "../../../session/viewer.ts";
import { Icon } from "../../../ui/icon.tsx";
import { goOn, isLedPast, isReached, standing, watchEnd } from "./stand.ts";
import "./place.css";

/** Before it nobody has begun, after it all but the last words are read. */
const begun = 0.1;
const read = 0.9;

/**
 * Remembers where the reader leaves a long text, and offers to go on there when they come back, on any device
 * (docs/decisions/0060). Whoever follows a link into the text, or was put back to where they were, is offered nothing.
 */
export default function Place({ blogId }: { blogId: string }) {
  const account = useViewer()!.id;
  const [offered, setOffered] = useState<ReadingPlace | null>(null);
  /** What the server keeps, as far as this page knows: null is nothing, undefined not known. */
  const kept = useRef<string | null>(undefined);
  const isRead = useRef(false);
  /** A tab that is only looked at says nothing of where another device has come since. */
  const from = useRef<string>(undefined);

  const keep = (place: ReadingPlace | null): void => {
    const said = place && JSON.stringify(place);
    if (said === kept.current) return;
    kept.current = said;
    send({ blogId, place }, account);
  };
  const leave = useEffectEvent((): void => {
    const here = standing();
    if (!here || isRead.current || here.share < begun || JSON.stringify(here.place) === from.current) return;
    if (here.share <= read) keep(here.place);
    else if (!isLedPast()) keep(null);
  });
  const end = useEffectEvent((): void => {
    if (isLedPast()) return;
    isRead.current = true;
    setOffered(null);
    keep(null);
  });
  const dismiss = (): void => {
    setOffered(null);
    keep(null);
  };

  useEffect(() => {
    from.current = JSON.stringify(standing()?.place);
    let isGone = false;
    mutationContext()
      .client.social.place.query({ blogId })
      .then(
        ({ place }) => {
          if (isGone || kept.current !== undefined) return;
          kept.current = place && JSON.stringify(place);
          const isAtTop = location.hash === "" && window.scrollY < window.innerHeight / 2;
          if (place && isAtTop && !isReached(place)) setOffered(place);
        },
        // Without the network nothing is offered.
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [blogId]);

  // Of layout: the page that goes still stands where it was read.
  useLayoutEffect(() => {
    const hidden = (): void => {
      if (document.hidden) leave();
    };
    const gone = (): void => leave();
    const stopWatching = watchEnd(() => end());
    document.addEventListener("visibilitychange", hidden);
    addEventListener("pagehide", gone);
    return () => {
      gone();
      stopWatching();
      document.removeEventListener("visibilitychange", hidden);
      removeEventListener("pagehide", gone);
    };
  }, [blogId]);

  useEffect(() => {
    if (!offered) return;
    const look = (): void => {
      if (isReached(offered)) setOffered(null);
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [offered]);

  if (!offered) return null;
  return (
    <div className="read-on" role="group" aria-label="Continue reading?">
      <button
        type="button"
        className="read-on-go"
        onClick={() => {
          setOffered(null);
          goOn(offered);
        }}
      >
        <Icon name="chevron-down" size={16} />
        Continue where you stopped
      </button>
      <button type="button" className="read-on-close" aria-label="Start from the beginning" onClick={dismiss}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}

/** Also from a page that goes: what waits for its turn would not be sent then. */
function send(input: z.input<typeof KeepPlace>, account: string): void {
  fetch("/trpc/social.keepPlace", {
    method: "POST",
    keepalive: true,
    headers: { "content-type": "application/json", "x-account": account },
    body: JSON.stringify(input),
  }).catch(() => undefined);
}
