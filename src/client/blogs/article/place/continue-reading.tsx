import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { ReadingPosition } from "../../../../shared/reading-position.ts";
import { sendAtUnload } from "../../../api/client.ts";
import { mutationContext } from "../../../live/live.ts";
import { useViewer } from "../../../session/viewer.ts";
import { Icon } from "../../../ui/icon.tsx";
import { scrollToPlace, hasLinkPastText, isReached, currentPlace, observeEnd } from "./scroll-place.ts";
import "./continue-reading.css";

/** Below this share of the text no place is saved; above `read` the text counts as read. */
const startedShare = 0.1;
const finishedShare = 0.9;

/**
 * Saves where the reader leaves a long text and offers to continue there, on any device
 * (docs/decisions/0011-article-page-and-interface.md). Offers nothing after a link into the text or a restored scroll position.
 */
export default function ContinueReading({ blogId }: { blogId: string }) {
  const account = useViewer()!.id;
  const [offered, setOffered] = useState<ReadingPosition | null>(null);
  /** The place stored on the server, as JSON: null for none, undefined if unknown. */
  const stored = useRef<string | null>(undefined);
  const isRead = useRef(false);
  /** The place at the start: an unmoved tab must not overwrite a newer place from another device. */
  const from = useRef<string>(undefined);

  const savePlace = (place: ReadingPosition | null): void => {
    const json = place && JSON.stringify(place);
    if (json === stored.current) return;
    stored.current = json;
    // A closing page would lose a queued request.
    sendAtUnload("social.keepPosition", { blogId, place }, account);
  };
  const leave = useEffectEvent((): void => {
    const here = currentPlace();
    if (!here || isRead.current || here.share < startedShare || JSON.stringify(here.place) === from.current)
      return;
    if (here.share <= finishedShare) savePlace(here.place);
    else if (!hasLinkPastText()) savePlace(null);
  });
  const end = useEffectEvent((): void => {
    if (hasLinkPastText()) return;
    isRead.current = true;
    setOffered(null);
    savePlace(null);
  });
  const dismiss = (): void => {
    setOffered(null);
    savePlace(null);
  };

  useEffect(() => {
    from.current = JSON.stringify(currentPlace()?.place);
    let isUnmounted = false;
    mutationContext()
      .client.social.place.query({ blogId })
      .then(
        ({ place }) => {
          if (isUnmounted || stored.current !== undefined) return;
          stored.current = place && JSON.stringify(place);
          const isAtTop = location.hash === "" && window.scrollY < window.innerHeight / 2;
          if (place && isAtTop && !isReached(place)) setOffered(place);
        },
        // Without the network nothing is offered.
        () => undefined,
      );
    return () => {
      isUnmounted = true;
    };
  }, [blogId]);

  // A layout effect: its cleanup runs while the page still has its scroll position.
  useLayoutEffect(() => {
    const onVisibilityChange = (): void => {
      if (document.hidden) leave();
    };
    const onPageHide = (): void => leave();
    const stopObserving = observeEnd(() => end());
    document.addEventListener("visibilitychange", onVisibilityChange);
    addEventListener("pagehide", onPageHide);
    return () => {
      onPageHide();
      stopObserving();
      document.removeEventListener("visibilitychange", onVisibilityChange);
      removeEventListener("pagehide", onPageHide);
    };
  }, [blogId]);

  useEffect(() => {
    if (!offered) return;
    const onScroll = (): void => {
      if (isReached(offered)) setOffered(null);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, [offered]);

  if (!offered) return null;
  return (
    <div className="read-on popup round row gap-0" role="group" aria-label="Continue reading?">
      <button
        type="button"
        className="action round"
        onClick={() => {
          setOffered(null);
          scrollToPlace(offered);
        }}
      >
        <Icon name="chevron-down" size={16} />
        Continue where you stopped
      </button>
      <button
        type="button"
        className="action round fixed"
        aria-label="Start from the beginning"
        onClick={dismiss}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
