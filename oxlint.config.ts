import { readdirSync } from "node:fs";
import { defineConfig, type OxlintOverride } from "oxlint";

// Which file may import which: docs/decisions/0002-code-structure-and-lint.md. Of the overrides that match a file only the last
// counts, so each states all rules of its files, and narrower ones come later. A `!` cancels what any pattern of the same
// override has matched.

const authPackages = { group: ["lucia", "arctic"], message: "Only auth uses Lucia and Arctic." };
const driver = {
  group: ["better-sqlite3", "drizzle-orm/better-sqlite3"],
  message: "Only database uses the SQLite driver.",
};
const sql = {
  group: ["drizzle-orm", "drizzle-orm/**"],
  message: "SQL belongs in queries.ts, *-queries.ts and database.",
};
const packages = [authPackages, driver, sql];

/** Restricts the imports of files. Types may come from anywhere on the same side: they do not exist at run time. */
function restrict(files: string[], ...patterns: object[]): OxlintOverride {
  return { files, rules: { "no-restricted-imports": ["error", { patterns }] } };
}
const only = (allowed: string[], message: string) => ({
  group: ["./**", "../**", "!**/shared/**", ...allowed.map((path) => `!${path}`)],
  allowTypeImports: true,
  message,
});

/** The floors of the server from below: base, facts, acts, doors, root. The last one is the files directly in src/server. */
const base = "{auth,database,files,http,jobs,live,mail,media,push,runtime,text,workers}";
const facts = "{queries,*-queries,access,policy,present,events,*-events,live}.ts";
const doors = "{router,routes,*-routes}.ts";
const noClient = { group: ["**/client/**"], message: "Only pages renders, through client/entry-server." };
const noDoors = {
  group: [`**/${doors}`, "**/{rest,commands,pages}/**", "!**/shared/**"],
  message: "Acts and facts import no procedures, routes, pages or commands.",
};
const noRoot = (folders: number) => ({
  regex: `^(\\.\\./){${folders}}[a-z-]+\\.ts$`,
  allowTypeImports: true,
  message: "Only commands import what composes the server.",
});

const noCommands = { group: ["**/commands/**"], message: "Only commands import what composes the server." };
const noThreads = {
  group: ["**/workers/{tasks,worker,reader}.ts"],
  allowTypeImports: true,
  message: "Only a worker thread's entry imports its tasks.",
};
const queries = "{queries,*-queries}.ts";
const onlyFacts = only(
  [`./${facts}`, `../*/${facts}`, `../${base}/**`],
  "Facts import facts and the base, and no acts.",
);
const onlyBase = only(
  ["./**", `../${base}/**`, `../../${base}/**`],
  "The base imports no code about blogs, people or other subjects.",
);

const server = [
  restrict(["src/server/**"], noClient, ...packages),
  restrict(["src/server/*/*.ts"], noClient, ...packages, noRoot(1), noDoors, noThreads),
  restrict(["src/server/*/*/**"], noClient, ...packages, noRoot(2), noDoors, noThreads),
  restrict([`src/server/*/${facts}`], ...packages, onlyFacts, noThreads),
  restrict([`src/server/*/${queries}`], authPackages, driver, onlyFacts, noThreads),
  restrict(
    ["src/server/*/policy.ts"],
    only([], "Policies get their facts as arguments."),
    { regex: "/shared/", allowTypeImports: true, message: "Policies import only types from shared." },
    ...packages,
  ),
  restrict(
    [`src/server/*/${doors}`, "src/server/rest/**"],
    noClient,
    ...packages,
    noRoot(1),
    noCommands,
    noThreads,
  ),
  restrict([`src/server/rest/${queries}`], noClient, authPackages, driver, noRoot(1), noCommands, noThreads),
  restrict(
    ["src/server/pages/**"],
    { group: ["**/client/**", "!**/client/{entry-server.tsx,ui/theme.ts}"], message: noClient.message },
    ...packages,
    noRoot(1),
    noCommands,
    noThreads,
  ),
  restrict(["src/server/commands/**"], noClient, ...packages, noThreads),
  restrict([`src/server/${base}/*.ts`], onlyBase, ...packages, noThreads),
  restrict(["src/server/auth/**"], onlyBase, driver, sql, noThreads),
  restrict(["src/server/auth/{queries,adapter}.ts"], onlyBase, driver, noThreads),
  restrict(
    ["src/server/{live/event-log,media/queries,jobs/queries,push/queries}.ts"],
    onlyBase,
    authPackages,
    driver,
    noThreads,
  ),
  restrict(["src/server/database/**"], onlyBase, authPackages, noThreads),
  restrict(
    ["src/server/database/{move,postgres,search,sqlite}/**"],
    only(
      ["./**", "../*.ts", "../{schema,postgres,search,sqlite}/**", `../../${base}/**`],
      "The base imports no code about subjects.",
    ),
    authPackages,
    noThreads,
  ),
  // They import from all floors, as what composes the server does.
  restrict(["src/server/workers/{tasks,worker,reader}.ts"], noClient, ...packages),
];

/** The floors of the client from below: its base, the rooms, the pages, and what composes them. */
const clientBase = ["ui", "api", "storage", "live", "uploads", "session"];
const rooms = readdirSync("src/client").filter((name) => !name.includes(".") && !clientBase.includes(name));
const inClient = [
  // All but router.ts; a `!` here would cancel the next pattern.
  { regex: "/server/(.*/|[^r]|r[^o])", message: "Of the server the client imports only the router's type." },
  { regex: "/server/", allowTypeImports: true, message: "No server code runs in a browser." },
  { group: ["fastify", "@fastify/**", "@trpc/server"], message: "A package of the server." },
  ...packages,
];
const client = [
  restrict(["src/client/**"], ...inClient),
  restrict(["src/client/*/**"], ...inClient, {
    regex: "^[./]+/(pages|app)/",
    message: "Only pages and app import them.",
  }),
  restrict(["src/client/pages/**"], ...inClient, {
    regex: "^[./]+/app/",
    message: "App composes the pages.",
  }),
  restrict(["src/client/app/**"], ...inClient),
  restrict([`src/client/{${clientBase.join(",")}}/**`], ...inClient, {
    regex: `^(\\.\\./)+(${rooms.join("|")})/`,
    message: "What all rooms use knows none of them.",
  }),
  restrict(["src/client/worker/**"], {
    group: ["**", "!./**", "!../../shared/{service-worker,push}.ts"],
    message: "The service worker is one file that runs without a page.",
  }),
];

const shared = restrict(["src/shared/**"], {
  group: [
    "**",
    "!./**",
    "!../**",
    "!zod",
    "!prosemirror-{model,transform}",
    "!markdown-it{,-footnote}",
    "!linkify-it",
    "!temml",
    "!culori/*",
    "!franc",
    "**/server/**",
    "**/client/**",
  ],
  message: "Shared imports nothing from client or server, and only packages that both sides can run.",
});

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "react", "jsx-a11y", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  env: { es2024: true, node: true, browser: true },
  rules: {
    "typescript/no-floating-promises": [
      "error",
      // A query that is not awaited does not run. A Fastify reply can be awaited, and need not be.
      {
        checkThenables: true,
        allowForKnownSafePromises: [{ from: "package", package: "fastify", name: "FastifyReply" }],
      },
    ],
    "typescript/no-misused-promises": "error",
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    "import/no-cycle": "error",
    "react/rules-of-hooks": "error",
    "react/exhaustive-deps": "error",

    // Off because the project does this on purpose: it awaits every database call, imports CSS, sorts new arrays in place, and marks
    // search hits with control characters.
    "typescript/await-thenable": "off",
    "unicorn/no-unnecessary-await": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "eslint/no-control-regex": "off",

    // Off because they do not know the JSX runtime, live regions, hooks that return functions, conditions changed by events or
    // fast-check's assertions, are for the React Compiler, or are a matter of taste.
    "react/react-in-jsx-scope": "off",
    "react/exhaustive-effect-dependencies": "off",
    "react/immutability": "off",
    "react/set-state-in-effect": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    "typescript/unbound-method": "off",
    "typescript/consistent-return": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "eslint/no-underscore-dangle": "off",
    "eslint/no-unmodified-loop-condition": "off",
    "import/no-named-as-default": "off",
    "import/no-named-as-default-member": "off",
    "promise/always-return": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/prefer-add-event-listener": "off",
    "vitest/expect-expect": "off",
    "vitest/no-conditional-expect": "off",
    "vitest/no-standalone-expect": "off",
    // The second argument is a message.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
  },
  overrides: [
    { files: ["src/**"], rules: { "no-console": "error" } },
    { files: ["src/server/commands/**", "src/server/reprise.ts"], rules: { "no-console": "off" } },
    ...server,
    ...client,
    shared,
  ],
});
