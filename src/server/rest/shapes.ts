import { z } from "zod";

/* The response schemas of /api/v1 (docs/specification.md, 3), also for OpenAPI. */

const id = z.string().describe("an id");
const url = z.string().nullable().describe("an absolute URL, or null");
const time = z.string().describe("ISO 8601");

export const PersonShape = z
  .object({ _id: id, name: z.string(), username: z.string(), profilePic: url })
  .meta({ id: "Person" });
const people =
  "the newest, at most 1,000 for a single blog and 100 in a list; includes you if you are one of them; a pseudonym for people who hide it";
const followers = "at most the newest 1,000; if you can’t see them, only yourself";
const exact = z.number().describe("of all, including those not in the list");
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
      .describe("the point of the image that stays visible when it is cropped, in percent; null: the center"),
    tags: z.array(z.string()),
    draft: z.boolean(),
    private: z.boolean(),
    createdAt: time,
    creator: PersonShape.extend({
      email: z.string().optional().describe("only if the viewer is the author"),
    }),
    coAuthors: z
      .array(PersonShape)
      .describe(
        "co-authors in the order in which they joined, without people who are hidden from you by a block",
      ),
    likes: z.array(IdOnly).describe(people),
    likesCount: exact,
    comments: z.array(IdOnly).describe("at most the newest 100, without replies"),
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
    repliesCount: z.number().describe("the number of replies, including those not in the list"),
    parentComment: id.nullable(),
  })
  .meta({ id: "Comment" });

export const LiveShape = z
  .object({
    since: time,
    ended: time.nullable().describe("null while it is on air, taking entries"),
    summary: z.array(z.string()).describe("points above the entries"),
    embeddable: z.boolean().describe("whether other sites may show it in a frame"),
  })
  .meta({ id: "LiveState" });

export const EntryShape = z
  .object({
    _id: id,
    at: time.describe("the time that readers see, in ISO 8601"),
    title: z.string().describe("may be empty"),
    headline: z.string().describe("its title, or its first words"),
    isKey: z.boolean().describe("whether it is a key moment"),
    content: z.string().describe("HTML"),
    creator: PersonShape.nullable().describe(
      "who posted it; null if they are hidden from you by a block, or their account is gone",
    ),
    editedAt: time.nullable(),
    likesCount: z.number(),
  })
  .meta({ id: "Entry" });

export const BlogShape = CardShape.omit({ likes: true, comments: true, creator: true })
  .extend({
    content: z.string().describe("HTML"),
    canonicalUrl: z.string().describe("the address where it was published first; empty if it was here"),
    searchTitle: z.string(),
    searchDescription: z.string(),
    language: z
      .string()
      .describe("the language, such as en or pt-BR: set by the author, otherwise guessed; empty if unknown"),
    scheduledFor: time
      .nullable()
      .optional()
      .describe("only for the viewer's own drafts: the scheduled time of publication"),
    live: LiveShape.nullable().describe("null if it is no live blog"),
    likes: z.array(id).describe(people),
    creator: PersonShape.extend({
      image: url,
      email: z.string().optional(),
      followers: z.array(IdOnly).describe(followers),
      followersCount: z.number(),
    }),
    comments: z.array(CommentShape).describe("oldest first, at most 4,000 with a megabyte of text"),
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
      .describe("all of them for the owner; for others only their own"),
    followRequestsCount: z.number(),
    blogs: z.array(CardShape).describe("newest first"),
    blogsCount: z.number().describe("how many you can read"),
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
    field: z.string().optional().describe("the input that the message is about"),
  })
  .meta({ id: "Failure" });
export const CardsShape = SuccessShape.extend({ blogs: z.array(CardShape), hasMore: z.boolean() });
export const hasMoreShape = z.boolean().describe("whether the next page has more");
