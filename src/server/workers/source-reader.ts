import { serveSource } from "../imports/thread/serve.ts";
import { lowerPriority } from "../runtime/priority.ts";

/* The entry of the thread that reads import sources (`imports/apart/open.ts`). */

lowerPriority("thread");
serveSource();
