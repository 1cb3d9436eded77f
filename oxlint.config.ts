import { defineConfig, type OxlintOverride } from "oxlint";

// Which file may import which (docs/decisions/0002-code-structure-and-lint.md). The last override that matches a file replaces
// the others, so each zone states all rules of its files, and narrower zones come later.

/** From left to right: an area imports only from those before it. */
const areas = [
  "site",
  "blocks",
  "profiles",
  "signup",
  "accounts",
  "blogs",
  "notifications",
  "comments",
  "social",
  "moderation",
  "administration",
];
/** What a person is: these areas import each other's files directly, from left to right. */
const people = ["site", "blocks", "profiles", "signup", "accounts"];

/** Moderators and administrators act with services of other areas. */
const staffServices: Record<string, string[]> = {
  moderation: [
    "../comments/{service,pending}.ts",
    "../social/{visibility-sync,delete-account,delete-blog}.ts",
    "../accounts/operator-actions.ts",
    "../signup/signup-approval.ts",
  ],
  administration: ["../moderation/log.ts", "../signup/signup-blocks.ts", "../jobs/queries.ts"],
};

const packages = {
  accounts: { group: ["lucia", "arctic"], message: "Only auth uses Lucia and Arctic." },
  store: {
    group: ["better-sqlite3", "drizzle-orm/better-sqlite3"],
    message: "Only database uses the SQLite driver.",
  },
  sql: {
    group: ["drizzle-orm", "drizzle-orm/**"],
    message: "SQL belongs in queries.ts, search.ts and database.",
  },
};
const allPackages = [packages.accounts, packages.store, packages.sql];

/**
 * Restricts the imports of our own files to `may`; a `!` excludes again. `message` is the reason. Types may come from anywhere on
 * the server: they do not exist at run time.
 */
function zone(files: string, may: string[], message: string, closed = allPackages): OxlintOverride {
  const allowed = may.map((path) => (path.startsWith("!") ? path.slice(1) : `!${path}`));
  const ours = { group: ["./**", "../**", "!**/shared/**", ...allowed], allowTypeImports: true, message };
  return restrict([files], [ours, ...closed]);
}

function restrict(files: string[], patterns: object[]): OxlintOverride {
  return { files, rules: { "no-restricted-imports": ["error", { patterns }] } };
}

function zonesOfArea(area: string, place: number): OxlintOverride[] {
  const file = (name: string) => `src/server/${area}/${name}.ts`;
  const left = (...names: string[]) =>
    areas.slice(0, place).flatMap((other) => names.map((name) => `../${other}/${name}.ts`));
  const kin = people.includes(area)
    ? people.slice(0, people.indexOf(area)).map((other) => `../${other}/**`)
    : [];
  // An area that changes what notifications show signals their recipients. These files know the notifications' table and no area.
  const holders = ["../notifications/{recipient-queries,events}.ts"];
  const announce =
    place > areas.indexOf("notifications")
      ? ["../notifications/{service,channels,unsubscribe,subscriptions}.ts"]
      : [];
  const rules = [
    "./**",
    ...kin,
    "!./{queries,*-queries,access,policy,present,router}.ts",
    "../runtime/{ids,latin}.ts",
  ];
  const tools = [
    "../acting-context.ts",
    "../runtime/{concurrency,derived-texts,ids,latin,local-time}.ts",
    "../http/input-messages.ts",
    "../{live,media,mail,auth,search}/**",
    "../push/delivery.ts",
    "../jobs/jobs.ts",
    "../database/{blog-title,errors,full-text,run-in-steps}.ts",
  ];
  const doors = left(
    "access",
    "new-account-limits",
    "quotas",
    "policy",
    "queries",
    "*-queries",
    "present",
    "live",
    "mail-links",
    "events",
    "staff-events",
  );
  const acts = staffServices[area] ?? [];
  // A new session token ends the session's push subscription.
  const pushed = area === "accounts" ? ["../push/queries.ts"] : [];
  const more = [...kin, ...holders, ...announce, ...acts, ...pushed];
  const service = ["./**", "!./router.ts", ...tools, ...doors, ...more];
  const onlyDoors = `Of other areas ${area} imports access, policy, queries and present, and only of ${areas.slice(0, place).join(", ") || "none"}.`;
  return [
    zone(file("*"), service, onlyDoors),
    zone(file("search"), [...service, "../database/**"], onlyDoors, [packages.accounts, packages.store]),
    zone(
      file("{queries,*-queries}"),
      ["./{queries,*-queries}.ts", "../database/**", ...left("{queries,*-queries}")],
      "Queries know the database and nothing else.",
      [packages.accounts, packages.store],
    ),
    zone(
      file("access"),
      ["./{queries,*-queries,policy}.ts", ...left("access", "queries")],
      "Access loads and checks the policy.",
    ),
    zone(
      file("present"),
      ["./policy.ts", "../media/paths.ts", ...left("present")],
      "Presenters get their data as arguments.",
    ),
    zone(
      file("{router,*-router}"),
      [...rules, "./*-router.ts", "../http/trpc.ts", ...announce],
      "A procedure parses, calls the service, returns.",
    ),
    zone(
      file("*-routes"),
      [...rules, "../http/request-context.ts", "../auth/**", "../media/{paths,service}.ts", ...announce],
      "A route parses, calls the service, returns.",
    ),
    restrict(
      [file("policy")],
      [
        { regex: "^\\./|^\\.\\./[^.]|/client/", message: "Policies get their facts as arguments." },
        { regex: "/shared/", allowTypeImports: true, message: "Policies import only types from shared." },
        ...allPackages,
      ],
    ),
  ];
}

/** The client's areas from left to right: one imports only from those before it, and not from those beside it. */
const clientAreas = [
  ["ui"],
  ["api", "storage"],
  ["live", "uploads", "device"],
  ["session"],
  ["writing"],
  ["editor", "auth"],
  ["blocks"],
  ["profiles"],
  ["settings"],
  ["blogs"],
  ["comments", "docs", "imports", "search", "notifications", "moderation"],
  ["administration"],
  ["pages"],
  ["app"],
];

const ofClient = [
  // All but router.ts; a `!` here would cancel the next pattern.
  {
    regex: "/server/(.*/|[^r]|r[^o])",
    message: "The client imports only the router's type from the server.",
  },
  { regex: "/server/", allowTypeImports: true, message: "No server code runs in a browser." },
  { group: ["fastify", "@fastify/**", "@trpc/server"], message: "A package of the server." },
  ...allPackages,
];

function zonesOfClient(areasThere: string[], place: number): OxlintOverride[] {
  return areasThere.flatMap((area) => {
    const closed = clientAreas
      .slice(place)
      .flat()
      .filter((other) => other !== area);
    const message = `Of the client ${area} imports only from ${clientAreas.slice(0, place).flat().join(", ") || "shared"}.`;
    // An area may have a folder with the name of another.
    const zoneOf = (files: string, up: string) =>
      restrict(
        [files],
        [...ofClient, ...(closed.length > 0 ? [{ regex: `^${up}(${closed.join("|")})/`, message }] : [])],
      );
    return [zoneOf(`src/client/${area}/*`, "\\.\\./"), zoneOf(`src/client/${area}/*/**`, "(?:\\.\\./){2,}")];
  });
}

const zones = [
  restrict(
    ["src/shared/**"],
    [
      {
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
        message:
          "Shared imports nothing from client or server, and only the packages zod, markdown-it, linkify-it, temml, culori, franc, and prosemirror-model and -transform.",
      },
    ],
  ),
  restrict(
    ["src/client/worker/**"],
    [
      {
        group: ["**", "!./**", "!../../shared/{service-worker,push}.ts"],
        message: "The service worker is one file that runs without a page.",
      },
    ],
  ),
  restrict(["src/client/**"], ofClient),
  ...clientAreas.flatMap(zonesOfClient),
  restrict(
    ["src/server/**"],
    [
      { group: ["**/client/**"], message: "Only pages renders, through client/entry-server." },
      ...allPackages,
    ],
  ),
  restrict(
    ["src/server/pages/**"],
    [
      {
        group: ["**/client/**", "!**/client/entry-server.tsx", "!**/client/ui/theme.ts"],
        message: "Pages renders through client/entry-server, and shares the theme's cookie.",
      },
      ...allPackages,
    ],
  ),
  ...[
    {
      folder: "auth",
      closed: [packages.store],
      more: ["../runtime/{concurrency,thread-shares}.ts", "../live/{signals,stored-events}.ts"],
    },
    { folder: "database", closed: [packages.accounts], more: ["../search/words.ts"] },
    { folder: "live", closed: allPackages, more: [] },
    { folder: "mail", closed: allPackages, more: ["../jobs/jobs.ts"] },
    { folder: "jobs", closed: allPackages, more: ["../live/{signals,stored-events}.ts"] },
  ].map(({ folder, closed, more }) =>
    zone(
      `src/server/${folder}/**`,
      ["./**", "../database/**", "../runtime/{config,ids}.ts", ...more],
      "It serves the areas and imports none of them.",
      closed,
    ),
  ),
  zone("src/server/live/{topics,router}.ts", ["./**", "../**"], "They combine the topics of all areas."),
  zone(
    "src/server/backup/**",
    [
      "./**",
      "../database/**",
      "../runtime/{config,ids,run-command,project-root}.ts",
      "../jobs/{jobs,queries}.ts",
      "../media/paths.ts",
    ],
    "A backup copies the database file and the folder of pictures, and does not read their contents.",
  ),
  zone(
    "src/server/workers/**",
    [
      "./**",
      "../blogs/{color-code,render-blocks,formula-html,parse-html}.ts",
      "../imports/markdown/markdown.ts",
      "../database/{errors,full-text-search,similar-words,index-text,sqlite,statements}.ts",
      "../feeds/formats.ts",
      "../exports/markdown.ts",
      "../media/paths.ts",
      "../runtime/{concurrency,fair-queue,priority}.ts",
      "../search/highlight.ts",
    ],
    "Worker threads handle texts and documents, not requests.",
  ),
  zone(
    "src/server/feeds/**",
    [
      "./**",
      "../runtime/{concurrency,ids}.ts",
      "../http/{known-etag,request-context,security-headers}.ts",
      "../auth/rate-limits.ts",
      "../database/errors.ts",
      "../jobs/jobs.ts",
      "../live/{signals,stored-events,event-log}.ts",
      "../media/{caching,card-text,paths,queries}.ts",
      "../pages/page-cache.ts",
      "../rest/present.ts",
      "../{site,blocks,profiles,signup,accounts,blogs}/{access,policy,present,queries,*-queries}.ts",
      "../blogs/{muted,search}.ts",
      "../accounts/{site-info,personal-feed}.ts",
    ],
    "Feeds read through the areas' access, and write nothing.",
  ),
  zone(
    "src/server/feeds/queries.ts",
    ["../database/**", "../{site,blocks,profiles}/{queries,*-queries}.ts"],
    "Queries know the database and nothing else.",
    [packages.accounts, packages.store],
  ),
  zone(
    "src/server/exports/**",
    [
      "./**",
      "../runtime/{concurrency,derived-texts,ids,run-command}.ts",
      "../imports/markdown/markdown.ts",
      "../database/{blog-title,connection,errors,meta}.ts",
      "../jobs/jobs.ts",
      "../auth/{own-password,rate-limits}.ts",
      "../http/{request-context,trpc}.ts",
      "../media/paths.ts",
      "../{site,blocks,profiles,signup,accounts,blogs,notifications}/{access,policy,queries,*-queries}.ts",
    ],
    "An export reads through the areas' queries, and writes nothing of theirs.",
  ),
  zone(
    "src/server/exports/{queries,*-queries}.ts",
    ["../database/**", "../{site,blocks,profiles,blogs}/{queries,*-queries}.ts"],
    "Queries know the database and nothing else.",
    [packages.accounts, packages.store],
  ),
  // The event log is the live layer's own table.
  zone(
    "src/server/live/event-log.ts",
    ["./**", "../database/**"],
    "The event log knows the database and nothing else.",
    [packages.accounts, packages.store],
  ),
  zone(
    "src/server/rest/**",
    ["./**", "../**", "!../{commands,exports,feeds,imports}/**", "!../**/{router,*-router,*-routes}.ts"],
    "The REST API uses the areas' services, as procedures do.",
  ),
  restrict(
    ["src/server/{media,rest,jobs,push}/queries.ts"],
    [packages.accounts, packages.store, { group: ["**/client/**"], message: "Only pages renders." }],
  ),
  ...areas.flatMap(zonesOfArea),
  // An import writes through the areas' services, as pages do.
  zone(
    "src/server/imports/**",
    ["./**", "../**", "!../{commands,pages,rest}/**", "!../**/{router,*-router,*-routes}.ts"],
    "Imports use the areas' services, but no page, procedure or command.",
  ),
  restrict(
    ["src/server/imports/{queries,*-queries}.ts"],
    [packages.accounts, packages.store, { group: ["**/client/**"], message: "Only pages renders." }],
  ),
];

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "react", "jsx-a11y", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  env: { es2024: true, node: true, browser: true },
  rules: {
    "typescript/no-floating-promises": "error",
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
    ...zones,
  ],
});
