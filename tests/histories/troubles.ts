import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Act, Who } from "./plan.ts";
import type { Line, OpenPage, Scene } from "./scene.ts";

export type Trouble = Exclude<Act, { by: number }>;

export async function freeze(one: OpenPage): Promise<void> {
  one.isFrozen = true;
  await one.control.send("Page.setWebLifecycleState", { state: "frozen" });
}

export async function thaw(one: OpenPage): Promise<void> {
  if (!one.isFrozen) return;
  await one.control.send("Page.setWebLifecycleState", { state: "active" });
  one.isFrozen = false;
}

/** The computer of somebody is shut: its pages stand still, and nobody tells the server. */
async function sleep(scene: Scene, who: Who): Promise<void> {
  for (const one of windowsOf(scene, who)) if (!one.isFrozen) await freeze(one);
  scene.lines.get(who)!.wire.swallow(true);
}

/** It is opened again, three hours later by its clock. */
async function wake(scene: Scene, who: Who): Promise<void> {
  heal(scene.lines.get(who)!);
  for (const one of windowsOf(scene, who))
    if (one.isFrozen) {
      await thaw(one);
      await turnClock(one, 180);
    }
}

function heal({ wire, proxy }: Line): void {
  wire.heal();
  Object.assign(proxy.obstacles, { sockets: "pass", holdsEvents: false });
}

/** The network of somebody lets no WebSockets through from now on; one of the kinds holds back other streams too. */
function block({ wire, proxy }: Line, kind: "refuse sockets" | "swallow sockets" | "hold streams"): void {
  proxy.obstacles.sockets = kind === "swallow sockets" ? "swallow" : "refuse";
  proxy.obstacles.holdsEvents = kind === "hold streams";
  wire.cut();
}

const windowsOf = ({ windows }: Scene, who: Who): OpenPage[] =>
  windows.filter(({ opened }) => opened.who === who);

const turnClock = ({ page }: OpenPage, minutes: number): Promise<void> =>
  page.evaluate((off) => void (window.clockOff = (window.clockOff ?? 0) + off), minutes * 60_000);

/** A window of which nobody knows whether it has a network. */
const soon = { timeout: 5_000 };

/** Goes where the first link of the page leads, within the page, and back. */
async function clickAndGoBack({ page }: OpenPage): Promise<void> {
  const { pathname } = new URL(page.url());
  const link = page.locator("main a[href^='/blog/'], main a[href='/home'], .brand").first();
  await link.dispatchEvent("click", {}, soon);
  const gone = (url: URL) => url.pathname !== pathname;
  // A link to the page itself makes no entry in the history.
  if (
    !(await page.waitForURL(gone, soon).then(
      () => true,
      () => false,
    ))
  )
    return;
  await page.goBack(soon);
}

async function leaveAndComeBack({ page }: OpenPage): Promise<void> {
  await page.goto("about:blank");
  await page.goBack({ waitUntil: "commit", ...soon });
}

const run = promisify(execFile);
const restored = ({ dataDir }: Scene): Promise<unknown> =>
  run(process.execPath, ["dist/server/reprise.js", "restored"], {
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir },
  });

/** Makes it. What can't be done to a page that stands still is not done. */
export async function make(trouble: Trouble, scene: Scene): Promise<string> {
  if ("window" in trouble) {
    const one = scene.windows[trouble.window]!;
    if (trouble.kind === "freeze") await (one.isFrozen ? undefined : freeze(one));
    else if (trouble.kind === "thaw") await thaw(one);
    else if (one.isFrozen) return "the page stands still";
    else if (trouble.kind === "clock") await turnClock(one, trouble.minutes);
    else if (trouble.kind === "reload") await one.page.reload(soon);
    else await (trouble.kind === "click and go back" ? clickAndGoBack(one) : leaveAndComeBack(one));
    return "done";
  }
  if (!("line" in trouble)) {
    // Nobody waits until it is back.
    void scene.killServer(trouble.kind === "kill the server" ? undefined : () => restored(scene));
    return "done";
  }
  const line = scene.lines.get(trouble.line)!;
  const { wire, context } = line;
  if (trouble.kind === "sleep") await sleep(scene, trouble.line);
  else if (trouble.kind === "wake") await wake(scene, trouble.line);
  else if (trouble.kind === "offline" || trouble.kind === "online")
    await context.setOffline(trouble.kind === "offline");
  else if (trouble.kind === "cut") wire.cut();
  else if (trouble.kind === "cut after") wire.cutAfter(trouble.bytes, trouble.way);
  else if (trouble.kind === "heal") heal(line);
  else if (trouble.kind === "swallow" || trouble.kind === "swallow all")
    wire.swallow(trouble.kind === "swallow all");
  else block(line, trouble.kind);
  return "done";
}

/** All is well again: the server runs, lines pass everything, nobody sleeps. */
export async function makeWell(scene: Scene): Promise<void> {
  for (const [who, { context }] of scene.lines) {
    await context.setOffline(false);
    await wake(scene, who);
  }
  await scene.serverIsBack();
}
