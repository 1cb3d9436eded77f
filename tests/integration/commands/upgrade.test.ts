import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { freePort } from "../../support/server.ts";
import { until } from "../../support/until.ts";

/* Upgrades of a site whose server runs: real commands and servers in a copy of the project. */

const root = path.resolve(import.meta.dirname, "../../..");

/** Creates a project whose build is this one's with a chunk for each release. */
async function createProject() {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-upgrade-"));
  const files = ["scripts", "migrations", "drizzle.config.ts", "package.json", "package-lock.json"];
  for (const file of files) await cp(path.join(root, file), path.join(folder, file), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const build = await realpath(path.join(root, "dist/current"));
  await writeFile(
    path.join(folder, "vite.config.ts"),
    `import { cp, copyFile } from "node:fs/promises";
    const copy = (part) => ({
      name: "copy",
      writeBundle: async ({ dir }) => {
        await cp(${JSON.stringify(build)} + "/" + part, dir, { recursive: true });
        if (part === "client") await copyFile("src/chunk.js", dir + "/assets/" + process.env.RELEASE + ".js");
      },
    });
    export default ({ isSsrBuild }) => ({
      plugins: [copy(isSsrBuild ? "server" : "client")],
      build: { rollupOptions: { input: "src/chunk.js" } },
    });`,
  );
  await mkdir(path.join(folder, "src"));
  let release = "";
  const dataDir = path.join(folder, "data");
  const port = await freePort();
  const start = (command: string, ...args: string[]) =>
    spawn(process.execPath, ["scripts/run.mjs", command, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        RELEASE: release,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: "warn",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
  const url = `http://127.0.0.1:${port}`;
  let server: ReturnType<typeof start> | undefined;
  return {
    folder,
    dataDir,
    change: async (name: string) => {
      release = name;
      await writeFile(path.join(folder, "src/chunk.js"), `console.log(${JSON.stringify(name)});`);
    },
    run: async (command: string, ...args: string[]) => {
      const child = start(command, ...args);
      const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
      expect([child.exitCode, output]).toEqual([0, output]);
    },
    serve: async () => {
      const child = (server = start("start"));
      child.stdout.resume();
      const exited = once(child, "exit");
      await until(
        async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200,
        "the server’s start",
      );
      return async () => {
        child.kill("SIGTERM");
        await exited;
      };
    },
    current: () => readlink(path.join(folder, "dist/current")),
    builds: async () => (await readdir(path.join(folder, "dist"))).filter((name) => name !== "current"),
    /** Ages a folder by two days. */
    age: async (name: string) => {
      const time = Date.now() / 1000 - 2 * 86_400;
      await utimes(path.join(folder, name), time, time);
    },
    statusOf: async (address: string) => (await fetch(url + address)).status,
    assetsOf: async (address: string) =>
      [...(await (await fetch(url + address)).text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(
        ([, asset]) => asset ?? "",
      ),
    [Symbol.asyncDispose]: () => {
      // After a failure; the server itself is its child, which it ends.
      server?.kill("SIGTERM");
      return rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

test.skipIf(!process.env.TEST_THE_BUILD)(
  "serves its own build until it ends, and the previous release’s assets for a day after an upgrade",
  async () => {
    await using project = await createProject();
    await project.change("first");
    const stop = await project.serve();
    const first = await project.current();
    const assets = [...(await project.assetsOf("/signin")), "/assets/first.js"];
    expect(assets.length).toBeGreaterThan(3);
    const kept = path.join(project.dataDir, "assets");
    await until(async () => (await readdir(kept)).includes(first), "the copy of the assets");

    // A build, and a command that builds, beside the running server.
    await project.change("second");
    await project.run("build");
    expect(await project.current()).not.toBe(first);
    await project.change("third");
    await project.run("reprise", "jobs");
    const third = await project.current();
    for (const asset of assets) expect([asset, await project.statusOf(asset)]).toEqual([asset, 200]);
    expect(await project.statusOf("/assets/third.js")).toBe(404);

    await stop();
    // As a container, which comes without the builds of earlier releases.
    await rm(path.join(project.folder, "dist", first), { recursive: true });
    const stopThird = await project.serve();
    for (const asset of [...assets, "/assets/third.js"])
      expect([asset, await project.statusOf(asset)]).toEqual([asset, 200]);
    await until(async () => (await readdir(kept)).includes(third), "the copy of the assets");

    // What nobody uses for a day goes; what a server runs from stays, however old.
    for (const name of await project.builds()) await project.age(`dist/${name}`);
    await project.change("fourth");
    await project.run("build");
    expect((await project.builds()).toSorted()).toEqual([third, await project.current()].toSorted());
    await stopThird();
    await project.age(`data/assets/${first}`);
    const stopFourth = await project.serve();
    await until(async () => !(await readdir(kept)).includes(first), "the end of the first release’s assets");
    expect(await project.statusOf("/assets/first.js")).toBe(404);
    expect(await project.statusOf("/assets/third.js")).toBe(200);
    await stopFourth();
  },
);
