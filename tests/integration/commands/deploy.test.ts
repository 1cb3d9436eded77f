import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { signUpAndSignIn, openBrowser } from "../../support/browser.ts";
import { createFolder } from "../../support/import-folder.ts";
import { paint, send } from "../../support/pictures.ts";
import { freePort, startServer } from "../../support/server.ts";
import { aBlog, aComment, until, followBlog } from "../../support/test-site.ts";

/** A reverse proxy, started by its file in deploy/. */
interface Proxy {
  command: string;
  prepare: (folder: string, ports: { proxyPort: number; site: number }) => Promise<string[]>;
  environment: (ports: { proxyPort: number; site: number }) => Record<string, string>;
}

const caddyCommand = process.env.CADDY_PATH ?? "caddy";
const prepareCaddy =
  (file: string): Proxy["prepare"] =>
  async (folder) => {
    await writeFile(path.join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${await readFile(file, "utf8")}`);
    return ["run", "--adapter", "caddyfile", "--config", path.join(folder, "Caddyfile")];
  };

const proxies: Record<string, Proxy> = {
  nginx: {
    command: process.env.NGINX_PATH ?? "nginx",
    prepare: async (folder, { proxyPort, site }) => {
      const text = await readFile("deploy/nginx.conf", "utf8");
      // Only names, ports and certificates differ.
      const serverConfig = text
        .replace(/server \{\s+listen 80;[^}]*\}\n/, "")
        .replace(/listen 443 ssl http2;/, `listen 127.0.0.1:${proxyPort};`)
        .replace(/^\s+(listen \[|ssl_).*\n/gm, "")
        .replace("server 127.0.0.1:3000;", `server 127.0.0.1:${site};`);
      expect(serverConfig).not.toMatch(/443|:3000/);
      for (const part of ["body", "proxy", "fastcgi", "uwsgi", "scgi"]) await mkdir(path.join(folder, part));
      const userLine = process.getuid?.() === 0 ? "user root;" : "";
      const config = `${userLine} daemon off; pid ${folder}/pid; error_log stderr; events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ${serverConfig} }`;
      await writeFile(path.join(folder, "nginx.conf"), config);
      return ["-p", folder, "-e", "stderr", "-c", path.join(folder, "nginx.conf")];
    },
    environment: () => ({}),
  },
  caddy: {
    command: caddyCommand,
    prepare: prepareCaddy("deploy/Caddyfile"),
    environment: ({ proxyPort, site }) => ({
      PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
      SITE: `127.0.0.1:${site}`,
    }),
  },
  "caddy before several servers, of which one is gone": {
    command: caddyCommand,
    prepare: prepareCaddy("deploy/cluster/Caddyfile"),
    environment: ({ proxyPort, site }) => ({
      PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
      SITES: `127.0.0.1:1 127.0.0.1:${site}`,
    }),
  },
};

const isInstalled = (command: string) => spawnSync(command, ["version"]).error === undefined;

/** Starts a site behind a proxy. */
async function startBehindProxy(proxy: Proxy) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-deploy-"));
  const ports = { proxyPort: await freePort(), site: await freePort() };
  const url = `http://127.0.0.1:${ports.proxyPort}`;
  let log = "";
  const settings = {
    METRICS_TOKEN: metricsToken,
    DATA_DIR: path.join(folder, "data"),
    TRUST_PROXY: "on",
    PUBLIC_URL: url,
    LOG_LEVEL: "info",
    LOG_SAMPLE: "1",
    LOG_ADDRESSES: "on",
  };
  const site = await startServer(
    { ...settings, PORT: String(ports.site) },
    { onLog: (text) => (log += text) },
  );
  const child = spawn(proxy.command, await proxy.prepare(folder, ports), {
    env: { PATH: process.env.PATH, HOME: folder, ...proxy.environment(ports) },
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  await until(
    async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200,
    "an answer through the proxy",
  );
  return {
    url,
    site,
    outbox: path.join(folder, "data/outbox"),
    log: () => log,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await exit;
      await site.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const metricsToken = "a long token of ours";

for (const [name, proxy] of Object.entries(proxies))
  test.skipIf(!isInstalled(proxy.command))(
    `behind ${name}, as deploy/ sets it up, pages are live, addresses are true, and the numbers are nobody's`,
    async () => {
      await using deployed = await startBehindProxy(proxy);
      const browsers = [openBrowser(deployed.url), openBrowser(deployed.url)] as const;
      try {
        const [ana, eve] = [
          await signUpAndSignIn(browsers[0], "Ana", deployed.outbox),
          await signUpAndSignIn(browsers[1], "Eve", deployed.outbox),
        ];
        const blog = await ana.api.blogs.create.mutate(aBlog());
        const page = followBlog(eve, blog.id);
        await page.waitForStart();
        await ana.api.comments.create.mutate(aComment(blog));
        await page.waitFor("comment.created");
        expect(eve.sockets.filter((socket) => socket.readyState === socket.OPEN)).toHaveLength(1);

        // Event streams are not buffered.
        const abort = new AbortController();
        const input = encodeURIComponent(JSON.stringify({ topics: [`blog:${blog.id}`] }));
        const events = await fetch(`${deployed.url}/trpc/live.follow?input=${input}`, {
          headers: { accept: "text/event-stream" },
          signal: abort.signal,
        });
        let received = "";
        const reading = (async () => {
          for await (const part of events.body ?? []) received += Buffer.from(part).toString();
        })().catch(() => undefined);
        await until(() => received.includes('"checkpoint"'), "the beginning of the stream");
        await ana.api.comments.create.mutate(aComment(blog));
        await until(() => received.includes("comment.created"), "a comment over the stream");
        abort.abort();
        await reading;

        // As large as an image may be.
        const largePicture = Buffer.concat([await paint(), Buffer.alloc(7 * 1024 * 1024)]);
        expect((await send(ana, largePicture)).status).toBe(200);

        await fetch(`${deployed.url}/api/v1/blogs?from=a-liar`, {
          headers: { "x-forwarded-for": "203.0.113.9" },
        });
        await until(() => deployed.log().includes("/api/v1/blogs"), "the log");
        const logLine = deployed
          .log()
          .split("\n")
          .find((line) => line.includes("/api/v1/blogs"));
        expect((JSON.parse(logLine ?? "{}") as { address: string }).address).toBe("127.0.0.1");

        const headers = { authorization: `Bearer ${metricsToken}` };
        expect((await fetch(`${deployed.url}/metrics`, { headers })).status).toBe(404);
        expect((await fetch(`${deployed.site.url}/metrics`, { headers })).status).toBe(200);
      } finally {
        for (const browser of browsers) await browser.close();
      }
    },
  );

test.skipIf(!process.env.TEST_THE_BUILD)(
  "deploy/reprise runs commands and the server from the current build, wherever it is called from",
  async () => {
    await using folder = await createFolder({});
    const link = path.join(folder.folder, "reprise");
    await symlink(path.resolve("deploy/reprise"), link);
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: path.join(folder.folder, "data"),
      PORT: String(await freePort()),
    };
    const run = (...args: string[]) => spawnSync(link, args, { cwd: folder.folder, env, encoding: "utf8" });
    expect(run("jobs")).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no database") });
    expect(run("user", "add", "ana", "--email", "ana@example.org", "--name", "Ana Owl")).toMatchObject({
      status: 0,
    });
    const server = spawn(link, ["serve"], { cwd: folder.folder, env, stdio: "ignore" });
    const exit = once(server, "exit");
    const answers = async () =>
      (await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => undefined))?.status === 200;
    await until(answers, "the server’s start");
    expect(run("user", "show", "ana").stdout).toContain("Ana Owl");
    server.kill("SIGTERM");
    expect((await exit)[0]).toBe(0);
  },
);
