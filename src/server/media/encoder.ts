import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { stepBack } from "../priority.ts";
import { drawCard } from "./draw-card.ts";
import { encode, encodeAgain, type Encoded } from "./encode.ts";
import type { Answer, Given } from "./workshop.ts";

/* The process that workshop.ts starts: pictures are worked on here, one at a time, behind everybody who waits for a page. */

process.umask(0o077);
stepBack("process");

const answer = (said: Answer) => process.send?.(said);
const refusal = ({ code, message }: AppError): Answer => ({ refused: { code, message } });

process.on("disconnect", () => process.exit(0));
process.on("message", ({ source, folder, card, again, memory }: Given) => {
  // The work runs in a thread beside this one, which is free to look.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < memory) return;
    clearInterval(watch);
    answer({ heavy: true, last: true });
  }, 10);
  // What libvips has taken it does not always give back.
  const ended = (said: Answer) => {
    clearInterval(watch);
    if (process.memoryUsage.rss() < limits.image.memory.idle) answer(said);
    else answer({ ...said, last: true });
  };
  const work: Promise<Encoded | null> = card
    ? drawCard(card, source).then(() => null)
    : again
      ? encodeAgain(source)
      : encode(source, folder);
  work.then(
    (made) => ended({ made }),
    (error: unknown) =>
      ended(error instanceof AppError ? refusal(error) : { failed: String((error as Error).stack) }),
  );
});
