import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Act, PersonIndex } from "./generator.ts";
import type { PersonConnection, OpenPage, World } from "./world.ts";

export type Fault = Exclude<Act, { by: number }>;

export async function freeze(openPage: OpenPage): Promise<void> {
  openPage.isFrozen = true;
  await openPage.control.send("Page.setWebLifecycleState", { state: "frozen" });
}

export async function thaw(openPage: OpenPage): Promise<void> {
  if (!openPage.isFrozen) return;
  await openPage.control.send("Page.setWebLifecycleState", { state: "active" });
  openPage.isFrozen = false;
}

/** Puts a person's computer to sleep: their pages freeze and the server is not told. */
async function sleep(world: World, person: PersonIndex): Promise<void> {
  for (const openPage of windowsOf(world, person)) if (!openPage.isFrozen) await freeze(openPage);
  world.connections.get(person)!.tcpLink.swallow(true);
}

/** Wakes it up three hours later by its clock. */
async function wake(world: World, person: PersonIndex): Promise<void> {
  clearNetworkFaults(world.connections.get(person)!);
  for (const openPage of windowsOf(world, person))
    if (openPage.isFrozen) {
      await thaw(openPage);
      await advanceClock(openPage, 180);
    }
}

function clearNetworkFaults({ tcpLink, proxy }: PersonConnection): void {
  tcpLink.restore();
  Object.assign(proxy.faults, { sockets: "pass", holdsEvents: false });
}

/** Blocks WebSockets in a person's network; "hold streams" holds back server-sent events too. */
function blockTransports(
  { tcpLink, proxy }: PersonConnection,
  kind: "refuse sockets" | "swallow sockets" | "hold streams",
): void {
  proxy.faults.sockets = kind === "swallow sockets" ? "swallow" : "refuse";
  proxy.faults.holdsEvents = kind === "hold streams";
  tcpLink.cut();
}

const windowsOf = ({ windows }: World, person: PersonIndex): OpenPage[] =>
  windows.filter(({ opened }) => opened.who === person);

const advanceClock = ({ page }: OpenPage, minutes: number): Promise<void> =>
  page.evaluate((offset) => void (window.clockOff = (window.clockOff ?? 0) + offset), minutes * 60_000);

/** The timeout in a window that may be offline. */
const navigationTimeout = { timeout: 5_000 };

/** Follows the first link to another page of the site, and goes back. */
async function clickAndGoBack({ page }: OpenPage): Promise<void> {
  const { pathname } = new URL(page.url());
  const link = page.locator("main a[href^='/blog/'], main a[href='/home'], .brand").first();
  await link.dispatchEvent("click", {}, navigationTimeout);
  const hasLeft = (url: URL) => url.pathname !== pathname;
  // A link to the page itself adds no history entry.
  if (
    !(await page.waitForURL(hasLeft, navigationTimeout).then(
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
const runRestored = ({ site }: World): Promise<unknown> =>
  run(process.execPath, ["dist/current/server/reprise.js", "after-restore"], {
    env: { ...process.env, ...site.environment },
  });

/** Causes a fault. Skips what cannot be done to a frozen page. */
export async function injectFault(fault: Fault, world: World): Promise<string> {
  if ("window" in fault) {
    const openPage = world.windows[fault.window]!;
    if (fault.kind === "freeze") await (openPage.isFrozen ? undefined : freeze(openPage));
    else if (fault.kind === "thaw") await thaw(openPage);
    else if (openPage.isFrozen) return "the page stands still";
    else if (fault.kind === "clock") await advanceClock(openPage, fault.minutes);
    else if (fault.kind === "reload") await openPage.page.reload(navigationTimeout);
    else await (fault.kind === "click and go back" ? clickAndGoBack(openPage) : leaveAndComeBack(openPage));
    return "done";
  }
  if (!("line" in fault)) {
    // The next act does not wait for the restart.
    void world.failSite(fault.kind === "kill the server" ? undefined : () => runRestored(world));
    return "done";
  }
  const connection = world.connections.get(fault.line)!;
  const { tcpLink, context } = connection;
  if (fault.kind === "sleep") await sleep(world, fault.line);
  else if (fault.kind === "wake") await wake(world, fault.line);
  else if (fault.kind === "offline" || fault.kind === "online")
    await context.setOffline(fault.kind === "offline");
  else if (fault.kind === "cut") tcpLink.cut();
  else if (fault.kind === "cut after") tcpLink.cutAfter(fault.bytes, fault.way);
  else if (fault.kind === "heal") clearNetworkFaults(connection);
  else if (fault.kind === "swallow" || fault.kind === "swallow all")
    tcpLink.swallow(fault.kind === "swallow all");
  else blockTransports(connection, fault.kind);
  return "done";
}

/** Ends all faults: the server runs, connections pass everything, nothing sleeps. */
export async function clearAllFaults(world: World): Promise<void> {
  for (const [person, { context }] of world.connections) {
    await context.setOffline(false);
    await wake(world, person);
  }
  await world.siteRecovered();
}
