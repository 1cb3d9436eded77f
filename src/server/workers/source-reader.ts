import { serveSource } from "../imports/thread/serve.ts";
import { lowerPriority } from "../runtime/priority.ts";

/* The entry of the thread that reads import sources (`imports/thread/open.ts`). */

lowerPriority("thread");
serveSource();
