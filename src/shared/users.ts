import { z } from "zod";
import { limits } from "./limits.ts";
import { staffLimits } from "./staff-limits.ts";
import { messages } from "./errors.ts";
import { hasStackedMarks, hasVisibleText, removeInvisible } from "./plain-text.ts";
import { isReserved } from "./reserved-names.ts";
import { withoutHash } from "./tags.ts";

/** A person beside what they write. `picture` is a path on this site; null shows initials. */
export interface Person {
  id: string;
  username: string;
  name: string;
  picture: string | null;
}

/** The signed-in person. `session` is a public handle that authenticates nothing. */
export interface Viewer extends Person {
  email: string;
  bio: string;
  interests: string[];
  /** Words, and tags with a leading `#`, that hide blogs from the viewer's lists. */
  mutedWords: string[];
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
  /** They count as a reader and are named while replying. */
  showPresence: boolean;
  isAdmin: boolean;
  /** Can resolve reports, as administrators can. */
  isModerator: boolean;
  /** Can publish where only approved writers can. */
  writer: boolean;
  /** When they last saw the site's terms (ISO 8601). */
  textsSeenAt: string;
  /** False if the account only uses Google. */
  hasPassword: boolean;
  session: string;
  /** Where the account's live stream resumes; in responses that a page may begin with. */
  cursor?: string;
}

/** Each setting changes independently. */
export type Settings = Pick<
  Viewer,
  | "private"
  | "showLikedBlogs"
  | "showSavedBlogs"
  | "showFollowers"
  | "showPresence"
  | "interests"
  | "mutedWords"
>;

/** The viewer's relation to a person; `self` has no follow button. */
export type FollowStatus = "self" | "follow" | "requested" | "following";

/** A profile's head. Counts are null if hidden from the viewer. */
export interface Profile extends Person {
  bio: string;
  private: boolean;
  joinedAt: string;
  followersCount: number | null;
  followingCount: number | null;
  blogsCount: number | null;
  follow: FollowStatus;
  /** A private account that the viewer does not follow: no blogs are shown. */
  closed: boolean;
  tabs: ("blogs" | "saved-blogs" | "liked-blogs" | "draft-blogs" | "private-blogs")[];
}

export interface OpenSession {
  handle: string;
  /** From its user agent. */
  device: string;
  startedAt: string;
  seenAt: string;
  current: boolean;
  /** It receives push notifications. */
  push: boolean;
}

/** How an account signs in beside its password. */
export interface SignInMethods {
  /** A code of an authenticator app is required after the password. */
  app: boolean;
  /** A passkey is required after the password. */
  passkeyStep: boolean;
  /** Unused recovery codes. */
  codesLeft: number;
  passkeys: { id: string; name: string; createdAt: string; usedAt: string | null }[];
  feedRenewals: number;
}

/** The secret address of a personal feed, which is no longer valid once `feedRenewals` of `SignInMethods` is higher. */
export interface OwnFeed {
  address: string;
  renewals: number;
}

/** The setup of an authenticator app: a secret to type, and the URI for a QR code. */
export interface AuthenticatorSetup {
  secret: string;
  uri: string;
}

/** Who can sign up: everyone, everyone after approval, people with an invitation link, or no one. */
export type SignUpMode = "open" | "approval" | "invitation" | "closed";

/** Facts about the site for every page. */
export interface SiteInfo {
  name: string;
  description: string;
  picture: string | null;
  /** The site's main language. */
  language: string;
  /** The administrators' style sheets, loaded after the build's. */
  sheets: string[];
  /** When the text last changed (ISO 8601); null if there is none. */
  terms: string | null;
  privacy: string | null;
  writersChosen: boolean;
  docsUrl: string;
  publicUrl: string;
  /** Recommended topics, which lead to searches. */
  topics: string[];
  google: boolean;
  /** Without a mail server: emails are files on the server, and a terminal may show their links, too. */
  keptMail: "file" | "terminal" | null;
  signUp: SignUpMode;
  /** Asked at sign-up if new accounts need approval; else empty. */
  question: string;
  /** Sample logins, only in demo mode (docs/specification.md, 1.14). */
  samples: { name: string; email: string; password: string }[];
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const plain = (max: number, name: string, tidy: (text: string) => string) =>
  z
    .string()
    .max(max * 4, `${name} is too long: at most ${max} characters.`)
    .refine((value) => !controls.test(value), `${name} contains characters that can't be shown.`)
    .transform((value) => tidy(removeInvisible(value.toWellFormed().normalize("NFC"))).trim())
    .refine(
      (value) => !hasStackedMarks(value),
      `${name} has too many accents on one letter. Please remove some.`,
    )
    .refine((value) => [...value].length <= max, `${name} is too long: at most ${max} characters.`);

/** Validates one line of text: trimmed, white space collapsed, no invisible characters, no lone surrogates. */
export const line = (max: number, name: string) =>
  plain(max, name, (text) => text.replace(/[\s\u0085]+/gu, " "));

/** Validates several lines of text: line breaks stay, the rest as in `line`. */
export const lines = (max: number, name: string) =>
  plain(max, name, (text) => text.replace(/\r\n?|\u0085/g, "\n"));

/** An id made by the client or the server: a UUID in lower case. */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "That id is not valid.");

/** A blog's id, or a slug it has or had. */
export const BlogKey = z.string().min(1).max(200);

export const PageNumber = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const Email = z
  .string()
  .max(limits.email.max, "That email address is too long.")
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email("Please enter a valid email address."));

export const Password = z
  .string()
  .min(limits.password.min, `Use at least ${limits.password.min} characters.`)
  .max(limits.password.max, `A password has at most ${limits.password.max} characters.`);

export const PersonName = line(limits.name.max, "The name").refine(hasVisibleText, "Please enter a name.");

export const Username = z
  .string()
  .max(200)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => value.length > 0, "Username is required.")
  .refine((value) => value.length >= limits.username.min, messages.usernameShort)
  .refine(
    (value) => value.length <= limits.username.max,
    `Username must be at most ${limits.username.max} characters.`,
  )
  .refine(
    (value) => /^[a-z0-9][a-z0-9._-]*$/.test(value),
    "A username can have letters a–z, digits, dots, hyphens and underscores, and starts with a letter or digit.",
  )
  .refine((value) => !isReserved(value), "That username is reserved. Please choose another.");

export const SignUp = z.strictObject({
  /** The solved proof of work (shared/proof-of-work.ts). */
  work: z.string().max(300).optional(),
  name: PersonName,
  email: Email,
  password: Password,
  invitation: z.string().max(100).optional(),
  /** A honeypot that no person sees: only programs fill it in. */
  contact_url: z.string().max(1_000).default(""),
  /** To the site's question, if new accounts need approval. */
  answer: z.union([z.literal(""), lines(staffLimits.signupRequests.answer, "Your answer")]).default(""),
});
/** The first administrator, by the secret of the set-up link. */
export const SetUp = SignUp.pick({ name: true, email: true, password: true }).extend({
  secret: z.string().max(200),
});
/** An authenticator app's code, or a recovery code, as typed. */
const AccessCode = z.string().min(1, "Please enter the code.").max(40, "That code is too long.");
export const SignIn = z.strictObject({
  email: Email,
  password: z
    .string()
    .min(1, "Please enter your password.")
    .max(limits.password.max, "That password is too long."),
  /** For two-step sign-in. */
  code: AccessCode.optional(),
});
export const OwnPassword = SignIn.pick({ password: true });
export const PasswordChange = z.strictObject({ current: OwnPassword.shape.password, password: Password });
/** Without a password if the account has none. */
export const EmailChange = z.strictObject({ email: Email, password: OwnPassword.shape.password.optional() });
/** Without a password if the account has none. */
export const ShowFeed = z.strictObject({
  password: z.string().max(limits.password.max).default(""),
  renew: z.boolean().default(false),
});
export const Code = z.strictObject({ code: AccessCode });
export const PasskeyStep = OwnPassword.extend({ on: z.boolean() });
const PasskeyId = z.string().regex(/^[\w-]{1,1400}$/, "That passkey is not valid.");
const PasskeyName = line(limits.passkeys.name, "The name").refine(hasVisibleText, "Enter a name for it.");
/** An authenticator's response; the verifier checks the other fields. */
const PasskeyAnswer = z.looseObject({
  id: PasskeyId,
  response: z.looseObject({ userHandle: z.string().max(200).optional() }),
});
export const PasskeyRemoval = OwnPassword.extend({ id: PasskeyId });
export const NewPasskey = z.strictObject({ name: PasskeyName, response: PasskeyAnswer });
export const PasskeySignIn = z.strictObject({ response: PasskeyAnswer });
export const ForgotPassword = z.strictObject({ email: Email });
export const ResetPassword = z.strictObject({ token: z.string().min(1).max(200), password: Password });
export const SessionHandle = z.strictObject({ handle: z.string().min(1).max(64) });
export const Token = z.strictObject({ token: z.string().min(1).max(200) });

export const Interest = line(limits.interests.length, "An interest")
  .transform((value) => withoutHash(value).toLowerCase())
  .refine(hasVisibleText, messages.interestEmpty);
/** Trimmed, lowercased, without duplicates (docs/specification.md, 7.24). */
export const Interests = z
  .array(Interest)
  .max(limits.interests.max * 2, `At most ${limits.interests.max} interests.`)
  .transform((list) => [...new Set(list)])
  .refine((list) => list.length <= limits.interests.max, `At most ${limits.interests.max} interests.`);

/** Trimmed, lowercased, without duplicates. */
export const MutedWords = z
  .array(
    line(limits.mutedWords.length, "A word")
      .transform((value) => value.toLowerCase().replace(/^[#＃]+\s*/u, "#"))
      .refine((value) => hasVisibleText(value.replace("#", "")), "Enter a word first."),
  )
  .max(limits.mutedWords.max, `You can mute up to ${limits.mutedWords.max} words.`)
  .transform((list) => [...new Set(list)]);

export const ProfileUpdate = z.strictObject({
  name: PersonName.optional(),
  username: Username.optional(),
  bio: lines(limits.bio.max, "The bio").optional(),
  /** The id of a picture that the person uploaded; null for none. */
  pictureId: Id.nullable().optional(),
});

export const SettingsUpdate = z.strictObject({
  private: z.boolean().optional(),
  showLikedBlogs: z.boolean().optional(),
  showSavedBlogs: z.boolean().optional(),
  showFollowers: z.boolean().optional(),
  showPresence: z.boolean().optional(),
  interests: Interests.optional(),
  mutedWords: MutedWords.optional(),
});
