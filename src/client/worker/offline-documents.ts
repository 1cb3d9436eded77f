import { savedArticle, savedArticles } from "./saved-articles.ts";
import type { SavedArticle } from "./saved-articles.ts";
import { scope } from "./scope.ts";

/* The documents that the worker shows when the site does not respond. */

/** The address of the list of saved articles, which works online, too. */
export const LIST = "/offline";

/** Returns the saved article at a path, or the list of saved articles in its place. */
export async function offlineDocument(path: string): Promise<Response> {
  const saved = await savedArticle(path);
  return saved ? savedDocument(saved) : listDocument("away");
}

/** Adds the offline note outside the React root, whose HTML has to stay as it was rendered. */
async function savedDocument({ at, response }: SavedArticle & { response: Response }): Promise<Response> {
  const note = `<div class="small hairline-bottom offline-note" role="status"><p>You’re offline. This page was saved ${whenText(at)}. <a href="${LIST}">Other saved articles</a></p></div>`;
  const html = (await response.text())
    .replace("</head>", () => `${links()}</head>`)
    .replace('<div id="root">', () => `${note}<div id="root">`);
  return new Response(html, { headers: response.headers });
}

/** Returns the list of saved articles: in place of a page that is not saved (`away`), or at its own address (`asked`). */
export async function listDocument(reason: "away" | "asked"): Promise<Response> {
  const saved = await savedArticles();
  const title = reason === "away" ? "You’re offline" : "Saved articles";
  const intro =
    reason === "away"
      ? "This page isn’t saved on this device. It loads as soon as you’re back online."
      : "You can read these articles offline.";
  const list = saved.map(
    ({ path, title: articleTitle, at, cover }) =>
      `<li>${cover && `<img src="${text(cover)}" alt="">`}<a href="${path}">${withoutSite(articleTitle)}</a> <span class="note">Read ${whenText(at)}</span></li>`,
  );
  const readable =
    list.length > 0
      ? `<h2 class="title-xl">What you can read</h2><ul class="list">${list.join("")}</ul><p><button type="button" class="button mt-4" data-size="s" id="forget">Clear saved articles</button></p>`
      : `<p>No saved articles yet. Articles you read are saved here.</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${text(scope.BUILD.name)}</title>
${links()}
</head>
<body class="offline-list" data-why="${reason}">
<main class="page">
<p><a class="target gap-2 brand" href="/home">${mark} ${text(scope.BUILD.name)}</a></p>
<h1 class="size-2xl">${title}</h1>
<p>${intro}</p>
${reason === "away" ? `<p><button type="button" class="button button-primary mt-4" id="retry">Retry</button></p>` : ""}
<section id="waiting" aria-labelledby="waiting-title" hidden><h2 id="waiting-title" class="title-xl">Waiting to be sent</h2><ul class="list"></ul></section>
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

/** As in ui/logo.tsx, which needs React. */
const mark = `<svg class="mark" width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/></svg>`;

function links(): string {
  const { sheets, script } = scope.BUILD;
  return [
    ...sheets.map((href) => `<link rel="stylesheet" href="${href}">`),
    `<script type="module" src="${script}"></script>`,
  ].join("\n");
}

/** Returns "at 14:05", with the day unless it is today. */
function whenText(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const day =
    date.toDateString() === new Date().toDateString()
      ? ""
      : ` on ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
  return `at <time datetime="${date.toISOString()}">${time}${day}</time>`;
}

/** Removes the site's name from the end of a page's title. */
const withoutSite = (title: string): string => title.replace(/ · [^·]*$/, "");

const text = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
