// `npm run soak`: the property tests of the unit tests with new examples, then random histories in a browser until time is up
// (tests/simulation/soak.ts has their options). With a seed or a number of seeds it runs the histories alone.
import { end, run } from "./children.mjs";
import { prepareBrowser } from "./prepare-browser.mjs";
import { environment } from "./setup.mjs";

try {
  const env = { ...environment(process.execPath), ...(await prepareBrowser()) };
  const options = process.argv.slice(2);
  const properties = ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--reporter=dot"];
  const propertyTests =
    options.length > 0
      ? { code: 0 }
      : await run(process.execPath, properties, { env: { ...env, NEW_SEEDS: "yes" } });
  const { code } = await run(process.execPath, ["tests/simulation/soak.ts", ...options], { env });
  process.exitCode = propertyTests.code || code;
} catch (error) {
  end(error);
}
