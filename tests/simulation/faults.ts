import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Act, PersonIndex } from "./generator.ts";
import type { PersonConnection, OpenPage, World } from "./world.ts";

export type Fault = Exclude<Act, { by: number }>;

export async function freeze(one: OpenPage): Promise<void> {
  one.isFrozen = true;
  await one.control.send("Page.setWebLifecycleState", { state: "frozen" });
}

export async function thaw(one: OpenPage): Promise<void> {
  if (!one.isFrozen) return;
  await one.control.send("Page.setWebLifecycleState", { state: "active" });
  one.isFrozen = false;
}

/** Puts a person's computer to sleep: their pages freeze and the server is not told. */
async function sleep(scene: World, who: PersonIndex): Promise<void> {
  for (const one of windowsOf(scene, who)) if (!one.isFrozen) await freeze(one);
  scene.connections.get(who)!.tcpLink.swallow(true);
}

/** Wakes it up three hours later by its clock. */
async function wake(scene: World, who: PersonIndex): Promise<void> {
  clearNetworkFaults(scene.connections.get(who)!);
  for (const one of windowsOf(scene, who))
    if (one.isFrozen) {
      await thaw(one);
      await turnClock(one, 180);
    }
}

function clearNetworkFaults({ tcpLink: wire, proxy }: PersonConnection): void {
  wire.restore();
  Object.assign(proxy.faults, { sockets: "pass", holdsEvents: false });
}

/** Blocks WebSockets in a person's network; "hold streams" holds back server-sent events too. */
function blockTransports(
  { tcpLink: wire, proxy }: PersonConnection,
  kind: "refuse sockets" | "swallow sockets" | "hold streams",
): void {
  proxy.faults.sockets = kind === "swallow sockets" ? "swallow" : "refuse";
  proxy.faults.holdsEvents = kind === "hold streams";
  wire.cut();
}

const windowsOf = ({ windows }: World, who: PersonIndex): OpenPage[] =>
  windows.filter(({ opened }) => opened.who === who);

const turnClock = ({ page }: OpenPage, minutes: number): Promise<void> =>
  page.evaluate((off) => void (window.clockOff = (window.clockOff ?? 0) + off), minutes * 60_000);

/** The timeout in a window that may be offline. */
const navigationTimeout = { timeout: 5_000 };

/** Follows the first link to another page of the site, and goes back. */
async function clickAndGoBack({ page }: OpenPage): Promise<void> {
  const { pathname } = new URL(page.url());
  const link = page.locator("main a[href^='/blog/'], main a[href='/home'], .brand").first();
  await link.dispatchEvent("click", {}, navigationTimeout);
  const gone = (url: URL) => url.pathname !== pathname;
  // A link to the page itself adds no history entry.
  if (
    !(await page.waitForURL(gone, navigationTimeout).then(
      () => true,
      () => false,
    ))
  )
    return;
  await page.goBack(navigationTimeout);
}

async function leaveAndComeBack({ page }: OpenPage): Promise<void> {
  await page.goto("about:blank");
  await page.goBack({ waitUntil: "commit", ...navigationTimeout });
}

const run = promisify(execFile);
const runRestored = ({ dataDir }: World): Promise<unknown> =>
  run(process.execPath, ["dist/server/reprise.js", "restored"], {
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir },
  });

/** Causes a fault. Skips what cannot be done to a frozen page. */
export async function injectFault(trouble: Fault, scene: World): Promise<string> {
  if ("window" in trouble) {
    const one = scene.windows[trouble.window]!;
    if (trouble.kind === "freeze") await (one.isFrozen ? undefined : freeze(one));
    else if (trouble.kind === "thaw") await thaw(one);
    else if (one.isFrozen) return "the page stands still";
    else if (trouble.kind === "clock") await turnClock(one, trouble.minutes);
    else if (trouble.kind === "reload") await one.page.reload(navigationTimeout);
    else await (trouble.kind === "click and go back" ? clickAndGoBack(one) : leaveAndComeBack(one));
    return "done";
  }
  if (!("line" in trouble)) {
    // The next act does not wait for the restart.
    void scene.killServer(trouble.kind === "kill the server" ? undefined : () => runRestored(scene));
    return "done";
  }
  const line = scene.connections.get(trouble.line)!;
  const { tcpLink: wire, context } = line;
  if (trouble.kind === "sleep") await sleep(scene, trouble.line);
  else if (trouble.kind === "wake") await wake(scene, trouble.line);
  else if (trouble.kind === "offline" || trouble.kind === "online")
    await context.setOffline(trouble.kind === "offline");
  else if (trouble.kind === "cut") wire.cut();
  else if (trouble.kind === "cut after") wire.cutAfter(trouble.bytes, trouble.way);
  else if (trouble.kind === "heal") clearNetworkFaults(line);
  else if (trouble.kind === "swallow" || trouble.kind === "swallow all")
    wire.swallow(trouble.kind === "swallow all");
  else blockTransports(line, trouble.kind);
  return "done";
}

/** Ends all faults: the server runs, connections pass everything, nothing sleeps. */
export async function clearAllFaults(scene: World): Promise<void> {
  for (const [who, { context }] of scene.connections) {
    await context.setOffline(false);
    await wake(scene, who);
  }
  await scene.serverRestarted();
}
