import { configureGlobal } from "fast-check";

/* Property tests use the same examples in each run, so that only a change makes a run fail. `npm run soak` sets NEW_SEEDS
   for new examples; a failing property prints its seed. */
configureGlobal(process.env.NEW_SEEDS ? { numRuns: 1_000 } : { seed: 20_261_124 });
