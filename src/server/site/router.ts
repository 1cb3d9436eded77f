import {
  HideSetup,
  Invite,
  JobId,
  SetSignupBlock,
  SetQuestion,
  SetSignUp,
  Withdraw,
} from "../../shared/administration.ts";
import { StaffList } from "../../shared/moderation.ts";
import { ReadSiteText, SetText, SiteChange } from "../../shared/site.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { siteDisk } from "./disk.ts";
import { discardJob, retryJob, staffJobs } from "./jobs.ts";
import { hideSetup, siteSetup } from "./setup-steps.ts";
import { setSignupBlock } from "./sign-up-blocks.ts";
import { invite, setQuestion, setSignUp, signupSettings, withdraw } from "./sign-up-settings.ts";
import { setSite, siteSettings } from "./settings.ts";
import { setText } from "./edit-texts.ts";
import { siteFacts } from "./info.ts";
import { offeredInterests } from "./queries.ts";
import { markTextsSeen, siteText } from "./texts.ts";
import { sendTestMail } from "./test-mail.ts";
import { siteNumbers } from "./numbers.ts";

export const siteProcedures = {
  site: publicProcedure.query(({ ctx }) => siteFacts(ctx)),
  interestGroups: publicProcedure.query(({ ctx }) => offeredInterests(ctx.database.read)),
  siteText: publicProcedure.input(ReadSiteText).query(({ ctx, input }) => siteText(ctx, input)),
  sawTexts: authedProcedure.mutation(({ ctx }) => markTextsSeen(ctx)),
};

export const administrationProcedures = {
  site: authedProcedure.query(({ ctx }) => siteSettings(ctx)),
  setSite: authedProcedure
    .meta({ large: true })
    .input(SiteChange)
    .mutation(({ ctx, input }) => setSite(ctx, input)),
  setText: authedProcedure
    .meta({ large: true })
    .input(SetText)
    .mutation(({ ctx, input }) => setText(ctx, input)),
  jobs: authedProcedure.input(StaffList).query(({ ctx, input }) => staffJobs(ctx, input)),
  numbers: authedProcedure.query(({ ctx }) => siteNumbers(ctx)),
  disk: authedProcedure.query(({ ctx }) => siteDisk(ctx)),
  setup: authedProcedure.query(({ ctx }) => siteSetup(ctx)),
  sendTestMail: authedProcedure.mutation(({ ctx }) => sendTestMail(ctx)),
  hideSetup: authedProcedure.input(HideSetup).mutation(({ ctx, input }) => hideSetup(ctx, input)),
  retryJob: authedProcedure.input(JobId).mutation(({ ctx, input }) => retryJob(ctx, input)),
  discardJob: authedProcedure.input(JobId).mutation(({ ctx, input }) => discardJob(ctx, input)),
  signupSettings: authedProcedure.query(({ ctx }) => signupSettings(ctx)),
  setSignUp: authedProcedure.input(SetSignUp).mutation(({ ctx, input }) => setSignUp(ctx, input)),
  invite: authedProcedure.input(Invite).mutation(({ ctx, input }) => invite(ctx, input)),
  withdraw: authedProcedure.input(Withdraw).mutation(({ ctx, input }) => withdraw(ctx, input)),
  setQuestion: authedProcedure.input(SetQuestion).mutation(({ ctx, input }) => setQuestion(ctx, input)),
  setSignupBlock: authedProcedure
    .input(SetSignupBlock)
    .mutation(({ ctx, input }) => setSignupBlock(ctx, input)),
};
