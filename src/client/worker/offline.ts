import { all, keptPage } from "./kept.ts";
import type { KeptPage } from "./kept.ts";
import { scope } from "./scope.ts";

/* What is shown where no answer of the site comes. */

/** Lists what can be read without a network; at hand at any time. */
export const LIST = "/offline";

/** The page at a path as it was read, or what can be read in its place. */
export async function withoutNetwork(path: string): Promise<Response> {
  const kept = await keptPage(path);
  return kept ? asItWas(kept) : listPage("away");
}

/** Outside of what the page's script takes over, so that it finds all as it was drawn. */
async function asItWas({ at, response }: KeptPage & { response: Response }): Promise<Response> {
  const line = `<div class="kept-line" role="status"><p>You’re offline. This page was saved ${when(at)}. <a href="${LIST}">Other saved articles</a></p></div>`;
  const html = (await response.text())
    .replace("</head>", () => `${links()}</head>`)
    .replace('<div id="root">', () => `${line}<div id="root">`);
  return new Response(html, { headers: response.headers });
}

/** The list of what is kept: in place of a page that is not, or because somebody asks for it. */
export async function listPage(why: "away" | "asked"): Promise<Response> {
  const kept = await all();
  const title = why === "away" ? "You’re offline" : "Saved articles";
  const said =
    why === "away"
      ? "This page isn’t saved on this device. It loads as soon as you’re back online."
      : "You can read these articles offline.";
  const list = kept.map(
    ({ path, title: of, at }) =>
      `<li><a href="${path}">${withoutSite(of)}</a> <span>read ${when(at)}</span></li>`,
  );
  const readable =
    list.length > 0
      ? `<h2>What you can read</h2><ul>${list.join("")}</ul><p><button type="button" class="button" data-size="s" id="forget">Clear saved articles</button></p>`
      : `<p>No saved articles yet. Articles you read are saved here.</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${text(scope.BUILD.name)}</title>
${links()}
</head>
<body class="kept-list" data-why="${why}">
<main>
<p class="kept-brand"><a href="/home">${text(scope.BUILD.name)}</a></p>
<h1>${title}</h1>
<p>${said}</p>
${readable}
</main>
</body>
</html>`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
  };
  return new Response(html, { headers });
}

function links(): string {
  const { sheets, script } = scope.BUILD;
  return [
    ...sheets.map((href) => `<link rel="stylesheet" href="${href}">`),
    `<script type="module" src="${script}"></script>`,
  ].join("\n");
}

/** "at 14:05", with the day where it was another. */
function when(at: number): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const day =
    then.toDateString() === new Date().toDateString()
      ? ""
      : ` on ${then.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
  return `at <time datetime="${then.toISOString()}">${time}${day}</time>`;
}

/** A page's title without the name of the site behind it. */
const withoutSite = (title: string): string => title.replace(/ · [^·]*$/, "");

const text = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
