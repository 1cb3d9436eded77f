import { configureGlobal } from "fast-check";

/*
 * Properties are tried with the same examples in each run, so that only a change makes a run red. `npm run soak` sets NEW_SEEDS
 * and draws new examples; a property that fails prints its seed.
 */
configureGlobal(process.env.NEW_SEEDS ? { numRuns: 1_000 } : { seed: 20_261_124 });
