// `npm run soak`: random histories until one's time is up (tests/histories/soak.ts says how), in a browser that is there.
import { end, run } from "./children.mjs";
import { prepareBrowser } from "./prepare-browser.mjs";
import { environment } from "./setup.mjs";

try {
  const env = { ...environment(process.execPath), ...(await prepareBrowser()) };
  const { code } = await run(process.execPath, ["tests/histories/soak.ts", ...process.argv.slice(2)], {
    env,
  });
  process.exitCode = code;
} catch (error) {
  end(error);
}
