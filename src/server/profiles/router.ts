import { z } from "zod";
import { LookUpNames } from "../../shared/mentions.ts";
import { ProfileUpdate } from "../../shared/users.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { updateProfile } from "./edit-profile.ts";
import { lookUpNames, profile, whoAmI } from "./service.ts";

export const profileProcedures = {
  me: publicProcedure.query(({ ctx }) => whoAmI(ctx)),
  profile: publicProcedure
    .input(z.strictObject({ username: z.string().min(1).max(100) }))
    .query(({ ctx, input }) => profile(ctx, input)),
  named: publicProcedure
    .meta({ costly: true })
    .input(LookUpNames)
    .query(({ ctx, input }) => lookUpNames(ctx, input)),
  updateProfile: authedProcedure.input(ProfileUpdate).mutation(({ ctx, input }) => updateProfile(ctx, input)),
};
