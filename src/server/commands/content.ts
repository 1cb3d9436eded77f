import { DeleteBlog, StaffBlogList, StaffCommentList } from "../../shared/staff-content.ts";
import { AppError } from "../../shared/errors.ts";
import { blogFactsById, blogFactsBySlug } from "../blogs/queries.ts";
import type { Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { deleteBlogAs, takeDownBlog, undoTakedown, deleteCommentAs } from "../moderation/actions.ts";
import { listBlogs, listComments } from "../moderation/content-queries.ts";
import { pageOf } from "../moderation/content.ts";
import { operator } from "../moderation/log.ts";
import { command, printable, table } from "./command.ts";
import { withServices } from "./services.ts";

/* Moderation of content from the command line. */

const { reason: Reason } = DeleteBlog.shape;
const takes = "BLOG";
const reason = { reason: { type: "string" } } as const;
const listArguments = "[--by USERNAME] [--page NUMBER]";
const listOptions = { by: { type: "string" }, page: { type: "string" } } as const;
/** Parses the options of a list. */
const listInput = ({ by = "", page = "1" }: { by?: string; page?: string }) => ({ by, page: Number(page) });
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
    name: "blog list",
    takes: `${listArguments} [--taken-down]`,
    description:
      "Lists the newest public blogs, or those that were taken down, but no drafts and private blogs.",
    words: [0, 0],
    options: { ...listOptions, "taken-down": { type: "boolean" } },
    run: ({ options }) =>
      withServices(async ({ database: { read } }) => {
        const state = options["taken-down"] ? "taken-down" : "all";
        const { by, page } = StaffBlogList.parse(listInput(options));
        const rows = await pageOf(read, by, page, (at) =>
          listBlogs(read, { ...at, state, viewerId: operator.id }),
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
    name: "comment list",
    takes: listArguments,
    description: "Lists the newest comments below public blogs.",
    words: [0, 0],
    options: listOptions,
    run: ({ options }) =>
      withServices(async ({ database: { read } }) => {
        const { by, page } = StaffCommentList.parse(listInput(options));
        const rows = await pageOf(read, by, page, (at) =>
          listComments(read, { ...at, viewerId: operator.id }),
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
