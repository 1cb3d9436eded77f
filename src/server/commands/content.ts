import { DeleteBlog, FindBlogs, FindComments } from "../../shared/staff-search.ts";
import { AppError } from "../../shared/errors.ts";
import { blogFactsById, blogFactsBySlug } from "../blogs/queries.ts";
import type { Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { deleteBlogAs, takeDownBlog, undoTakedown, deleteCommentAs } from "../moderation/actions.ts";
import { staffBlogs, staffComments } from "../moderation/find-queries.ts";
import { inSearchOrder, searchStaff } from "../moderation/find.ts";
import { operator } from "../moderation/log.ts";
import { command, printable, table } from "./command.ts";
import { withServices } from "./services.ts";

/* Moderation of content from the command line. */

const { reason: Reason } = DeleteBlog.shape;
const takes = "BLOG";
const reason = { reason: { type: "string" } } as const;
const searchArguments = "[WORDS] [--by NAME|@USERNAME]";
const by = { by: { type: "string" } } as const;
const formatDate = (at: number) => new Date(at).toISOString().slice(0, 10);

/** By id, slug or URL. */
async function blogOf({ database }: Services, reference: string) {
  const name = reference.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const blog =
    (await blogFactsById(database.read, name, null)) ?? (await blogFactsBySlug(database.read, name, null));
  if (!blog) throw new AppError("not_found", `There is no blog “${printable(reference)}”.`);
  return blog;
}

const runOnBlog =
  (
    action: (tx: Transaction, id: string, options: { reason: string; undo: boolean }) => Promise<void>,
    outcome: (undo: boolean) => string,
  ) =>
  ({ words: [reference = ""], options }: { words: string[]; options: { reason?: string; undo?: boolean } }) =>
    withServices(async (services) => {
      const { id, slug } = await blogOf(services, reference);
      const input = { reason: Reason.parse(options.reason ?? ""), undo: options.undo === true };
      await services.database.write((tx) => action(tx, id, input));
      return { lines: `${slug} ${outcome(input.undo)}.`, json: { id, slug, done: outcome(input.undo) } };
    });

export const commands = [
  command({
    name: "blog find",
    takes: `${searchArguments} [--taken-down]`,
    description:
      "Lists the newest public blogs, or those that were taken down, with these words in them. Drafts and private blogs are not listed.",
    words: [0, 1],
    options: { ...by, "taken-down": { type: "boolean" } },
    run: ({ words: [query = ""], options }) =>
      withServices(async (services) => {
        const state = options["taken-down"] ? "taken-down" : "all";
        const filter = FindBlogs.parse({ query, by: options.by ?? "", state });
        const found = await searchStaff(services, "local", { kind: "blogs", ...filter });
        const rows = inSearchOrder(
          found,
          await staffBlogs(services.database.read, found.numbers, operator.id),
        );
        return {
          lines: table(
            ["date", "by", "blog", "title"],
            rows.map(({ at, author, slug, title, takedownReason }) => [
              formatDate(at),
              author.username,
              slug,
              takedownReason === null ? title : `${title} (taken down: ${takedownReason})`,
            ]),
          ),
          json: rows.map(({ id, slug, title, at, author, takedownReason }) => ({
            id,
            slug,
            title,
            author: author.username,
            at: new Date(at).toISOString(),
            takedownReason,
          })),
        };
      }),
  }),
  command({
    name: "blog take-down",
    takes: `${takes} [--reason WORDS] [--undo]`,
    description:
      "Makes a blog a draft that its author can’t publish, and tells them why. --undo restores it.",
    words: [1, 1],
    options: { ...reason, undo: { type: "boolean" } },
    run: runOnBlog(
      (tx, id, { reason: why, undo }) =>
        undo ? undoTakedown(tx, operator, id) : takeDownBlog(tx, operator, id, why),
      (undo) => (undo ? "is restored" : "is taken down"),
    ),
  }),
  command({
    name: "blog delete",
    takes: `${takes} [--reason WORDS]`,
    description: "Deletes a public blog, or one that was taken down, with its comments, for good.",
    words: [1, 1],
    options: reason,
    run: runOnBlog(
      (tx, id, { reason: why }) => deleteBlogAs(tx, operator, id, why),
      () => "is deleted",
    ),
  }),
  command({
    name: "comment find",
    takes: searchArguments,
    description: "Lists the newest comments on public blogs that have these words in them.",
    words: [0, 1],
    options: by,
    run: ({ words: [query = ""], options }) =>
      withServices(async (services) => {
        const filter = FindComments.parse({ query, by: options.by ?? "" });
        const found = await searchStaff(services, "local", { kind: "comments", state: "all", ...filter });
        const rows = inSearchOrder(
          found,
          await staffComments(services.database.read, found.numbers, operator.id),
        );
        return {
          lines: table(
            ["date", "by", "id", "below", "text"],
            rows.map(({ at, author, id, slug, text }) => [
              formatDate(at),
              author?.username ?? "",
              id,
              slug,
              [...text.replace(/\s+/g, " ")].slice(0, 80).join(""),
            ]),
          ),
          json: rows.map(({ id, slug, text, at, author }) => ({
            id,
            blog: slug,
            text,
            author: author?.username ?? null,
            at: new Date(at).toISOString(),
          })),
        };
      }),
  }),
  command({
    name: "comment delete",
    takes: "ID [--reason WORDS]",
    description: "Deletes a comment with its replies.",
    words: [1, 1],
    options: reason,
    run: ({ words: [id = ""], options }) =>
      withServices(async (services) => {
        await deleteCommentAs(services, async () => operator, id, Reason.parse(options.reason ?? ""));
        return { lines: "Comment deleted.", json: { id, deleted: true } };
      }),
  }),
];
