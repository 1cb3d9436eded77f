/* A story as Medium exports it: one page of HTML with microformats; the texts are ours. */

export interface Story {
  id?: string;
  title?: string;
  subtitle?: string;
  body?: string;
  published?: string | null;
  canonical?: string;
}

export const mediumStory = ({
  id = "0a1b2c3d4e5f",
  title = "On moss",
  subtitle = "",
  body = "",
  published = "2019-03-04T12:34:56.000Z",
  canonical = `https://medium.com/@ana/on-moss-${id}`,
}: Story = {}): string => `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>${title}</title><style>
      * { font-family: Georgia, Cambria, serif; }
    </style></head><body><article class="h-entry">
<header>
<h1 class="p-name">${title}</h1>
</header>
<section data-field="subtitle" class="p-summary">
${subtitle}
</section>
<section data-field="body" class="e-content">
<section name="2f1a" class="section section--body section--first section--last"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner sectionLayout--insetColumn">${body}</div></div></section>
</section>
<footer>${
  published === null
    ? `<p><a href="https://medium.com/p/${id}">View original.</a></p>`
    : `<p>By <a href="https://medium.com/@ana" class="p-author h-card">Ana Lima</a> on <a href="https://medium.com/p/${id}"><time class="dt-published" datetime="${published}">March 4, 2019</time></a>.</p><p><a href="${canonical}" class="p-canonical">Canonical link</a></p>`
}<p>Exported from <a href="https://medium.com">Medium</a> on November 1, 2023.</p></footer></article></body></html>`;

export const graf = (kind: string, inner: string, more = ""): string =>
  `<${kind} name="a1b2" id="a1b2" class="graf graf--${kind} ${more}">${inner}</${kind}>`;

/** The other files in a Medium ZIP. */
export const mediumRest = {
  "README.html": "<p>Your archive</p>",
  "profile/profile.html": "<h3>Profile</h3>",
  "claps/claps-0001.html": "<ul><li>+50</li></ul>",
};
