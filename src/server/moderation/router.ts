import {
  AddNote,
  DeletePerson,
  HideSetup,
  Invite,
  JobAsked,
  MakeModerator,
  OfPerson,
  RejectSignup,
  SetSignupBlock,
  RemoveNote,
  Report,
  Restore,
  SetQuestion,
  SetSignUp,
  SetWriter,
  ResolveReport,
  SetLimited,
  StaffList,
  StaffPeople,
  Suspend,
  Withdraw,
} from "../../shared/moderation.ts";
import { DeleteBlog, FindBlogs, FindComments, OfBlog, OfPending } from "../../shared/finding.ts";
import { SetText, SiteChange } from "../../shared/site.ts";
import { member, router } from "../trpc.ts";
import { signupSettings, invite, setSignUp, withdraw } from "./signup-settings.ts";
import { deleteBlog, makeModerator, restoreBlog, resolveReport, setLimited, suspend } from "./acts.ts";
import { findBlogs, findComments, readBlog } from "./find.ts";
import { pendingComments, approveComment, rejectComment } from "./pending-comments.ts";
import { auditEntries, staffPeople } from "./lists.ts";
import * as signups from "./signup-requests.ts";
import * as people from "./people.ts";
import { report, reportQueue } from "./reports.ts";
import { setSite, siteSettings } from "./site.ts";
import { hideSetup, siteSetup } from "./setup.ts";
import { siteDisk } from "./disk.ts";
import { siteNumbers } from "./numbers.ts";
import { discardJob, retryJob, staffJobs } from "./jobs.ts";
import { setText } from "./site-texts.ts";
import { setWriter } from "./writers.ts";

export const moderationRouter = router({
  report: member.input(Report).mutation(({ ctx, input }) => report(ctx, input)),
  queue: member.input(StaffList).query(({ ctx, input }) => reportQueue(ctx, input)),
  resolveReport: member.input(ResolveReport).mutation(({ ctx, input }) => resolveReport(ctx, input)),
  blogs: member.input(FindBlogs).query(({ ctx, input }) => findBlogs(ctx, input)),
  readBlog: member.input(OfBlog).query(({ ctx, input }) => readBlog(ctx, input)),
  deleteBlog: member.input(DeleteBlog).mutation(({ ctx, input }) => deleteBlog(ctx, input)),
  pendingComments: member.query(({ ctx }) => pendingComments(ctx)),
  approveComment: member.input(OfPending).mutation(({ ctx, input }) => approveComment(ctx, input)),
  rejectComment: member.input(OfPending).mutation(({ ctx, input }) => rejectComment(ctx, input)),
  comments: member.input(FindComments).query(({ ctx, input }) => findComments(ctx, input)),
  restore: member.input(Restore).mutation(({ ctx, input }) => restoreBlog(ctx, input)),
  people: member.input(StaffPeople).query(({ ctx, input }) => staffPeople(ctx, input)),
  suspend: member.input(Suspend).mutation(({ ctx, input }) => suspend(ctx, input)),
  limit: member.input(SetLimited).mutation(({ ctx, input }) => setLimited(ctx, input)),
  makeModerator: member.input(MakeModerator).mutation(({ ctx, input }) => makeModerator(ctx, input)),
  makeAdmin: member.input(OfPerson).mutation(({ ctx, input }) => people.makeAdmin(ctx, input)),
  verify: member.input(OfPerson).mutation(({ ctx, input }) => people.verifyPerson(ctx, input)),
  sendReset: member.input(OfPerson).mutation(({ ctx, input }) => people.sendReset(ctx, input)),
  deletePerson: member.input(DeletePerson).mutation(({ ctx, input }) => people.deletePerson(ctx, input)),
  notes: member.input(OfPerson).query(({ ctx, input }) => people.notesOf(ctx, input)),
  addNote: member.input(AddNote).mutation(({ ctx, input }) => people.addNote(ctx, input)),
  removeNote: member.input(RemoveNote).mutation(({ ctx, input }) => people.removeNote(ctx, input)),
  signupSettings: member.query(({ ctx }) => signupSettings(ctx)),
  setSignUp: member.input(SetSignUp).mutation(({ ctx, input }) => setSignUp(ctx, input)),
  setQuestion: member.input(SetQuestion).mutation(({ ctx, input }) => signups.setQuestion(ctx, input)),
  setSignupBlock: member
    .input(SetSignupBlock)
    .mutation(({ ctx, input }) => signups.setSignupBlock(ctx, input)),
  signupRequests: member.input(StaffList).query(({ ctx, input }) => signups.signupRequests(ctx, input)),
  approveSignup: member.input(OfPerson).mutation(({ ctx, input }) => signups.approveRequest(ctx, input)),
  rejectSignup: member.input(RejectSignup).mutation(({ ctx, input }) => signups.rejectRequest(ctx, input)),
  invite: member.input(Invite).mutation(({ ctx, input }) => invite(ctx, input)),
  withdraw: member.input(Withdraw).mutation(({ ctx, input }) => withdraw(ctx, input)),
  site: member.query(({ ctx }) => siteSettings(ctx)),
  setSite: member.input(SiteChange).mutation(({ ctx, input }) => setSite(ctx, input)),
  setup: member.query(({ ctx }) => siteSetup(ctx)),
  hideSetup: member.input(HideSetup).mutation(({ ctx, input }) => hideSetup(ctx, input)),
  jobs: member.input(StaffList).query(({ ctx, input }) => staffJobs(ctx, input)),
  disk: member.query(({ ctx }) => siteDisk(ctx)),
  numbers: member.query(({ ctx }) => siteNumbers(ctx)),
  retryJob: member.input(JobAsked).mutation(({ ctx, input }) => retryJob(ctx, input)),
  discardJob: member.input(JobAsked).mutation(({ ctx, input }) => discardJob(ctx, input)),
  setText: member.input(SetText).mutation(({ ctx, input }) => setText(ctx, input)),
  setWriter: member.input(SetWriter).mutation(({ ctx, input }) => setWriter(ctx, input)),
  log: member.input(StaffList).query(({ ctx, input }) => auditEntries(ctx, input)),
});
