import path from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { moveIn, openBrowser } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { send } from "./drawing.ts";
const dataDir = await mkdtemp("/tmp/zz-");
const script = path.resolve("dist/server/main.js");
const opts: Record<string,string> = process.env.PROF ? { NODE_OPTIONS: "--cpu-prof --cpu-prof-dir=" + process.env.PROF + " --cpu-prof-interval 200" } : {};
const server = await startServer({ DATA_DIR: dataDir, ...opts }, { script });
const ana = await moveIn(openBrowser(server.url), "Ana", path.join(dataDir, "outbox"));
const blog = await ana.api.blogs.create.mutate(aBlog());
const ben = await moveIn(openBrowser(server.url), "Ben", path.join(dataDir, "outbox"));
const json = { "content-type": "application/json" };
const { bytes } = await send(server.url, { path: "/api/v1/signin", method: "POST", headers: json, body: JSON.stringify({ email: ben.email, password: "correct horse battery" }) });
let token = ""; try { token = JSON.parse(String(bytes)).user.token } catch { console.log(String(bytes)) }
const rest = () => ({ path: `/api/v1/blogs/comment/${blog.id}`, method: "POST", headers: { ...json, authorization: `Bearer ${token}` }, body: JSON.stringify({ comment: "Lovely." }) });
const trpc = () => ({ path: "/trpc/comments.create?batch=1", method: "POST", headers: { ...json, cookie: ben.cookie, origin: server.url }, body: JSON.stringify({ 0: aComment(blog) }) });
const ticks = () => { let out: Record<string, number> = {}; const s = readFileSync(`/proc/${server.pid}/stat`, "utf8"); const f = s.slice(s.lastIndexOf(")") + 2).split(" "); return [Number(f[11]), Number(f[12])]; };
const many = async (ask: () => any, n: number) => { let left = n; await Promise.all(Array.from({ length: 8 }, async () => { while (left-- > 0) { const a = await send(server.url, ask()); if (a.status !== 200) throw new Error(String(a.status) + a.bytes); } })); };
for (const [name, ask] of [["rest", rest], ["trpc", trpc]] as const) {
  if (process.env.ONLY && process.env.ONLY !== name) continue;
  await many(ask, 1500);
  for (let r = 0; r < 4; r++) { const [u, s] = ticks(); await many(ask, 1500); const [u2, s2] = ticks(); console.log(name, "user", ((u2! - u!) * 10 / 1500).toFixed(3), "sys", ((s2! - s!) * 10 / 1500).toFixed(3)); }
}
process.kill(server.pid, "SIGTERM");
await new Promise((r) => setTimeout(r, 4000));
await rm(dataDir, { recursive: true, force: true }); process.exit(0);
