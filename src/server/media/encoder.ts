import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { renderCard } from "./render-card.ts";
import { encode, encodeFromFull, type Encoded } from "./encode-picture.ts";
import type { ImageWorkerMessage, ImageWorkerJob } from "./image-pool.ts";

/* The child process of image-pool.ts: one picture at a time, with low priority. */

process.umask(0o077);
lowerPriority("process");

const answer = (said: ImageWorkerMessage) => process.send?.(said);
const refusal = ({ code, message }: AppError): ImageWorkerMessage => ({ refused: { code, message } });

process.on("disconnect", () => process.exit(0));
process.on("message", ({ source, folder, card, again, memory }: ImageWorkerJob) => {
  // libvips works in another thread, so this timer runs.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < memory) return;
    clearInterval(watch);
    answer({ heavy: true, last: true });
  }, 10);
  // libvips does not always free its memory.
  const ended = (said: ImageWorkerMessage) => {
    clearInterval(watch);
    if (process.memoryUsage.rss() < limits.image.memory.idle) answer(said);
    else answer({ ...said, last: true });
  };
  const work: Promise<Encoded | null> = card
    ? renderCard(card, source).then(() => null)
    : again
      ? encodeFromFull(source)
      : encode(source, folder);
  work.then(
    (made) => ended({ made }),
    (error: unknown) =>
      ended(error instanceof AppError ? refusal(error) : { failed: String((error as Error).stack) }),
  );
});
