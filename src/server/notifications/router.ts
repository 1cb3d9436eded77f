import { CommentsOf } from "../../shared/comments.ts";
import {
  ReadNotifications,
  SeeNotifications,
  SetNotificationChannels,
  SetSubscription,
  SetZone,
} from "../../shared/notification-inputs.ts";
import { Token } from "../../shared/users.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { notificationSettings, setNotificationChannels, setZone } from "./channels.ts";
import { listNotifications, readNotifications, seeNotifications } from "./service.ts";
import { blogSubscription, blogSubscriptions, setSubscription } from "./subscriptions.ts";
import { unsubscribe } from "./unsubscribe.ts";

export const notificationProcedures = {
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
};
