import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { isDiskFull } from "../database/errors.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { renderCard } from "./render-card.ts";
import { encode, encodeJpeg, type Encoded } from "./encode-picture.ts";
import type { ImageWorkerMessage, ImageWorkerJob } from "./image-pool.ts";

/* The child process of image-pool.ts: one picture at a time, with low priority. */

process.umask(0o077);
lowerPriority("process");

const send = (message: ImageWorkerMessage) => process.send?.(message);
const refusal = ({ code, message }: AppError): ImageWorkerMessage => ({ refused: { code, message } });

process.on("disconnect", () => process.exit(0));
process.on("message", ({ source, folder, card, jpeg, memory }: ImageWorkerJob) => {
  // libvips works in another thread, so this timer runs.
  const memoryCheck = setInterval(() => {
    if (process.memoryUsage.rss() < memory) return;
    clearInterval(memoryCheck);
    send({ heavy: true, last: true });
  }, 10);
  // libvips does not always free its memory.
  const finish = (message: ImageWorkerMessage) => {
    clearInterval(memoryCheck);
    if (process.memoryUsage.rss() < limits.image.memory.idle) send(message);
    else send({ ...message, last: true });
  };
  const work: Promise<Encoded | Buffer> = card
    ? renderCard(card)
    : jpeg
      ? encodeJpeg(source)
      : encode(source, folder);
  work.then(
    (encoded) => finish({ made: encoded }),
    (error: unknown) =>
      finish(
        error instanceof AppError
          ? refusal(error)
          : { failed: String((error as Error).stack), isDiskFull: isDiskFull(error) },
      ),
  );
});
