import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { importingAs } from "../../../src/server/accounts/acting-as.ts";
import { RemoteImages } from "../../../src/server/media/remote-images.ts";
import { isPublicAddress } from "../../../src/server/media/fetch-public.ts";
import { Temporary } from "../../../src/server/runtime/temporary-folders.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { createFolder } from "../../support/import-folder.ts";
import { importMarkdown } from "../../support/import-markdown.ts";
import { paint } from "../../support/pictures.ts";
import { aBlog, startTestSite, until } from "../../support/test-site.ts";

/** Another site on this machine; records its requests. */
async function startRemoteSite(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://localhost:${port}`, port, requests, [Symbol.asyncDispose]: close };
}
const isLocalhost = (address: string) => ["127.0.0.1", "::1"].includes(address);
const fetchImages = (pictures: RemoteImages, addresses: string[]) =>
  new Temporary(path.join(tmpdir(), "reprise-test")).folder(
    async (folder) => (await pictures.fetch(addresses, folder)).files,
  );
const withPictures = (...pictures: { src: string; alt?: string }[]) => ({
  type: "doc",
  content: [{ type: "paragraph", content: pictures.map((attrs) => ({ type: "image", attrs })) }],
});

test("copies images of other sites at a save, replaces those it cannot fetch by links, and says so", async () => {
  const png = await paint();
  await using site = await startRemoteSite(({ url }, response) => {
    if (url === "/a.png") response.end(png);
    else if (url === "/moved.png") response.writeHead(302, { location: "/a.png" }).end();
    else if (url === "/page.png") response.setHeader("content-type", "image/png").end("<script>x</script>");
    else response.writeHead(404).end();
  });
  await using testSite = await startTestSite({}, {}, { mayReach: isLocalhost });
  const ana = await testSite.createAccount("Ana");
  const blog = await ana.api.blogs.create.mutate(
    aBlog({
      document: withPictures(
        { src: `${site.url}/a.png`, alt: "one" },
        { src: `${site.url}/moved.png` },
        { src: `${site.url}/page.png`, alt: "a page" },
        { src: `${site.url}/gone.png` },
      ),
    }),
  );
  expect(blog.message).toBe(
    "Published! Everyone can read your blog. We couldn’t copy 2 pictures from other sites, so they became links.",
  );
  const { html } = await testSite.browser().api.blogs.bySlug.query({ slug: blog.slug });
  const [{ id }] = testSite.rows<{ id: string }>("select id from media") as [{ id: string }];
  expect(html.match(/<img src="[^"]+"/g)).toEqual(Array(2).fill(`<img src="/media/${id}/full.webp"`));
  expect(html).toContain(`<a href="${site.url}/page.png" rel="nofollow noopener ugc">a page</a>`);
  expect(html).toContain(`>localhost/gone.png</a>`);
  expect((await testSite.browser().fetch(`/media/${id}/full.webp`)).status).toBe(200);
  for (const { headers } of site.requests) expect(headers.cookie ?? headers.referer).toBeUndefined();

  const client = await ApiClient.of(testSite, ana);
  const content = JSON.stringify(
    `<p><img src="${site.url}/a.png"><img src="${site.url}/none.png" alt="none"></p>`,
  );
  const { body } = await client.call("POST", "/blogs", blogForm({ content }));
  expect(body.message).toContain("We couldn’t copy a picture from another site, so it became a link.");
});

test("fetches a remote cover only for an import that may fetch, and reports the others", async () => {
  const png = await paint();
  await using site = await startRemoteSite(({ url }, response) => {
    if (url === "/a.png") response.end(png);
    else response.writeHead(404).end();
  });
  await using testSite = await startTestSite({}, {}, { mayReach: isLocalhost });
  const ana = await testSite.createAccount("Ana");
  const post = (title: string, cover: string) =>
    `---\ntitle: ${title}\nheroImage: ${site.url}${cover}\n---\nWords.\n`;
  await using source = await createFolder({
    "a.md": post("Had", "/a.png"),
    "b.md": post("Gone", "/gone.png"),
  });
  const importSource = (fetch: boolean) =>
    importMarkdown(importingAs(testSite.app.services, ana.me.id, { isLocal: true, fetch }), source.folder);
  const covers = async () => {
    const { blogs } = await ana.api.blogs.mine.query({});
    return Object.fromEntries(blogs.map(({ title, cover }) => [title, cover !== null]));
  };
  const reportWithoutFetch = await importSource(false);
  expect(reportWithoutFetch.problems.map(({ file, problem }) => [file, problem])).toEqual([
    ["a.md", `The picture ${site.url}/a.png couldn’t be imported: it is on another site.`],
    ["b.md", `The picture ${site.url}/gone.png couldn’t be imported: it is on another site.`],
  ]);
  expect(site.requests).toEqual([]);
  expect(await covers()).toEqual({ Had: false, Gone: false });
  const report = await importSource(true);
  expect(report.problems.map(({ file }) => file)).toEqual(["b.md"]);
  expect(await covers()).toEqual({ Had: true, Gone: false });
});

test("never requests addresses of the local machine or its networks, however they are written", async () => {
  const png = await paint();
  await using site = await startRemoteSite((_request, response) => void response.end(png));
  const pictures = new RemoteImages(true);
  const names = ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1"];
  expect(
    (
      await fetchImages(
        pictures,
        names.map((name) => `http://${name}:${site.port}/a.png`),
      )
    ).size,
  ).toBe(0);
  expect(site.requests).toEqual([]);
  const localAddresses =
    "10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: ff02::1";
  for (const address of localAddresses.split(" "))
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ["93.184.216.34", "1.1.1.1", "172.32.0.1", "2606:2800:220:1::1"])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test("does not follow redirects to local addresses, other protocols or without end", async () => {
  await using secret = await startRemoteSite((_request, response) => void response.end("secret"));
  const png = await paint();
  await using site = await startRemoteSite(({ url = "" }, response) => {
    const hop = Number(/^\/(\d+)$/.exec(url)?.[1] ?? 0);
    const location = { "/inside": `http://127.0.0.1:${secret.port}/`, "/file": "file:///etc/passwd" }[url];
    if (location) response.writeHead(302, { location }).end();
    else if (hop > 0) response.writeHead(301, { location: `/${hop - 1}` }).end();
    else response.end(png);
  });
  // Allows the site's own address, and refuses the redirect's.
  let checks = 0;
  const pictures = new RemoteImages(true, (address) => isLocalhost(address) && ++checks < 2);
  expect((await fetchImages(pictures, [`${site.url}/inside`])).size).toBe(0);
  expect(secret.requests).toEqual([]);
  const unrestricted = new RemoteImages(true, isLocalhost);
  expect([
    ...(
      await fetchImages(
        unrestricted,
        ["/file", "/3", "/4"].map((each) => site.url + each),
      )
    ).keys(),
  ]).toEqual([`${site.url}/3`]);
});

test(
  "skips remote images that are too large, too many or too slow, and fetches two at a time",
  { tags: ["more"] },
  async () => {
    const png = await paint();
    let [openCount, maxOpen] = [0, 0];
    await using site = await startRemoteSite(({ url }, response) => {
      maxOpen = Math.max(maxOpen, ++openCount);
      response.on("close", () => openCount--);
      if (url === "/endless") {
        const writeMore = () => {
          while (response.write(Buffer.alloc(64 * 1024)));
          response.once("drain", writeMore);
        };
        writeMore();
      } else if (url === "/said") response.writeHead(200, { "content-length": "9000000" }).write("x");
      else if (url !== "/silent") response.end(png);
    });
    const pictures = new RemoteImages(true, isLocalhost);
    const urls = Array.from({ length: 25 }, (_, index) => `${site.url}/${index}.png`);
    expect((await fetchImages(pictures, [`${site.url}/endless`, `${site.url}/said`, ...urls])).size).toBe(
      limits.remoteImages.most - 2,
    );
    expect(maxOpen).toBe(2);
    const start = Date.now();
    expect((await fetchImages(pictures, [`${site.url}/silent`])).size).toBe(0);
    expect(Date.now() - start).toBeLessThan(limits.remoteImages.time + 4_000);
  },
);

test("copies all remote images of a text while it is written, and keeps words typed meanwhile", async () => {
  const png = await paint();
  await using site = await startRemoteSite(({ url }, response) =>
    url === "/gone.png" ? void response.writeHead(404).end() : void response.end(png),
  );
  await using testSite = await startTestSite({}, {}, { mayReach: isLocalhost });
  const ana = await testSite.createAccount("Ana");
  const { api } = ana;
  const published = await api.blogs.create.mutate(aBlog());
  const id = newId();
  await api.blogs.begin.mutate({ id });
  for (const blogId of [id, published.id]) {
    const writer = await CoWriter.open(() => api, blogId);
    const { most } = limits.remoteImages;
    const srcs = Array.from({ length: most + 3 }, (_, index) => `${site.url}/${index}.png`);
    const images = [...srcs, `${site.url}/gone.png`].map((src) => schema.nodes.image.create({ src }));
    writer.edit((tr) => tr.insert(1, images));
    await writer.sync.push();
    writer.type("Owls. ");
    await writer.sync.push();
    const remote = async () => JSON.stringify((await api.blogs.openDraft.mutate({ id: blogId })).document);
    await until(async () => !(await remote()).includes(`"src":"${site.url}`));
    const text = await remote();
    expect(text.match(/"src":"\/media\//g)).toHaveLength(most + 3);
    expect(text).toContain(`"href":"${site.url}/gone.png"`);
    expect(text).toContain("Owls. ");
    await writer.sync.fetchMissed();
    expect(JSON.stringify(writer.state.doc.toJSON())).toBe(text);
  }
});

test("replaces remote images by links where fetching is off", async () => {
  await using site = await startRemoteSite((_request, response) => void response.end());
  await using testSite = await startTestSite({ FETCH_PICTURES: "off" }, {}, { mayReach: isLocalhost });
  const ana = await testSite.createAccount("Ana");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ document: withPictures({ src: `${site.url}/a.png`, alt: "owl" }) }),
  );
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain(">owl</a>");
  expect(site.requests).toEqual([]);
});
