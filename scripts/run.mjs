// What package.json's commands run: `node scripts/run.mjs start|demo|dev|build|test|test:more|soak|bench|reprise …`.
// On a machine with Node and nothing else, each does all of its set-up itself.
// Plain JavaScript: it runs on the system's Node, before anything is installed.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(
    `Reprise needs Node 20 or newer to start, and this is ${process.versions.node}: https://nodejs.org has it.`,
  );
  process.exit(1);
}

// Imported late, so that an old Node reads the line above and not a syntax error.
const { readFileSync } = await import("node:fs");
const { default: path } = await import("node:path");
const { Trouble, end, run } = await import("./children.mjs");
const { buildSite, environment, findRuntime, installPackages, root } = await import("./setup.mjs");

const production = { NODE_ENV: "production" };
// Of what has just been made, eight megabytes are kept before it is looked through: at Node's sixteen a busy server holds
// 140 MB more, that nothing needs.
const { nodeOptions } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const built = (file) => [...nodeOptions, `dist/server/${file}.js`];
// The server's own sources are watched; the pages' are Vite's, which runs inside the server.
const watched = ["src/server", "src/shared"].map((folder) => `--watch-path=${folder}`);

const commands = {
  start: { build: true, node: built("main"), env: production },
  demo: { build: true, node: built("demo"), env: production },
  reprise: { build: true, node: built("reprise"), env: production },
  soak: { build: true, node: ["scripts/soak.mjs"] },
  bench: { build: true, node: ["tests/bench/main.ts"], env: production },
  dev: {
    node: [...watched, "--watch-preserve-output", "src/server/main.ts", "--dev"],
    env: { NODE_ENV: "development" },
  },
  // Builds by itself: a build that fails is one failure among others there.
  test: { node: ["scripts/test.mjs"] },
  "test:more": { node: ["scripts/test.mjs", "--more"] },
  build: { build: true },
};

try {
  process.exitCode = await main(...process.argv.slice(2));
} catch (error) {
  end(error);
}

async function main(name, ...args) {
  const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined;
  if (!command)
    throw new Trouble(`Usage: node scripts/run.mjs ${Object.keys(commands).join("|")} [arguments]`);
  // Paths in the arguments and settings are meant from the root, as npm's scripts do.
  process.chdir(root);
  await installPackages();
  const node = await findRuntime();
  if (command.build) {
    const isNew = await buildSite(node);
    if (name === "build") console.log(isNew ? "Built to dist/." : "dist/ is up to date.");
  }
  if (!command.node) return 0;
  const { code, signal } = await run(node, [...command.node, ...args], {
    env: { ...environment(node), ...command.env },
  });
  if (signal) console.error(`${name} was ended by ${signal}.`);
  return code;
}
