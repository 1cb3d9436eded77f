import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import { favicon } from "../pages/static-files.ts";
import type { Config } from "../runtime/config.ts";

/** Scripts and styles come only from files; the style sheet has `data:` pictures. */
const contentSecurityPolicy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/** Serves Swagger UI with all calls at `/docs/api`. The OpenAPI document must be registered before. */
export async function serveApiPage(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: "/docs/api",
    staticCSP: contentSecurityPolicy,
    // The name can change while the server runs.
    theme: {
      get title() {
        return `API · ${escapeHtml(config.siteName)}`;
      },
      css: [{ filename: "page.css", content: sheet }],
      js: [{ filename: "page.js", content: script }],
      favicon: [
        { filename: "favicon.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: favicon },
      ],
    },
    // Calls go to the page's own origin, the only one that its policy allows.
    transformSpecification: (document) => ({ ...document, servers: [{ url: "/" }] }),
    transformSpecificationClone: false,
    // The library would serialize YAML for each request; clients use /api/v1/openapi.json.
    uiHooks: {
      onRequest: (request, reply, done) => {
        if (request.routeOptions.url === "/docs/api/yaml") reply.callNotFound();
        else done();
      },
    },
    uiConfig: { layout: "BaseLayout", defaultModelsExpandDepth: 0 },
  });
}

/** What Swagger UI's page lacks: a viewport, the reader's theme, and a way back to the site. */
const script = `
document.head.insertAdjacentHTML("beforeend", '<meta name="viewport" content="width=device-width, initial-scale=1">');
document.body.insertAdjacentHTML("afterbegin", '<header><a href="/docs"></a></header>');
document.querySelector("header a").textContent = "How " + document.title.replace("API · ", "") + " works";
const [, theme] = /(?:^|; )theme=(light|dark)/.exec(document.cookie) ?? [];
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => {
  const isDark = theme ? theme === "dark" : dark.matches;
  document.documentElement.classList.toggle("dark-mode", isDark);
  document.documentElement.classList.toggle("light-mode", !isDark);
};
dark.addEventListener("change", applyTheme);
applyTheme();
`;

/** Sets the site's colours and a readable width, and hides choices with a single option, such as the server. */
const sheet = `
html {
  --paper: #fbfaf6;
  --ink: #1c1a17;
  color-scheme: light;
}
html.dark-mode {
  --paper: #1c2022;
  --ink: #ece7dd;
  color-scheme: dark;
}
@media (prefers-color-scheme: dark) {
  html:not(.light-mode) {
    --paper: #1c2022;
  }
}
body,
html.dark-mode body {
  background: var(--paper);
}
header,
.swagger-ui .wrapper {
  max-width: 1000px;
  margin: 0 auto;
  padding: 0 20px;
}
header a {
  display: inline-flex;
  align-items: center;
  min-height: 44px;
  color: var(--ink);
  font: 14px system-ui, sans-serif;
}
.swagger-ui .info {
  margin: 16px 0 24px;
}
.swagger-ui .info .title,
.swagger-ui .info .markdown p {
  max-width: 72ch;
  color: var(--ink);
}
.swagger-ui .info .markdown p {
  line-height: 1.5;
}
.swagger-ui .scheme-container,
html.dark-mode .swagger-ui .scheme-container {
  margin: 0;
  padding: 0 0 16px;
  background: none;
  box-shadow: none;
}
html.light-mode .swagger-ui .opblock .opblock-summary-method {
  color: #000;
  text-shadow: none;
}
html.light-mode .swagger-ui .parameter__in,
html.light-mode .swagger-ui .btn.authorize,
html.light-mode .swagger-ui .btn.authorize svg {
  color: var(--ink);
  fill: var(--ink);
}
.swagger-ui .info .title small,
.swagger-ui .info .main > a,
.swagger-ui .servers,
.swagger-ui .servers-title,
.swagger-ui .response-col_links,
.swagger-ui .response-control-media-type__accept-message {
  display: none;
}
`;
