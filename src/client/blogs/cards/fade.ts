import { turning } from "../../ui/location.ts";

const calm = "(prefers-reduced-motion: reduce)";
/** Milliseconds: a browser that has not taken its picture of the old page by then shows the new one without. */
const patience = 50;

/*
 * From a card to its article the page fades over, for as long as blog-card.css says, where the browser can do that and nobody asks for
 * less motion. It comes with the cards: where there are none nobody leaves one.
 */
if (typeof document !== "undefined" && "startViewTransition" in document)
  turning.by = async (draw, to) => {
    if (!to.startsWith("/blog/") || document.hidden || matchMedia(calm).matches) return draw();
    const transition = document.startViewTransition(draw);
    // One that is skipped, here or since another follows at once, is no failure: its page is drawn all the same.
    transition.ready.catch(() => undefined);
    const timer = setTimeout(() => transition.skipTransition(), patience);
    await transition.updateCallbackDone.finally(() => clearTimeout(timer));
  };
