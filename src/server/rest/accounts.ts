import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { SearchQuery } from "../../shared/search.ts";
import {
  ForgotPassword,
  Id,
  OwnPassword,
  PersonName,
  ProfileUpdate,
  ResetPassword,
  SignIn,
  SignUp,
  Token,
  Username,
  type Viewer,
} from "../../shared/users.ts";
import { bearerOf } from "../http/request-context.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Context, MemberContext } from "../context.ts";
import { Paging, type Endpoints } from "./endpoints.ts";
import { restPerson, restTies } from "./present.ts";
import { absolute } from "../media/picture-addresses.ts";
import { pictureIn } from "../http/json-body.ts";
import { FoundUserShape, MessageShape, OwnUserShape, SuccessShape } from "./shapes.ts";
import { signInWithGoogle } from "../sign-in/google-account.ts";
import { deleteOwnAccount } from "../accounts/confirm-deletion.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { updateProfile } from "../profiles/edit-profile.ts";
import { searchPeople } from "../search/people.ts";
import { resendVerification, signUp, verifyEmail } from "../sign-in/sign-up.ts";
import { forgotPassword, resetPassword } from "../sign-in/reset.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { pictureData } from "../media/paths.ts";
import { addBytes } from "../media/service.ts";
import { userById } from "../profiles/queries.ts";

const SignedIn = MessageShape.extend({ user: OwnUserShape });

const UserChange = z.strictObject({
  name: PersonName.optional(),
  username: Username.optional(),
  bio: ProfileUpdate.shape.bio,
  profilePic: z.string().nullable().optional(),
});

export function accountCalls(calls: Endpoints): void {
  calls.open("POST", "/signup", {
    summary: "Sign up; sends an email with a link",
    tag: "Accounts",
    body: SignUp.omit({ work: true }),
    answer: MessageShape.extend({ user: z.object({ name: z.string(), email: z.string() }) }),
    handle: async (ctx, { body }) => ({
      success: true,
      ...(await signUp(ctx, body)),
      user: { name: body.name, email: body.email },
    }),
  });
  calls.open("GET", "/verify-email/:token", {
    summary: "Confirm an email address",
    tag: "Accounts",
    params: Token,
    answer: MessageShape,
    handle: async (ctx, { params }) => ({ success: true, message: (await verifyEmail(ctx, params)).message }),
  });
  calls.open("POST", "/resend-verification", {
    summary: "Send the confirmation email again",
    tag: "Accounts",
    body: ForgotPassword,
    answer: MessageShape,
    handle: async (ctx, { body }) => ({ success: true, ...(await resendVerification(ctx, body)) }),
  });
  calls.open("POST", "/forgot-password", {
    summary: "Ask for a link to choose a new password",
    tag: "Accounts",
    body: ForgotPassword,
    answer: MessageShape,
    handle: async (ctx, { body }) => ({ success: true, ...(await forgotPassword(ctx, body)) }),
  });
  calls.open("POST", "/reset-password", {
    summary: "Choose a new password; ends all sessions",
    tag: "Accounts",
    body: ResetPassword,
    answer: MessageShape,
    handle: async (ctx, { body }) => ({ success: true, ...(await resetPassword(ctx, body)) }),
  });
  calls.open("POST", "/signin", {
    summary:
      "Sign in, with a code if the account has two-factor authentication; also sets the session cookie",
    tag: "Accounts",
    // Old clients send their whole form, with an empty name.
    body: SignIn.extend({ name: z.string().optional().describe("not used") }),
    answer: SignedIn,
    handle: async (ctx, { body }) => {
      const { viewer, token, message } = await signIn(ctx, body);
      return { success: true, message, user: await restViewer(ctx, viewer, token) };
    },
  });
  calls.open("POST", "/google-auth", {
    summary: "Sign in with an ID token that Google issued to this site",
    tag: "Accounts",
    body: z.strictObject({ accessToken: z.string().min(1).max(8_000), code: SignIn.shape.code }),
    answer: SignedIn,
    handle: async (ctx, { body }) => {
      if (!ctx.google) throw new AppError("not_found", "Google sign-in isn’t set up on this site.");
      await ctx.limits.take("signInAddress", ctx.address);
      const identity = await ctx.google.identify(body.accessToken);
      const { viewer, token, message } = await signInWithGoogle(ctx, identity, body.code);
      return { success: true, message, user: await restViewer(ctx, viewer, token) };
    },
  });
  calls.member("PATCH", "/users/:userId", {
    summary: "Change your profile; missing fields stay as they are",
    tag: "People",
    bodyLimit: Math.ceil(limits.image.bytes * 1.4),
    params: z.object({ userId: Id }),
    body: UserChange,
    answer: MessageShape.extend({
      user: FoundUserShape,
    }),
    handle: async (ctx, { params, body, request }) => {
      if (params.userId !== ctx.viewer.id)
        throw new AppError("forbidden", "Only their owner can change a profile.");
      const { profilePic, ...fields } = body;
      const viewer = await updateProfile(ctx, {
        ...fields,
        ...(await newPicture(ctx, profilePic, pictureIn(request))),
      });
      return {
        success: true,
        message: "Profile updated.",
        user: { ...restPerson(ctx, viewer), bio: viewer.bio },
      };
    },
  });
  calls.open("GET", "/search-users", {
    summary: "Search people by name, username and bio",
    tag: "People",
    query: Paging(limits.page.search).extend({ search: SearchQuery.default("") }),
    answer: SuccessShape.extend({ users: z.array(FoundUserShape), hasMore: z.boolean() }),
    handle: async (ctx, { query }) => {
      const { people, hasMore } = await searchPeople(
        ctx,
        { query: query.search, page: query.page },
        query.limit,
      );
      return {
        success: true,
        users: people.map((person) => ({ ...restPerson(ctx, person), bio: person.bio })),
        hasMore,
      };
    },
  });
  calls.open("POST", "/signout", {
    summary: "Sign out; clears the session cookie",
    tag: "Accounts",
    answer: MessageShape,
    handle: async (ctx, { request }) => {
      const bearer = bearerOf(request.headers);
      // Only the site's own page can end the cookie's session.
      const token =
        bearer ??
        (request.headers.authorization === undefined && isOwnOrigin(ctx.config, request.headers)
          ? ctx.sessions.fromCookie(request.headers.cookie)
          : null);
      if (!token) throw new AppError("unauthorized", "You’re not signed in.");
      await ctx.sessions.end(token);
      ctx.setCookie(ctx.sessions.blankCookie);
      return { success: true, message: "You’re signed out." };
    },
  });
  calls.member("DELETE", "/delete-account", {
    summary: "Delete your account with everything in it; if you send a password, it has to be right",
    tag: "Accounts",
    body: OwnPassword.partial(),
    answer: MessageShape,
    handle: async (ctx, { body: { password } }) => ({
      success: true,
      ...(await (password === undefined ? deleteAccount(ctx) : deleteOwnAccount(ctx, { password }))),
    }),
  });
}

/** Returns a client's own account with its bearer token. */
export async function restViewer(
  ctx: Context,
  viewer: Viewer,
  token: string,
): Promise<z.output<typeof OwnUserShape>> {
  const { id, name, username, email, bio, interests, showLikedBlogs, showSavedBlogs, showFollowers } = viewer;
  return {
    token,
    id,
    _id: id,
    name,
    username,
    email,
    bio,
    interests,
    profilePic: absolute(ctx, viewer.picture),
    ...(await restTies(ctx, id)),
    private: viewer.private,
    showLikedBlogs,
    showSavedBlogs,
    showFollowers,
  };
}

/** Parses a `profilePic`: a data URL (`sent` if large), the current URL (keep), or nothing (none). */
async function newPicture(
  ctx: MemberContext,
  profilePic: string | null | undefined,
  sent: Buffer | undefined,
): Promise<{ pictureId?: string | null }> {
  if (profilePic === undefined) return {};
  if (profilePic === null || profilePic === "" || profilePic === "null") return { pictureId: null };
  const bytes = sent ?? pictureData(profilePic);
  if (bytes) return { pictureId: (await addBytes(ctx, bytes)).id };
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (user?.pictureId && profilePic.includes(user.pictureId)) return {};
  throw new AppError("bad_request", "Please send the picture as a data URL.", { field: "profilePic" });
}
