import { AnswerInvitation, InviteAuthor, RemoveAuthor } from "../../shared/authors.ts";
import { BlogId, RemoveBlog } from "../../shared/blogs.ts";
import { CommentsOf } from "../../shared/comments.ts";
import {
  Block,
  Follow,
  HandleRequest,
  LikeBlog,
  ListPeople,
  Mute,
  ReadNotifications,
  SeeNotifications,
  SaveBlog,
  UserId,
} from "../../shared/social.ts";
import { KeepPlace } from "../../shared/reading-place.ts";
import { SetNotificationChannels, SetZone, SetSubscription } from "../../shared/notifications.ts";
import { OwnPassword, SettingsUpdate, Token } from "../../shared/users.ts";
import { listNotifications, readNotifications, seeNotifications } from "../notifications/service.ts";
import { notificationSettings, setNotificationChannels, setZone } from "../notifications/channels.ts";
import { unsubscribe } from "../notifications/unsubscribe.ts";
import { setSubscription, blogSubscriptions, blogSubscription } from "../notifications/subscriptions.ts";
import { anyone, member, router } from "../trpc.ts";
import { answerInvitation, authorInvitations, blogAuthors, inviteAuthor, removeAuthor } from "./authors.ts";
import { block, blockedPeople } from "./block.ts";
import { mute, mutedPeople } from "./mute.ts";
import { listPeople, ownTies } from "./people.ts";
import { keepPlace, readingPlace } from "./places.ts";
import { sendDeletionLink, deleteOwnAccount, deleteByLink } from "./confirm-account-deletion.ts";
import { discardBlog } from "./delete-blog.ts";
import { updateSettings } from "./settings.ts";
import {
  follow,
  handleRequest,
  likeBlog,
  removeFollower,
  restoreRequest,
  saveBlog,
  waitingRequests,
} from "./service.ts";

export const socialRouter = router({
  likeBlog: member.input(LikeBlog).mutation(({ ctx, input }) => likeBlog(ctx, input)),
  saveBlog: member.input(SaveBlog).mutation(({ ctx, input }) => saveBlog(ctx, input)),
  place: member.input(CommentsOf).query(({ ctx, input }) => readingPlace(ctx, input)),
  keepPlace: member
    .meta({ fleeting: true })
    .input(KeepPlace)
    .mutation(({ ctx, input }) => keepPlace(ctx, input)),
  follow: member.input(Follow).mutation(({ ctx, input }) => follow(ctx, input)),
  requests: member.query(({ ctx }) => waitingRequests(ctx)),
  handleRequest: member.input(HandleRequest).mutation(({ ctx, input }) => handleRequest(ctx, input)),
  restoreRequest: member.input(UserId).mutation(({ ctx, input }) => restoreRequest(ctx, input)),
  notifications: member.query(({ ctx }) => listNotifications(ctx)),
  readNotifications: member
    .input(ReadNotifications)
    .mutation(({ ctx, input }) => readNotifications(ctx, input.only)),
  seeNotifications: member
    .input(SeeNotifications)
    .mutation(({ ctx, input }) => seeNotifications(ctx, input.newest)),
  notificationSettings: member.query(({ ctx }) => notificationSettings(ctx)),
  setNotificationChannels: member
    .input(SetNotificationChannels)
    .mutation(({ ctx, input }) => setNotificationChannels(ctx, input)),
  setZone: member.input(SetZone).mutation(({ ctx, input }) => setZone(ctx, input)),
  subscription: member.input(CommentsOf).query(({ ctx, input }) => blogSubscription(ctx, input)),
  subscriptions: member.query(({ ctx }) => blogSubscriptions(ctx)),
  setSubscription: member.input(SetSubscription).mutation(({ ctx, input }) => setSubscription(ctx, input)),
  unsubscribe: anyone.input(Token).mutation(({ ctx, input }) => unsubscribe(ctx, input.token)),
  ties: member.query(({ ctx }) => ownTies(ctx)),
  people: anyone.input(ListPeople).query(({ ctx, input }) => listPeople(ctx, input)),
  block: member.input(Block).mutation(({ ctx, input }) => block(ctx, input)),
  blocked: member.query(({ ctx }) => blockedPeople(ctx)),
  mute: member.input(Mute).mutation(({ ctx, input }) => mute(ctx, input)),
  muted: member.query(({ ctx }) => mutedPeople(ctx)),
  removeFollower: member.input(UserId).mutation(({ ctx, input }) => removeFollower(ctx, input)),
});

/** Settings are the person's; that going public lets in who waits is social. */
export const updateSettingsProcedure = member
  .input(SettingsUpdate)
  .mutation(({ ctx, input }) => updateSettings(ctx, input));

/** Deleting a blog is the author's; that its comments, likes and notifications go with it is social. */
export const removeBlogProcedure = member
  .input(RemoveBlog)
  .mutation(({ ctx, input }) => discardBlog(ctx, input));

/** Who writes a blog is its author's to say; whom they may ask, and how these hear of it, is social. */
export const authorProcedures = {
  authors: member.input(BlogId).query(({ ctx, input }) => blogAuthors(ctx, input)),
  invitations: member.query(({ ctx }) => authorInvitations(ctx)),
  inviteAuthor: member.input(InviteAuthor).mutation(({ ctx, input }) => inviteAuthor(ctx, input)),
  answerInvitation: member.input(AnswerInvitation).mutation(({ ctx, input }) => answerInvitation(ctx, input)),
  removeAuthor: member.input(RemoveAuthor).mutation(({ ctx, input }) => removeAuthor(ctx, input)),
};

/** Deleting an account is the person's; that what they said to others is kept is social. */
export const removeAccountProcedures = {
  remove: member.input(OwnPassword).mutation(({ ctx, input }) => deleteOwnAccount(ctx, input)),
  sendDeletionLink: member.mutation(({ ctx }) => sendDeletionLink(ctx)),
  deleteByLink: anyone.input(Token).mutation(({ ctx, input }) => deleteByLink(ctx, input)),
};
