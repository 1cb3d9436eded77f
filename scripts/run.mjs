// Runs package.json's commands: `node scripts/run.mjs start|demo|cluster|dev|build|prune|test|test:more|soak|bench|reprise …`.
// Each does its whole set-up itself, on a machine with nothing but Node.
// Plain JavaScript: it runs on the system's Node, before anything is installed.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(
    `Reprise needs Node 20 or newer to start, and this is ${process.versions.node}: https://nodejs.org has it.`,
  );
  process.exit(1);
}

// Imported late, so that an old Node prints the line above and not a syntax error.
const { readFileSync } = await import("node:fs");
const { default: path } = await import("node:path");
const { UserError, end, run } = await import("./children.mjs");
const { buildSite, environment, findRuntime, installPackages, prunePackages, root } =
  await import("./setup.mjs");

// By default Node's heap grows to four times the live objects before a full garbage collection: 200 MB more on a busy server.
const {
  nodeOptions,
  nodeEnvironment: { GLIBC_TUNABLES },
} = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
// The C library would give each thread memory of its own, 40 MB in all under load, and keep that of large bodies, another 80.
const production = { NODE_ENV: "production", GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? GLIBC_TUNABLES };
// Node watches the server's own sources; Vite, inside the server, watches the client's.
const watchOptions = ["src/server", "src/shared"].map((folder) => `--watch-path=${folder}`);

const commands = {
  start: { build: true, built: "main", env: production },
  demo: { build: true, built: "demo", env: production },
  cluster: { build: true, node: ["scripts/cluster/main.ts"], env: production },
  reprise: { build: true, built: "reprise", env: production },
  soak: { build: true, node: ["scripts/soak.mjs"] },
  // In a group of its own, so that its servers end with it, however it ends.
  bench: { build: true, node: ["tests/bench/main.ts"], env: production, ownGroup: true },
  dev: {
    node: [...watchOptions, "--watch-preserve-output", "src/server/main.ts", "--dev"],
    env: { NODE_ENV: "development" },
  },
  // Builds by itself, so that a failed build is reported as one failure among others.
  test: { node: ["scripts/test.mjs"] },
  "test:more": { node: ["scripts/test.mjs", "--more"] },
  build: { build: true },
  prune: {},
};

try {
  process.exitCode = await main(...process.argv.slice(2));
} catch (error) {
  end(error);
}

async function setUp(command) {
  try {
    await installPackages();
    const node = await findRuntime();
    return { node, build: command.build ? await buildSite(node) : undefined };
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(error.code))
      throw new UserError(
        `This account can't write ${error.path} (${error.code}), and packages or the build are missing or out of date. Run "npm run build" as the owner of ${root}, then start again.`,
      );
    if (error.code === "ENOSPC")
      throw new UserError(`The disk of ${root} is full. Free 2 GB and start again.`);
    throw error;
  }
}

async function main(name, ...args) {
  const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined;
  if (!command)
    throw new UserError(`Usage: node scripts/run.mjs ${Object.keys(commands).join("|")} [arguments]`);
  // Paths in arguments and settings are relative to the root, as in npm scripts.
  process.chdir(root);
  if (name === "prune") {
    await prunePackages();
    return 0;
  }
  const { node, build } = await setUp(command);
  if (name === "build") {
    const state = build.isNew ? "Built to" : "Already built:";
    console.log(`${state} ${build.folder}. A server that is running serves it after its next start.`);
    return 0;
  }
  // By its own name, not as dist/current: so a later build sees that it is used.
  const program = command.built && [...nodeOptions, path.join(build.folder, `server/${command.built}.js`)];
  const { code, signal } = await run(node, [...(program ?? command.node), ...args], {
    env: { ...environment(node), ...command.env },
    ownGroup: command.ownGroup,
  });
  if (signal) console.error(`${name} was ended by ${signal}.`);
  return code;
}
