import { AnswerInvitation, InviteAuthor, RemoveAuthor } from "../../shared/authors.ts";
import { BlogId, RemoveBlog } from "../../shared/blogs.ts";
import { CommentsOf } from "../../shared/comments.ts";
import {
  ReadNotifications,
  SeeNotifications,
  SetNotificationChannels,
  SetZone,
  SetSubscription,
} from "../../shared/notification-inputs.ts";
import {
  Block,
  Follow,
  HandleRequest,
  LikeBlog,
  ListPeople,
  Mute,
  SaveBlog,
  UserId,
} from "../../shared/social.ts";
import { SetReadingPosition } from "../../shared/reading-position.ts";
import { OwnPassword, SettingsUpdate, Token } from "../../shared/users.ts";
import { listNotifications, readNotifications, seeNotifications } from "../notifications/service.ts";
import { notificationSettings, setNotificationChannels, setZone } from "../notifications/channels.ts";
import { unsubscribe } from "../notifications/unsubscribe.ts";
import { setSubscription, blogSubscriptions, blogSubscription } from "../notifications/subscriptions.ts";
import { publicProcedure, authedProcedure, router } from "../http/trpc.ts";
import { answerInvitation, authorInvitations, blogAuthors, inviteAuthor, removeAuthor } from "./authors.ts";
import { block, blockedPeople, mute, mutedPeople } from "./block.ts";
import { listPeople, ownFollowIds } from "./people.ts";
import { storeReadingPosition, readingPosition } from "./reading-positions.ts";
import { sendDeletionLink, deleteOwnAccount, deleteByLink } from "./confirm-account-deletion.ts";
import { discardBlog } from "./delete-blog.ts";
import { recommendBlogs } from "./recommend.ts";
import { updateSettings } from "./settings.ts";
import {
  follow,
  handleRequest,
  likeBlog,
  removeFollower,
  restoreRequest,
  saveBlog,
  pendingRequests,
} from "./service.ts";

export const socialRouter = router({
  likeBlog: authedProcedure.input(LikeBlog).mutation(({ ctx, input }) => likeBlog(ctx, input)),
  saveBlog: authedProcedure.input(SaveBlog).mutation(({ ctx, input }) => saveBlog(ctx, input)),
  place: authedProcedure.input(CommentsOf).query(({ ctx, input }) => readingPosition(ctx, input)),
  keepPosition: authedProcedure
    .meta({ fleeting: true })
    .input(SetReadingPosition)
    .mutation(({ ctx, input }) => storeReadingPosition(ctx, input)),
  follow: authedProcedure.input(Follow).mutation(({ ctx, input }) => follow(ctx, input)),
  requests: authedProcedure.query(({ ctx }) => pendingRequests(ctx)),
  handleRequest: authedProcedure.input(HandleRequest).mutation(({ ctx, input }) => handleRequest(ctx, input)),
  restoreRequest: authedProcedure.input(UserId).mutation(({ ctx, input }) => restoreRequest(ctx, input)),
  notifications: authedProcedure.query(({ ctx }) => listNotifications(ctx)),
  readNotifications: authedProcedure
    .input(ReadNotifications)
    .mutation(({ ctx, input }) => readNotifications(ctx, input.only)),
  seeNotifications: authedProcedure
    .input(SeeNotifications)
    .mutation(({ ctx, input }) => seeNotifications(ctx, input.newest)),
  notificationSettings: authedProcedure.query(({ ctx }) => notificationSettings(ctx)),
  setNotificationChannels: authedProcedure
    .input(SetNotificationChannels)
    .mutation(({ ctx, input }) => setNotificationChannels(ctx, input)),
  setZone: authedProcedure.input(SetZone).mutation(({ ctx, input }) => setZone(ctx, input)),
  subscription: authedProcedure.input(CommentsOf).query(({ ctx, input }) => blogSubscription(ctx, input)),
  subscriptions: authedProcedure.query(({ ctx }) => blogSubscriptions(ctx)),
  setSubscription: authedProcedure
    .input(SetSubscription)
    .mutation(({ ctx, input }) => setSubscription(ctx, input)),
  unsubscribe: publicProcedure.input(Token).mutation(({ ctx, input }) => unsubscribe(ctx, input.token)),
  ties: authedProcedure.query(({ ctx }) => ownFollowIds(ctx)),
  people: publicProcedure.input(ListPeople).query(({ ctx, input }) => listPeople(ctx, input)),
  block: authedProcedure.input(Block).mutation(({ ctx, input }) => block(ctx, input)),
  blocked: authedProcedure.query(({ ctx }) => blockedPeople(ctx)),
  mute: authedProcedure.input(Mute).mutation(({ ctx, input }) => mute(ctx, input)),
  muted: authedProcedure.query(({ ctx }) => mutedPeople(ctx)),
  removeFollower: authedProcedure.input(UserId).mutation(({ ctx, input }) => removeFollower(ctx, input)),
});

/** Not in `users`: going public accepts follow requests. */
export const updateSettingsProcedure = authedProcedure
  .input(SettingsUpdate)
  .mutation(({ ctx, input }) => updateSettings(ctx, input));

/** Not in `blogs`: comments, likes and notifications are deleted, too. */
export const removeBlogProcedure = authedProcedure
  .input(RemoveBlog)
  .mutation(({ ctx, input }) => discardBlog(ctx, input));

/** Not in `blogs`: invitations depend on blocks and notify people. */
export const authorProcedures = {
  authors: authedProcedure.input(BlogId).query(({ ctx, input }) => blogAuthors(ctx, input)),
  invitations: authedProcedure.query(({ ctx }) => authorInvitations(ctx)),
  inviteAuthor: authedProcedure.input(InviteAuthor).mutation(({ ctx, input }) => inviteAuthor(ctx, input)),
  answerInvitation: authedProcedure
    .input(AnswerInvitation)
    .mutation(({ ctx, input }) => answerInvitation(ctx, input)),
  removeAuthor: authedProcedure.input(RemoveAuthor).mutation(({ ctx, input }) => removeAuthor(ctx, input)),
};

/** Not in `users`: comments with replies are kept. */
export const removeAccountProcedures = {
  remove: authedProcedure.input(OwnPassword).mutation(({ ctx, input }) => deleteOwnAccount(ctx, input)),
  sendDeletionLink: authedProcedure.mutation(({ ctx }) => sendDeletionLink(ctx)),
  deleteByLink: publicProcedure.input(Token).mutation(({ ctx, input }) => deleteByLink(ctx, input)),
};

export const recommendedBlogsProcedure = authedProcedure
  .meta({ costly: true })
  .query(({ ctx }) => recommendBlogs(ctx));
