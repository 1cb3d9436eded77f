import type { LiveEvent } from "../../../shared/live.ts";

/** What tells of the stream itself, and of nothing that anybody did. */
const silent = new Set<LiveEvent["kind"]>([
  "checkpoint",
  "accessRestored",
  "reset",
  "accessLost",
  "presence",
  "writers",
  "site.changed",
]);
const most = 4;
const beat = [
  { transform: "scale(1)" },
  { transform: "scale(1.45)", offset: 0.35 },
  { transform: "scale(1)" },
];

/** What one event is about: a like that is told of a card and of an open blog is one. */
const subjectOf = (event: LiveEvent): string => {
  if ("comment" in event) return event.comment.blogId;
  if ("blogId" in event) return String(event.blogId);
  return "card" in event ? event.card.id : event.kind;
};

let beats = new Set<string>();

/** The two dots of each mark on the page beat once for what somebody did just now, where motion is welcome. */
export function pulse(event: LiveEvent): void {
  if (silent.has(event.kind) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // What happened in one turn is told one after the other: it beats once for each subject of it.
  if (beats.size === 0) setTimeout(play, 0);
  beats.add(subjectOf(event));
}

function play(): void {
  const iterations = Math.min(beats.size, most);
  beats = new Set();
  for (const dot of document.querySelectorAll(".mark circle"))
    dot.animate(beat, { duration: 700, easing: "ease-out", iterations });
}
