import { z } from "zod";

/* The shapes of /api/v1 (docs/specification.md, 3): what answers look like, and what the OpenAPI document says of them. */

const id = z.string().describe("an id");
const url = z.string().nullable().describe("an absolute URL, or null");
const time = z.string().describe("ISO 8601");

export const PersonShape = z
  .object({ _id: id, name: z.string(), username: z.string(), profilePic: url })
  .meta({ id: "Person" });
const people =
  "at most the newest 1,000, and fewer where the answer would pass 1 MB; you among them if you are one; a pseudonym for whoever does not show it";
const followers = "at most the newest 1,000; where they are not shown to you, nobody but you";
const exact = z.number().describe("of all, also of those that the list has no room for");
const IdOnly = z.object({ _id: id });

export const CardShape = z
  .object({
    _id: id,
    blogId: z.string().describe("the part of the blog's address"),
    title: z.string(),
    description: z.string(),
    image: url,
    coverFocus: z
      .object({ x: z.number(), y: z.number() })
      .nullable()
      .describe(
        "the point of the image that stays in view where it is cropped, in percent; null: its middle",
      ),
    tags: z.array(z.string()),
    draft: z.boolean(),
    private: z.boolean(),
    createdAt: time,
    creator: PersonShape.extend({
      email: z.string().optional().describe("only where the viewer is the creator"),
    }),
    coAuthors: z
      .array(PersonShape)
      .describe(
        "who writes it with the creator, as they joined; without those who are hidden from you by a block",
      ),
    likes: z.array(IdOnly).describe(people),
    likesCount: exact,
    comments: z.array(IdOnly).describe("at most the newest 1,000, those that answer none"),
    commentsCount: exact,
    totalSaves: z.array(id).describe(people),
    totalSavesCount: exact,
  })
  .meta({ id: "Card" });

export interface CommentAnswer {
  _id: string;
  user: { _id: string; name: string; username: string; profilePic: string | null };
  comment: string;
  createdAt: string;
  likes: string[];
  likesCount: number;
  replies: CommentAnswer[];
  repliesCount: number;
  parentComment: string | null;
}
export const CommentShape = z
  .object({
    _id: id,
    user: PersonShape,
    comment: z.string(),
    createdAt: time,
    likes: z.array(id).describe(people),
    likesCount: exact,
    get replies() {
      return z.array(CommentShape).describe("oldest first");
    },
    repliesCount: z.number().describe("how many answer it, also those that there was no room for"),
    parentComment: id.nullable(),
  })
  .meta({ id: "Comment" });

export const BlogShape = CardShape.omit({ likes: true, comments: true, creator: true })
  .extend({
    content: z.string().describe("HTML"),
    canonicalUrl: z.string().describe("where it appeared first; empty for nowhere else"),
    searchTitle: z.string(),
    searchDescription: z.string(),
    language: z
      .string()
      .describe(
        "what it is written in, such as en or pt-BR: as its author says, else as guessed; empty where nobody knows",
      ),
    scheduledFor: time
      .nullable()
      .optional()
      .describe("only of the viewer's own drafts: when it is published by itself"),
    likes: z.array(id).describe(people),
    creator: PersonShape.extend({
      image: url,
      email: z.string().optional(),
      followers: z.array(IdOnly).describe(followers),
      followersCount: z.number(),
    }),
    comments: z
      .array(CommentShape)
      .describe("oldest first, as many of the oldest as the answer has room for"),
  })
  .meta({ id: "Blog" });

export const OwnUserShape = z
  .object({
    token: z.string().describe("the bearer token"),
    id,
    _id: id,
    name: z.string(),
    username: z.string(),
    email: z.string(),
    profilePic: url,
    bio: z.string(),
    interests: z.array(z.string()),
    followers: z.array(IdOnly),
    followersCount: exact,
    following: z.array(IdOnly),
    followingCount: exact,
    private: z.boolean(),
    showLikedBlogs: z.boolean(),
    showSavedBlogs: z.boolean(),
    showFollowers: z.boolean(),
  })
  .meta({ id: "SignedInUser" });

export const UserShape = z
  .object({
    _id: id,
    name: z.string(),
    username: z.string(),
    bio: z.string(),
    profilePic: url,
    private: z.boolean(),
    showSavedBlogs: z.boolean(),
    showLikedBlogs: z.boolean(),
    showFollowers: z.boolean(),
    followers: z.array(PersonShape).describe(followers),
    following: z.array(PersonShape).describe("at most the newest 1,000"),
    followersCount: z.number(),
    followingCount: z.number(),
    followRequests: z
      .array(PersonShape.extend({ bio: z.string() }))
      .describe("all to the owner, to anybody else at most their own"),
    followRequestsCount: z.number(),
    blogs: z.array(CardShape).describe("newest first"),
    blogsCount: z.number().describe("how many you may read"),
    saveBlogs: z.array(CardShape),
    likeBlogs: z.array(CardShape),
  })
  .meta({ id: "User" });

export const FoundUserShape = PersonShape.extend({ bio: z.string() }).meta({ id: "FoundUser" });
export const SuccessShape = z.object({ success: z.literal(true) });
export const MessageShape = SuccessShape.extend({ message: z.string() }).meta({ id: "Message" });
export const FailureShape = z
  .object({
    success: z.literal(false),
    message: z.string(),
    field: z.string().optional().describe("which input the message is about"),
  })
  .meta({ id: "Failure" });
export const CardsShape = SuccessShape.extend({ blogs: z.array(CardShape), hasMore: z.boolean() });
/** Whether a list of one person goes on: with `limit=50`, and the page after as many fifties as came. */
export const goesOn = z
  .boolean()
  .describe("whether there is more: ask for the next page, or with limit=50 for the page after what came");
