import { defineConfig, type OxlintOverride } from "oxlint";

// What may import what (docs/decisions/0006-lint.md). Of the overrides that fit a file the last one's rule counts,
// whole, so each zone says all there is to say about its files, and the narrower zones come later.

/** From left to right: an area imports only from those before it. */
const areas = ["users", "blogs", "notifications", "comments", "social", "moderation"];

const packages = {
  accounts: { group: ["lucia", "arctic"], message: "Sessions and sign-in with Google belong to auth." },
  store: {
    group: ["better-sqlite3", "drizzle-orm/better-sqlite3"],
    message: "The store's driver belongs to database.",
  },
  sql: {
    group: ["drizzle-orm", "drizzle-orm/**"],
    message: "SQL stands in queries.ts, search.ts and database.",
  },
};
const allPackages = [packages.accounts, packages.store, packages.sql];

/**
 * Files that may import, of ours, only what `may` lists, `!` taking back; `message` tells why. On the server types
 * may come from anywhere: they are gone when it runs.
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
  // An area that changes what notifications show signals their recipients; these files know the notifications' table and no area.
  const holders = ["../notifications/{recipient-queries,events}.ts"];
  const announce =
    place > areas.indexOf("notifications")
      ? ["../notifications/{service,channels,unsubscribe,subscriptions}.ts"]
      : [];
  const rules = ["./**", "!./{queries,*-queries,access,policy,present,router,rest}.ts", "../ids.ts"];
  const tools = [
    "../{acting,ids,turns,wording}.ts",
    "../{live,media,mail,auth,search}/**",
    "../push/delivery.ts",
    "../jobs/jobs.ts",
    "../database/{errors,full-text,steps}.ts",
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
  // Moderators do what those could whose it is.
  const acts =
    area === "moderation"
      ? [
          "../comments/{service,pending}.ts",
          "../social/{visibility-sync,delete-account,delete-blog}.ts",
          "../users/{manage,signup-approval,signup-blocks}.ts",
          "../jobs/{listing,queries}.ts",
        ]
      : [];
  // What is pushed to a session ends with its secret.
  const pushed = area === "users" ? ["../push/queries.ts"] : [];
  const more = [...holders, ...announce, ...acts, ...pushed];
  const service = ["./**", "!./{router,rest}.ts", ...tools, ...doors, ...more];
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
      "Access loads and asks the policy.",
    ),
    zone(
      file("present"),
      ["./policy.ts", "../media/paths.ts", ...left("present")],
      "What is presented comes in as an argument.",
    ),
    zone(
      file("{router,*-router}"),
      [...rules, "./*-router.ts", "../trpc.ts", ...announce],
      "A procedure parses, calls the service, returns.",
    ),
    zone(file("rest-answers"), [...service, "../rest/**"], onlyDoors),
    zone(
      file("{rest,*-routes}"),
      [...rules, "../asking.ts", "../{rest,auth}/**", "../media/{paths,service}.ts", ...announce],
      "A route parses, calls the service, returns.",
    ),
    restrict(
      [file("policy")],
      [
        { regex: "^\\./|^\\.\\./[^.]|/client/", message: "A policy's facts come in as arguments." },
        { regex: "/shared/", allowTypeImports: true, message: "A policy takes types from shared, no more." },
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
  ["editor", "users"],
  ["blogs"],
  ["comments", "docs", "imports", "search", "notifications", "moderation"],
  ["pages"],
  ["app"],
];

const ofClient = [
  // All but router.ts; a `!` here would take back what the next one says.
  { regex: "/server/(.*/|[^r]|r[^o])", message: "Of the server the client knows the router's type." },
  { regex: "/server/", allowTypeImports: true, message: "Nothing of the server runs in a browser." },
  { group: ["fastify", "@fastify/**", "@trpc/server"], message: "A package of the server's." },
  ...allPackages,
];

function zonesOfClient(areasThere: string[], place: number): OxlintOverride[] {
  return areasThere.map((area) => {
    const closed = clientAreas
      .slice(place)
      .flat()
      .filter((other) => other !== area);
    const message = `Of the client ${area} imports only from ${clientAreas.slice(0, place).flat().join(", ") || "shared"}.`;
    return restrict(
      [`src/client/${area}/**`],
      [...ofClient, ...(closed.length > 0 ? [{ regex: `^[./]+/(${closed.join("|")})/`, message }] : [])],
    );
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
          "!temml",
          "!culori/*",
          "**/server/**",
          "**/client/**",
        ],
        message:
          "Shared imports nothing of ours from outside, and of packages zod, markdown-it, temml, culori, and prosemirror-model and -transform.",
      },
    ],
  ),
  restrict(
    ["src/client/worker/**"],
    [
      {
        group: ["**", "!./**", "!../../shared/{worker,push}.ts"],
        message: "The worker stands alone: it is one file that runs without any page.",
      },
    ],
  ),
  restrict(["src/client/**"], ofClient),
  ...clientAreas.flatMap(zonesOfClient),
  restrict(
    ["src/server/**"],
    [{ group: ["**/client/**"], message: "Only pages draws, through client/entry-server." }, ...allPackages],
  ),
  restrict(
    ["src/server/pages/**"],
    [
      {
        group: ["**/client/**", "!**/client/entry-server.tsx", "!**/client/ui/theme.ts"],
        message: "Pages draws through client/entry-server; of the theme it shares the cookie.",
      },
      ...allPackages,
    ],
  ),
  ...[
    { folder: "auth", closed: [packages.store], more: ["../turns.ts", "../live/{signals,stored-events}.ts"] },
    { folder: "database", closed: [packages.accounts], more: ["../search/words.ts"] },
    { folder: "live", closed: allPackages, more: [] },
    { folder: "mail", closed: allPackages, more: ["../jobs/jobs.ts"] },
    { folder: "jobs", closed: allPackages, more: ["../live/{signals,stored-events}.ts", "../tracing.ts"] },
  ].map(({ folder, closed, more }) =>
    zone(
      `src/server/${folder}/**`,
      ["./**", "../database/**", "../{config,ids}.ts", ...more],
      "It serves the areas and knows none of them.",
      closed,
    ),
  ),
  zone("src/server/live/{topics,router}.ts", ["./**", "../**"], "They combine the topics of all areas."),
  zone(
    "src/server/backup/**",
    [
      "./**",
      "../database/**",
      "../{config,ids,own-process,project-root}.ts",
      "../jobs/{jobs,queries}.ts",
      "../media/paths.ts",
    ],
    "A backup knows the store's file and the folder of pictures, and nothing of what is in them.",
  ),
  zone(
    "src/server/workers/**",
    [
      "./**",
      "../blogs/{color-code,drawn-blocks,formula-html,guess-language,parse-html}.ts",
      "../imports/{apart/answering,markdown/markdown}.ts",
      "../database/{errors,find,find-for-staff,index-text,site-map,sqlite,statements}.ts",
      "../feeds/site-map-xml.ts",
      "../exports/markdown.ts",
      "../media/data-url.ts",
      "../{fair-queue,priority,turns}.ts",
      "../search/highlight.ts",
    ],
    "A worker knows texts and documents, and no request.",
  ),
  zone(
    "src/server/feeds/**",
    [
      "./**",
      "../{ids,turns,asking}.ts",
      "../auth/limits.ts",
      "../database/errors.ts",
      "../jobs/jobs.ts",
      "../live/{signals,stored-events,event-log}.ts",
      "../media/{card-words,paths,queries}.ts",
      "../pages/page-cache.ts",
      "../rest/present.ts",
      "../{users,blogs}/{access,policy,present,queries,*-queries}.ts",
      "../blogs/{muted,search}.ts",
      "../users/{site,own-feed}.ts",
    ],
    "Feeds read by the doors of the areas, and write nothing.",
  ),
  zone(
    "src/server/feeds/queries.ts",
    ["../database/**", "../users/*-queries.ts"],
    "Queries know the database and nothing else.",
    [packages.accounts, packages.store],
  ),
  zone(
    "src/server/exports/**",
    [
      "./**",
      "../{ids,own-process,turns}.ts",
      "../imports/markdown/markdown.ts",
      "../database/{connection,errors,meta}.ts",
      "../jobs/jobs.ts",
      "../auth/{own-password,limits}.ts",
      "../asking.ts",
      "../trpc.ts",
      "../media/paths.ts",
      "../{users,blogs,notifications}/{access,policy,queries,*-queries}.ts",
    ],
    "An export reads by the queries of the areas, and changes nothing of theirs.",
  ),
  zone(
    "src/server/exports/{queries,*-queries}.ts",
    ["../database/**", "../{users,blogs}/*-queries.ts"],
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
  restrict(
    ["src/server/{media,rest,jobs,push}/queries.ts"],
    [packages.accounts, packages.store, { group: ["**/client/**"], message: "Only pages draws." }],
  ),
  ...areas.flatMap(zonesOfArea),
  // Moving in writes by the services of the areas, as their own pages do.
  zone(
    "src/server/imports/**",
    ["./**", "../**", "!../{commands,pages,rest}/**", "!../**/{router,rest,*-router,*-routes}.ts"],
    "Imports uses the areas' services, and no page, procedure or command.",
  ),
  restrict(
    ["src/server/imports/{queries,*-queries}.ts"],
    [packages.accounts, packages.store, { group: ["**/client/**"], message: "Only pages draws." }],
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

    // Against what this project does on purpose: whatever touches the store is awaited, CSS is imported for its
    // effect, an array just made is sorted in place, control characters mark what a search found.
    "typescript/await-thenable": "off",
    "unicorn/no-unnecessary-await": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "eslint/no-control-regex": "off",

    // They know nothing of the JSX runtime, of live regions, of hooks that hand out functions, of conditions that an
    // event changes or of fast-check's assertions; or they are for the React Compiler, or a matter of taste.
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
    // The second one says what was expected, where the value does not.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
  },
  overrides: [
    { files: ["src/**"], rules: { "no-console": "error" } },
    { files: ["src/server/commands/**", "src/server/reprise.ts"], rules: { "no-console": "off" } },
    ...zones,
  ],
});
