import type { LiveEvent } from "../../../shared/live.ts";

/** Events that report no action of a person. */
const ignoredKinds = new Set<LiveEvent["kind"]>([
  "checkpoint",
  "accessRestored",
  "reset",
  "accessLost",
  "presence",
  "writers",
  "site.changed",
]);
const maxBeats = 4;
const beat = [
  { transform: "scale(1)" },
  { transform: "scale(1.45)", offset: 0.35 },
  { transform: "scale(1)" },
];

/** Returns what an event is about: a like of a card and of an open blog is one. */
const subjectOf = (event: LiveEvent): string => {
  if ("comment" in event) return event.comment.blogId;
  if ("blogId" in event) return String(event.blogId);
  return "card" in event ? event.card.id : event.kind;
};

let beats = new Set<string>();

/** Animates the dots of each mark on the page once for an action, unless the viewer prefers reduced motion. */
export function pulse(event: LiveEvent): void {
  if (ignoredKinds.has(event.kind) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // The events of one turn arrive separately: one beat for each subject.
  if (beats.size === 0) setTimeout(play, 0);
  beats.add(subjectOf(event));
}

function play(): void {
  const iterations = Math.min(beats.size, maxBeats);
  beats = new Set();
  for (const dot of document.querySelectorAll(".mark circle"))
    dot.animate(beat, { duration: 700, easing: "ease-out", iterations });
}
