import { z } from "zod";
import { limits } from "./limits.ts";
import { staffLimits } from "./staff-limits.ts";
import { messages } from "./errors.ts";
import { hasPile, isSeen, withoutUnseen } from "./plain-text.ts";
import { reservedNames } from "./reserved-names.ts";

/** A person as shown beside everything they write. `picture` is a path on this site, or null: the page draws initials. */
export interface Person {
  id: string;
  username: string;
  name: string;
  picture: string | null;
}

/** Who is signed in, as the page knows them. `session` is the public handle: it authenticates nothing. */
export interface Viewer extends Person {
  email: string;
  bio: string;
  interests: string[];
  /** Words, and tags with `#` before them, that stand in no list of theirs. */
  mutedWords: string[];
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
  /** Counts as a reader, and is named while replying. */
  showPresence: boolean;
  isAdmin: boolean;
  /** May answer reports; so may an administrator. */
  isModerator: boolean;
  /** May write where administrators choose who does. */
  writer: boolean;
  /** Until when they know the site's terms: ISO 8601. */
  textsSeenAt: string;
  /** False where the account signs in with Google alone. */
  hasPassword: boolean;
  session: string;
  /** Where the account's own stream goes on after this was read; in the answers that a page may begin with. */
  cursor?: string;
}

/** What the account's owner decides, each by itself. */
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

/** How the viewer stands to somebody: `self` never has a follow button. */
export type FollowStatus = "self" | "follow" | "requested" | "following";

/** A profile's head. Counts are null where the viewer may not know them. */
export interface Profile extends Person {
  bio: string;
  private: boolean;
  joinedAt: string;
  followersCount: number | null;
  followingCount: number | null;
  blogsCount: number | null;
  follow: FollowStatus;
  /** True where the account is private and the viewer is no follower: no blog is shown. */
  closed: boolean;
  tabs: ("blogs" | "saved-blogs" | "liked-blogs" | "draft-blogs" | "private-blogs")[];
}

/** A signed-in browser or client, for the settings page. */
export interface OpenSession {
  handle: string;
  /** As the browser names itself. */
  device: string;
  startedAt: string;
  seenAt: string;
  current: boolean;
  /** Notifications are pushed to it. */
  push: boolean;
}

/** How an account signs in beside its password, for the settings page. */
export interface AccessFacts {
  /** An authenticator app's code is asked for after the password. */
  app: boolean;
  /** A passkey is. */
  passkeyStep: boolean;
  /** Recovery codes that were not used yet. */
  codesLeft: number;
  passkeys: { id: string; name: string; createdAt: string; usedAt: string | null }[];
}

/** What an authenticator app is set up with: its secret for typing, and the address that a QR code shows it. */
export interface AppSetup {
  secret: string;
  uri: string;
}

/** Who may sign up: everybody, whoever has a link for it, nobody. */
export type SignUpMode = "open" | "approval" | "invitation" | "closed";

/** What the page needs to know of the site itself. */
export interface SiteFacts {
  name: string;
  /** What it says of itself in one line. */
  description: string;
  /** A small square, or null. */
  picture: string | null;
  /** The tag of the language that is mostly written here. */
  language: string;
  /** Style sheets of the site's own, after those of the build. */
  sheets: string[];
  /** Since when each of its texts is as it is (ISO 8601); null where there is none. */
  terms: string | null;
  privacy: string | null;
  /** Whether only approved writers can publish. */
  writersChosen: boolean;
  docsUrl: string;
  publicUrl: string;
  google: boolean;
  /** Whether no mail server is set, so that mails are files on the server. */
  keepsMail: boolean;
  signUp: SignUpMode;
  /** What whoever signs up is asked, where they then wait for moderators; else empty. */
  question: string;
  /** Sample logins, in demo mode alone (docs/specification.md, 1.14). */
  samples: { name: string; email: string; password: string }[];
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const plain = (max: number, name: string, tidy: (text: string) => string) =>
  z
    .string()
    .max(max * 4, `${name} is too long: at most ${max} characters.`)
    .refine((value) => !controls.test(value), `${name} contains characters that can't be shown.`)
    .transform((value) => tidy(withoutUnseen(value.toWellFormed().normalize("NFC"))).trim())
    .refine((value) => !hasPile(value), `${name} has too many accents on one letter. Please remove some.`)
    .refine((value) => [...value].length <= max, `${name} is too long: at most ${max} characters.`);

/** One line of text: trimmed, runs of white space folded, nothing unseen in it and no halves of characters. */
export const line = (max: number, name: string) =>
  plain(max, name, (text) => text.replace(/[\s\u0085]+/gu, " "));

/** Text of several lines: line breaks kept, the rest as in `line`. */
export const lines = (max: number, name: string) =>
  plain(max, name, (text) => text.replace(/\r\n?|\u0085/g, "\n"));

/** An id made by the client or by us: a UUID in lower case. */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "That id is not valid.");

/** The number of a page in a list, from 1. */
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

export const PersonName = line(limits.name.max, "The name").refine(isSeen, "Please enter a name.");

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
  .refine((value) => !reservedNames.has(value), "That username is reserved. Please choose another.");

export const SignUp = z.strictObject({
  /** The site's task with what was found, where a browser is asked for it (shared/work.ts). */
  work: z.string().max(300).optional(),
  name: PersonName,
  email: Email,
  password: Password,
  /** The code of a link, where joining is by invitation. */
  invitation: z.string().max(100).optional(),
  /** A box that no person sees: whoever fills it in is a program that fills in all there is. */
  contact_url: z.string().max(1_000).default(""),
  /** To the question of the site, where new people wait for moderators. */
  answer: z.union([z.literal(""), lines(staffLimits.signupRequests.answer, "Your answer")]).default(""),
});
/** Of an authenticator app, or a recovery code, as people type them. */
const AccessCode = z.string().min(1, "Please enter the code.").max(40, "That code is too long.");
export const SignIn = z.strictObject({
  email: Email,
  password: z
    .string()
    .min(1, "Please enter your password.")
    .max(limits.password.max, "That password is too long."),
  /** For an account with two steps. */
  code: AccessCode.optional(),
});
/** The password of whoever is signed in already. */
export const OwnPassword = SignIn.pick({ password: true });
export const PasswordChange = z.strictObject({ current: OwnPassword.shape.password, password: Password });
/** Without a password where the account has none. */
export const EmailChange = z.strictObject({ email: Email, password: OwnPassword.shape.password.optional() });
export const Code = z.strictObject({ code: AccessCode });
export const PasskeyStep = OwnPassword.extend({ on: z.boolean() });
const PasskeyId = z.string().regex(/^[\w-]{1,1400}$/, "That passkey is not valid.");
const PasskeyName = line(limits.passkeys.name, "The name").refine(isSeen, "Enter a name for it.");
/** What a device answers; the rest of it is looked at by whoever checks it. */
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
  .transform((value) => value.toLowerCase())
  .refine(isSeen, messages.interestEmpty);
/** Trimmed, lowercased, duplicates dropped (docs/specification.md, 7.24). */
export const Interests = z
  .array(Interest)
  .max(limits.interests.max * 2, `At most ${limits.interests.max} interests.`)
  .transform((list) => [...new Set(list)])
  .refine((list) => list.length <= limits.interests.max, `At most ${limits.interests.max} interests.`);

/** Trimmed, lowercased, duplicates dropped. */
export const MutedWords = z
  .array(
    line(limits.mutedWords.length, "A word")
      .transform((value) => value.toLowerCase().replace(/^#+\s*/, "#"))
      .refine((value) => isSeen(value.replace("#", "")), "Enter a word first."),
  )
  .max(limits.mutedWords.max, `You can mute up to ${limits.mutedWords.max} words.`)
  .transform((list) => [...new Set(list)]);

export const ProfileUpdate = z.strictObject({
  name: PersonName.optional(),
  username: Username.optional(),
  bio: lines(limits.bio.max, "The bio").optional(),
  /** A media id that the person uploaded, or null to have none. */
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
