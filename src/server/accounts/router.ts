import {
  EmailChange,
  OwnPassword,
  PasswordChange,
  SessionHandle,
  SettingsUpdate,
  ShowFeed,
  Token,
} from "../../shared/users.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { BrowserPushSubscription } from "../../shared/push.ts";
import { changeEmail, followEmailLink } from "./change-email.ts";
import { deleteByLink, deleteOwnAccount, sendDeletionLink } from "./confirm-deletion.ts";
import { changePassword } from "./own-account.ts";
import { ownFeed } from "./personal-feed.ts";
import { pushState, subscribe, unsubscribe } from "./push-subscriptions.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "./sessions.ts";
import { updateSettings } from "./settings.ts";

export const accountProcedures = {
  sessions: authedProcedure.query(({ ctx }) => listSessions(ctx)),
  revokeSession: authedProcedure.input(SessionHandle).mutation(({ ctx, input }) => revokeSession(ctx, input)),
  revokeOtherSessions: authedProcedure.mutation(({ ctx }) => revokeOtherSessions(ctx)),
  ownFeed: authedProcedure.input(ShowFeed).mutation(({ ctx, input }) => ownFeed(ctx, input)),
  changePassword: authedProcedure
    .input(PasswordChange)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  changeEmail: authedProcedure.input(EmailChange).mutation(({ ctx, input }) => changeEmail(ctx, input)),
  followEmailLink: publicProcedure.input(Token).mutation(({ ctx, input }) => followEmailLink(ctx, input)),
  updateSettings: authedProcedure
    .input(SettingsUpdate)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
  remove: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => deleteOwnAccount(ctx, input)),
  sendDeletionLink: authedProcedure.mutation(({ ctx }) => sendDeletionLink(ctx)),
  deleteByLink: publicProcedure.input(Token).mutation(({ ctx, input }) => deleteByLink(ctx, input)),
};

export const pushProcedures = {
  state: authedProcedure.query(({ ctx }) => pushState(ctx)),
  subscribe: authedProcedure
    .input(BrowserPushSubscription)
    .mutation(({ ctx, input }) => subscribe(ctx, input)),
  unsubscribe: authedProcedure.mutation(({ ctx }) => unsubscribe(ctx)),
};
