// Sets up the packages, a Node new enough, and the build. Each step first checks whether its work is done.
// Plain JavaScript: it runs on the system's Node.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { UserError, run } from "./children.mjs";
import { step } from "./steps.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

const oldestRuntime = "24.0";
const inRoot = (...parts) => path.join(root, ...parts);
const log = (line) => console.error(line);

/** Whether `version` ("24.21.0") is `wantedVersion` ("24.0") or newer. */
export function atLeast(version, wantedVersion) {
  const [versionParts, wantedParts] = [version, wantedVersion].map((text) => text.split(".").map(Number));
  return (
    versionParts[0] > wantedParts[0] ||
    (versionParts[0] === wantedParts[0] && versionParts[1] >= (wantedParts[1] ?? 0))
  );
}

// Packages

/** Installs the packages of package-lock.json, unless they are there already. */
export async function installPackages() {
  if (isInstalled()) return;
  await withSetupLock(async () => {
    if (isInstalled()) return;
    // Beside the present packages, which a server may be using, and which stay if npm fails.
    const folder = inRoot(".cache/packages");
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder);
    for (const file of ["package.json", "package-lock.json", ".npmrc"])
      fs.cpSync(inRoot(file), path.join(folder, file));
    // Without install scripts: nothing here needs one, and older npms would compile packages that come compiled.
    const args = [
      "ci",
      "--prefix=.cache/packages",
      "--ignore-scripts",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    const npm = npmCommand();
    // Asked to stop, npm would first roll back; the next start removes what a killed npm leaves.
    const options = { quiet: true, shell: npm.shell, patience: 1000 };
    await step(
      "Installing packages (about a minute, at the first start only)…",
      async () => {
        const { code, output } = await run(npm.command, [...npm.args, ...args], options);
        if (code !== 0)
          throw new UserError(
            `${output.trim()}\n\nInstalling the packages failed. npm gives the reason above.`,
          );
        const packages = inRoot("node_modules");
        if (fs.existsSync(packages)) fs.renameSync(packages, path.join(folder, "previous"));
        fs.renameSync(path.join(folder, "node_modules"), packages);
        fs.rmSync(folder, { recursive: true, force: true });
      },
      () => `Installed ${Object.keys(presentPackages()).length} packages`,
    );
    removeSpareNode();
    fs.writeFileSync(installStamp(), lockFilesHash());
  });
}

/** Leaves only the packages with which a built site runs (deploy/reprise starts it). `npm start` installs the others again. */
export async function prunePackages() {
  await withSetupLock(async () => {
    const npm = npmCommand();
    const args = [...npm.args, "prune", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { code, output } = await run(npm.command, args, { quiet: true, shell: npm.shell });
    if (code !== 0)
      throw new UserError(`${output.trim()}\n\nRemoving packages failed. npm gives the reason above.`);
    // npm keeps it for tRPC, which uses its types only.
    for (const name of ["typescript", "@typescript"]) removePackage(name);
    removeSpareNode();
  });
}

/** Removes the Node among the packages, 190 MB, if the system's is as new. npm may be running us with the former. */
function removeSpareNode() {
  if (!atLeast(process.versions.node, oldestRuntime)) return;
  if (fs.realpathSync(process.execPath).startsWith(root)) return;
  for (const name of [`node-linux-${process.arch}`, ".bin/node"]) removePackage(name);
}

const removePackage = (name) => fs.rmSync(inRoot("node_modules", name), { recursive: true, force: true });

const installStamp = () => inRoot("node_modules/.reprise-installed");

/** Whether an installation completed: npm empties node_modules first and writes its own lock file there last. */
function isInstalled() {
  if (!fs.existsSync(inRoot("node_modules/.package-lock.json"))) return false;
  const hash = lockFilesHash();
  if (readIfThere(installStamp()) === hash) return true;
  // npm may have been run by hand since.
  const wantedPackages = JSON.parse(fs.readFileSync(inRoot("package-lock.json"), "utf8")).packages;
  const presentByPlace = presentPackages();
  const isComplete = Object.entries(wantedPackages).every(([place, { version, optional }]) => {
    if (place === "" || (optional && !presentByPlace[place])) return true;
    return presentByPlace[place]?.version === version && fs.existsSync(inRoot(place));
  });
  if (isComplete) {
    try {
      fs.writeFileSync(installStamp(), hash);
    } catch {
      // It only saves the comparison at the next start, and this account may not write here.
    }
  }
  return isComplete;
}

const presentPackages = () =>
  JSON.parse(fs.readFileSync(inRoot("node_modules/.package-lock.json"), "utf8")).packages;

const lockFilesHash = () => hashOf([inRoot("package-lock.json"), inRoot("node_modules/.package-lock.json")]);

function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  if (script && path.basename(script) === "npm-cli.js")
    return { command: node, args: [script], shell: false };
  return { command: "npm", args: [], shell: process.platform === "win32" };
}

// The runtime

/** Returns the Node that runs everything from here on: the installed package's on Linux, the system's elsewhere. */
export async function findRuntime() {
  // Not node_modules/.bin/node: npm 9, as in Debian, makes no link of that name.
  const packagedNode = inRoot(`node_modules/node-linux-${process.arch}/bin/node`);
  if (fs.existsSync(packagedNode)) {
    if (fs.realpathSync(packagedNode) === fs.realpathSync(process.execPath)) return process.execPath;
    // It needs glibc, so it doesn't start on Alpine, for example.
    const { code, output } = await run(packagedNode, ["-v"], { quiet: true }).catch(() => ({
      code: 1,
      output: "",
    }));
    if (code === 0 && atLeast(output.trim().slice(1), oldestRuntime)) return packagedNode;
  }
  if (atLeast(process.versions.node, oldestRuntime)) return process.execPath;
  throw new UserError(
    `Reprise runs on Node 24 or newer, and this is ${process.versions.node}: install it (https://nodejs.org) and start again.`,
  );
}

/** Returns the environment for programs run on `node`, so that they start the same Node. */
export function environment(node) {
  return { PATH: [path.dirname(node), inRoot("node_modules/.bin"), process.env.PATH].join(path.delimiter) };
}

// The build

const sources = ["src", "scripts/demo", "migrations", "public"];
const settings = [
  "vite.config.ts",
  "scripts/precompress.ts",
  "scripts/icons.ts",
  "tsconfig.json",
  "package-lock.json",
];

const current = inRoot("dist/current");

/**
 * Builds the site into a folder of its own, unless there is one of the same files, and makes it `dist/current`, which the next
 * start serves: servers that are running have the files of their own build until they end. Returns the folder, relative to the
 * root, and whether it is new.
 */
export async function buildSite(node) {
  const folderNow = () => path.join("dist", sourcesHash().slice(0, 16));
  const isCurrent = (folder) =>
    fs.existsSync(current) && path.basename(fs.realpathSync(current)) === path.basename(folder);
  const wanted = folderNow();
  if (isCurrent(wanted)) return { folder: wanted, isNew: false };
  return withSetupLock(async () => {
    const folder = folderNow();
    const isNew = !fs.existsSync(inRoot(folder));
    if (isNew) await build(node, inRoot(folder));
    if (!isCurrent(folder)) makeCurrent(folder);
    deleteOldBuilds(folder);
    return { folder, isNew };
  });
}

async function build(node, folder) {
  for (const name of fs.readdirSync(inRoot(".cache")))
    // Left by a build that was killed.
    if (name.startsWith("build-")) fs.rmSync(inRoot(".cache", name), { recursive: true, force: true });
  const unfinished = inRoot(`.cache/build-${process.pid}`);
  try {
    await step(
      "Building the site…",
      async () => {
        const builds = [vite(node, unfinished, "client"), vite(node, unfinished, "server", "--ssr")];
        // Waits for both: if one failed alone, the other would keep writing into a folder that is being deleted.
        const failed = (await Promise.allSettled(builds)).find(({ status }) => status === "rejected");
        if (failed) throw failed.reason;
      },
      () => "Built the site",
    );
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.renameSync(unfinished, folder);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

function makeCurrent(folder) {
  // The day for which it is kept begins now.
  if (fs.existsSync(current)) fs.utimesSync(fs.realpathSync(current), new Date(), new Date());
  const link = `${current}-${process.pid}`;
  fs.symlinkSync(path.basename(folder), link, "junction");
  // Windows doesn't rename over a folder.
  if (process.platform === "win32") fs.rmSync(current, { recursive: true, force: true });
  fs.renameSync(link, current);
}

const day = 24 * 60 * 60_000;

/** Deletes builds that have not been current for a day and that no server uses. */
function deleteOldBuilds(folder) {
  // Only Linux tells who uses them. Elsewhere they stay until hardly any server can.
  const commandLines = fs.existsSync("/proc/self/cmdline") ? readCommandLines() : undefined;
  const oldest = Date.now() - (commandLines ? 1 : 30) * day;
  for (const name of fs.readdirSync(inRoot("dist"))) {
    if (!/^[\da-f]{16}$/.test(name) || name === path.basename(folder)) continue;
    if (fs.statSync(inRoot("dist", name)).mtimeMs > oldest || commandLines?.includes(`${name}/server/`))
      continue;
    fs.rmSync(inRoot("dist", name), { recursive: true, force: true });
  }
}

const readCommandLines = () =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((process) => {
      try {
        return fs.readFileSync(`/proc/${process}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");

async function vite(node, folder, part, ...options) {
  const args = [
    inRoot("node_modules/vite/bin/vite.js"),
    "build",
    ...options,
    "--outDir",
    path.join(folder, part),
  ];
  const env = { ...environment(node), NODE_ENV: "production" };
  const { code, output } = await run(node, args, { quiet: true, env });
  if (code !== 0) throw new UserError(`${output.trim()}\n\nThe ${part} build failed. The reason is above.`);
}

function sourcesHash() {
  const files = sources
    .filter((folder) => fs.existsSync(inRoot(folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)),
    );
  return hashOf([...files, ...settings.map((file) => inRoot(file)).filter((file) => fs.existsSync(file))]);
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

// One at a time

const heartbeatMs = 1000;
const abandonedAfterMs = 15_000;
const ownerId = `${hostname()} ${process.pid}`;

/** Runs `work` while no other process does the same in this folder. */
async function withSetupLock(work) {
  const lock = inRoot(".cache/setup.lock");
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  for (let waited = 0; !takeLock(lock); waited++) {
    if (waited === 5) log("Waiting for another start to finish its set-up…");
    if (isAbandoned(lock)) removeAbandonedLock(lock);
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const isOurs = () => readIfThere(lock) === ownerId;
  const release = () => isOurs() && fs.rmSync(lock, { force: true });
  const heartbeatTimer = setInterval(
    () => isOurs() && fs.utimesSync(lock, new Date(), new Date()),
    heartbeatMs,
  );
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeatTimer);
    process.off("exit", release);
    release();
  }
}

function takeLock(file) {
  try {
    fs.writeFileSync(file, ownerId, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

// Two waiting processes may see an abandoned lock at once; the slower one must not remove the lock that the faster one has
// taken.
function removeAbandonedLock(lock) {
  const clearingLock = `${lock}-clearing`;
  if (!takeLock(clearingLock)) return;
  if (isAbandoned(lock)) fs.rmSync(lock, { force: true });
  fs.rmSync(clearingLock, { force: true });
}

function isAbandoned(lock) {
  const file = fs.statSync(lock, { throwIfNoEntry: false });
  if (!file) return false;
  if (Date.now() - file.mtimeMs > abandonedAfterMs) return true;
  // A process id is only valid on one machine: containers share folders, but not ids.
  const [machine, id] = (readIfThere(lock) ?? "").split(" ");
  return machine === hostname() && id !== undefined && !isRunning(Number(id));
}

function isRunning(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
