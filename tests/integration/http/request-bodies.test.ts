import { EventEmitter } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import type { FastifyReply } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { PendingBytes, senderOf } from "../../../src/server/http/bodies.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { paint, send as sendPicture } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, startTestSite, until, documentAt } from "../../support/test-site.ts";

/* Size limits and buffering of request bodies. */

const megabytes = 1024 * 1024;

const [testSite, ana] = await sharedSiteWith("Ana");
const anas = await ApiClient.of(testSite, ana);
// No temporary file is left, and no bytes are counted.
afterEach(async () => {
  await until(async () => (await temporary()).length === 0, "the temporary files' going");
  await until(() => {
    const { memory, disk } = testSite.app.services.bytes;
    return memory.total === 0 && disk.total === 0;
  }, "the end of all bodies");
});

const temporary = () => readdir(path.join(testSite.config.dataDir, "tmp")).catch(() => []);
const tooLargeAnswer = { success: false, message: "This is too large." };

describe("a JSON body", () => {
  test("of more than two megabytes is refused with 413, for a blog too", async () => {
    for (const [method, address] of [
      ["POST", "/blogs"],
      ["POST", "/signup"],
      ["PATCH", `/blogs/${(await ana.api.blogs.create.mutate(aBlog())).slug}`],
    ] as const) {
      const response = await anas.call(method, address, {
        title: "x",
        content: "x".repeat(limits.body.json),
      });
      expect([response.status, response.body]).toEqual([413, tooLargeAnswer]);
    }
    const allowedBody = { title: "x", content: `<p>${"owl ".repeat(100_000)}</p>` };
    expect((await anas.call("POST", "/blogs", allowedBody)).status).toBe(200);
  });

  test("may be larger for a profile picture", { tags: ["more"] }, async () => {
    const picture = Buffer.concat([await paint(), Buffer.alloc(5 * megabytes)]);
    const { status, body } = await anas.call("PATCH", `/users/${ana.me.id}`, {
      name: "Ana Large",
      profilePic: `data:image/png;base64,${picture.toString("base64")}`,
    });
    expect([status, body.user?.name, body.user?.profilePic]).toEqual([
      200,
      "Ana Large",
      expect.stringContaining("/media/"),
    ]);
    const tooLong = await anas.call("PATCH", `/users/${ana.me.id}`, {
      profilePic: `data:image/png;base64,${"A".repeat(12 * megabytes)}`,
    });
    expect(tooLong.status).toBe(413);
  });

  test("with a large document is stored as it was sent, over tRPC, in a batch and over REST", async () => {
    const texts = Array.from({ length: 3_000 }, (_, index) => `Owl ${index} says "hu".`);
    const document = paragraphs(...texts);
    const blog = await ana.api.blogs.create.mutate(aBlog({ document }));
    const batch = await Promise.all([
      ana.api.blogs.create.mutate(aBlog({ document })),
      ana.api.blogs.create.mutate(aBlog({ document })),
    ]);
    const restAnswer = await anas.call("POST", "/blogs", { title: "x", content: document });
    expect(restAnswer.status).toBe(200);
    const slugs = [blog.slug, ...batch.map(({ slug }) => slug), restAnswer.body.blog.blogId as string];
    for (const slug of slugs) {
      const stored = await documentAt(ana, slug);
      const { content } = stored as { content: { content: { text: string }[] }[] };
      expect(content.map(({ content: [text] }) => text?.text)).toEqual(texts);
    }
  });

  test("with too many values is refused", async () => {
    const body = JSON.stringify({ title: "x", extra: Array.from({ length: 40_000 }, () => ({})) });
    const { status, body: answer } = await anas.call("POST", "/blogs", body);
    expect([status, answer.message]).toEqual([400, "The body has too many values."]);
    expect((await anas.call("POST", "/blogs", "[".repeat(1_000_000))).body.message).toBe(
      "The body is not valid JSON.",
    );
  });

  test("of a blog with an unknown field is refused; a form is, before its parts are read", async () => {
    const refusal = {
      success: false,
      message: expect.stringContaining("no field “colour”"),
      field: "colour",
    };
    const count = async () => (await anas.call("GET", `/blogs/user/${ana.me.id}`)).body.blogsCount as number;
    const before = await count();
    for (const padding of ["x", "x".repeat(limits.body.json / 2)]) {
      const { status, body } = await anas.call("POST", "/blogs", { title: "x", colour: padding });
      expect([status, body]).toEqual([400, refusal]);
    }
    for (const padding of [Buffer.alloc(10 * megabytes), Buffer.from("x")]) {
      const { status, body } = await anas.call(
        "POST",
        "/blogs",
        blogForm({}, { colour: new Blob([padding]) }),
      );
      expect([status, body]).toEqual([400, refusal]);
    }
    expect((await anas.call("POST", "/blogs", blogForm({ ["c".repeat(90)]: "x" }))).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test("of another content type is refused with 415", async () => {
    const { status } = await anas.call("POST", "/blogs", "x".repeat(100_000), {
      "content-type": "text/plain",
    });
    expect(status).toBe(415);
    // The connection still works.
    expect((await anas.call("GET", "/blogs")).status).toBe(200);
  });

  test("of a guest is refused with 401 where it is large", async () => {
    const response = await testSite.browser().fetch("/trpc/blogs.create", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(aBlog({ document: paragraphs("x".repeat(1_500_000)) })),
    });
    expect(response.status).toBe(401);
    expect(((await response.json()) as { error: { data: { code: string } } }).error.data.code).toBe(
      "UNAUTHORIZED",
    );
  });
});

test("finds a long text by its last word after it is saved, and after its title changes", async () => {
  const document = paragraphs(
    ...Array.from({ length: 4_000 }, (_, index) => `Owl ${index} says hu.`),
    "Zebrafinch.",
  );
  const blog = await ana.api.blogs.create.mutate(aBlog({ document }));
  const isFound = async () => (await ana.api.blogs.search.query({ query: "zebrafinch" })).blogs.length === 1;
  await until(isFound, "finding the last word");
  await ana.api.blogs.update.mutate({ id: blog.id, title: "Another title" });
  await until(isFound, "finding it again");
});

describe("a form", () => {
  test("has room for images within the text", { tags: ["more"] }, async () => {
    const pictures = await Promise.all(
      [1, 2, 3].map(async (index) => Buffer.concat([await paint(8 + index), Buffer.alloc(2 * megabytes)])),
    );
    const html = pictures
      .map((bytes) => `<p><img src="data:image/png;base64,${bytes.toString("base64")}" alt="owl"></p>`)
      .join("");
    const { status, body } = await anas.call("POST", "/blogs", blogForm({ content: JSON.stringify(html) }));
    expect(status, body.message).toBe(200);
    const { body: readBody } = await anas.call("GET", `/blogs/${body.blog.blogId}`);
    expect(
      readBody.blog.content.match(/<img src="[^"]+\/media\/[0-9a-f-]{36}\/[^"]+" alt="owl" width="\d+"/g),
    ).toHaveLength(3);
  });

  test(
    "of more than forty megabytes is refused with 413, with or without a stated length",
    { tags: ["more"] },
    async () => {
      const form = blogForm();
      for (let count = 0; count < 6; count++)
        form.append("images", new Blob([new Uint8Array(8 * megabytes)]), "x.png");
      const { status, body } = await anas.call("POST", "/blogs", form);
      expect([status, body.success, body.message]).toEqual([
        413,
        false,
        "That’s too large. The request can have up to 40 MB.",
      ]);
      const reply = await stream("multipart/form-data; boundary=x", endless());
      expect(reply).toContain("HTTP/1.1 413");
      expect(reply).toContain("up to 40 MB");
    },
  );

  test("that ends too soon is refused, and leaves no file", async () => {
    const reply = await stream("multipart/form-data; boundary=x", cutShort(), true);
    expect(reply).toContain("HTTP/1.1 400");
  });
});

describe("all bodies together", () => {
  const someone = senderOf("someone else", "203.0.113.9");

  test("have a limit in memory: a large one is refused with 503, a small one passes", async () => {
    await using small = await startTestSite();
    const { memory } = small.app.services.bytes;
    const eve = await small.createAccount("Eve");
    const eves = await ApiClient.of(small, eve);
    // As if other requests held all the memory.
    const fakeReply = { raw: { once: () => undefined } };
    memory.add(fakeReply as never, someone, limits.body.underWay.memory - 1_000);
    const large = await eves.call("POST", "/blogs", { title: "x", content: "x".repeat(200_000) });
    expect([large.status, large.headers.get("retry-after"), large.body.success]).toEqual([503, "5", false]);
    expect((await eves.call("POST", "/blogs", { title: "x", content: "<p>x</p>" })).status).toBe(200);
  });

  test("of one sender have a part of it: others' pass, and a single larger one does", async () => {
    const memory = new PendingBytes(8 * megabytes);
    const raws: EventEmitter[] = [];
    const begin = (account: string, address: string, bytes: number) => {
      const raw = new EventEmitter();
      memory.add({ raw } as unknown as FastifyReply, senderOf(account, address), bytes);
      raws.push(raw);
    };
    begin("eve", "203.0.113.1", megabytes);
    begin("eve", "203.0.113.2", megabytes);
    expect(() => begin("eve", "203.0.113.3", megabytes)).toThrow("You are sending too much at once");
    expect(() => begin("bob", "203.0.113.1", 4 * megabytes)).toThrow("You are sending too much at once");
    expect(() => begin("eve", "203.0.113.3", limits.body.small)).not.toThrow();
    begin("ana", "203.0.113.9", 3 * megabytes);
    expect(() => begin("cleo", "203.0.113.10", 4 * megabytes)).toThrow("The site is receiving too much");
    for (const raw of raws) raw.emit("close");
    expect(memory.total).toBe(0);
    expect(() => begin("eve", "203.0.113.1", 3 * megabytes)).not.toThrow();
  });

  test("of a guest, or a member's that never end, leave room for other members' saves", async () => {
    await using site = await startTestSite({ TRUST_PROXY: "on" });
    const [eve, bob] = [await site.createAccount("Eve"), await site.createAccount("Bob")];
    const [eves, bobs] = [await ApiClient.of(site, eve), await ApiClient.of(site, bob)];
    const { memory } = site.app.services.bytes;
    const part = "x".repeat(1_400_000);
    const stalled = Array.from({ length: 48 }, (_, index) => {
      const [call, who] =
        index < 24
          ? ["signup", "x-forwarded-for: 203.0.113.1"]
          : ["blogs", `x-forwarded-for: 203.0.113.2\r\nauthorization: Bearer ${eves.token}`];
      const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
      const state = { reply: "" };
      socket.on("error", () => undefined);
      socket.on("data", (data) => (state.reply += data.toString()));
      socket.write(
        `POST /api/v1/${call} HTTP/1.1\r\nhost: x\r\n${who}\r\ncontent-type: application/json\r\ncontent-length: 1900000\r\n\r\n${part}`,
      );
      return { socket, state };
    });
    await until(
      () => stalled.slice(0, 24).every(({ state }) => state.reply.includes("HTTP/1.1 413")),
      "the guest's refusals",
    );
    await until(() => stalled.some(({ state }) => state.reply.includes("HTTP/1.1 429")), "Eve's refusal");
    expect(memory.total).toBeLessThanOrEqual(limits.body.underWay.memory / 4);
    for (let count = 0; count < 5; count++) {
      const { status } = await bobs.call("POST", "/blogs", {
        title: "x",
        content: `<p>${"owl ".repeat(50_000)}</p>`,
      });
      expect(status).toBe(200);
    }
    for (const { socket } of stalled) socket.destroy();
    await until(() => memory.total === 0, "the end of all bodies");
  });

  test("are small where a call needs no more, also in a batch and from a member", async () => {
    const text = "x".repeat(2 * limits.body.small);
    const statusOf = async (procedure: string, body: object) =>
      (
        await ana.fetch(`/trpc/${procedure}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).status;
    const blog = await ana.api.blogs.create.mutate(aBlog());
    expect(await statusOf("comments.create", { id: blog.id, blogId: blog.id, text })).toBe(413);
    expect(await statusOf("users.signIn", { email: text, password: "x" })).toBe(413);
    expect(await statusOf("blogs.create", aBlog({ document: paragraphs(text) }))).toBe(200);
    const comment = await anas.call("POST", `/blogs/comment/${blog.id}`, { comment: text });
    expect([comment.status, comment.body]).toEqual([413, tooLargeAnswer]);
  });

  test("have a limit on disk, uploaded images included", async () => {
    await using small = await startTestSite();
    const eve = await small.createAccount("Eve");
    const eves = await ApiClient.of(small, eve);
    const bytes = small.app.services.bytes.disk;
    const picture = Buffer.concat([await paint(), Buffer.alloc(200_000)]);
    const raw = new EventEmitter();
    bytes.add({ raw } as unknown as FastifyReply, someone, limits.body.underWay.disk - 1_000);
    const answer = await sendPicture(eve, picture);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    const cover = await eves.call("POST", "/blogs", blogForm({}, { image: new Blob([picture]) }));
    expect([cover.status, cover.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await sendPicture(eve, await paint())).status).toBe(200);
    raw.emit("close");
    expect((await sendPicture(eve, picture)).status).toBe(200);
    await until(() => bytes.total === 0, "the end of all bodies");
  });
});

const head = (type: string) =>
  `POST /api/v1/blogs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${anas.token}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;

/** Sends a chunked body, and returns the response. */
function stream(type: string, chunks: Iterable<string>, isTerminated = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(testSite.url).port), "127.0.0.1");
    let reply = "";
    socket.on("data", (data) => {
      reply += data.toString();
      if (reply.includes("\r\n\r\n") && reply.includes("}")) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(reply));
    socket.write(head(type));
    const iterator = chunks[Symbol.iterator]();
    const send = () => {
      for (;;) {
        const { value, done } = iterator.next();
        if (done) {
          if (isTerminated) socket.write("0\r\n\r\n");
          return;
        }
        const ready = socket.write(`${Buffer.byteLength(value).toString(16)}\r\n${value}\r\n`);
        if (!ready) return void socket.once("drain", send);
      }
    };
    send();
  });
}

function* endless(): Generator<string> {
  yield '--x\r\ncontent-disposition: form-data; name="content"\r\n\r\n';
  for (;;) yield "x".repeat(256 * 1024);
}
function* cutShort(): Generator<string> {
  yield '--x\r\ncontent-disposition: form-data; name="content"\r\n\r\n';
  yield "x".repeat(256 * 1024);
}
