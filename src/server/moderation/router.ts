import {
  AddNote,
  DeletePerson,
  HideSetup,
  Invite,
  JobAsked,
  MakeModerator,
  OfPerson,
  RefusePerson,
  RefuseSender,
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
import { DeleteBlog, FindBlogs, FindComments, OfBlog, OfHeld } from "../../shared/finding.ts";
import { SetText, SiteChange } from "../../shared/site.ts";
import { member, router } from "../trpc.ts";
import { admission, invite, setSignUp, withdraw } from "./admission.ts";
import { deleteBlog, makeModerator, restoreBlog, resolveReport, setLimited, suspend } from "./acts.ts";
import { findBlogs, findComments, readBlog } from "./find.ts";
import { heldComments, letInHeld, refuseHeld } from "./held.ts";
import { auditEntries, staffPeople } from "./lists.ts";
import * as arrivals from "./arrivals.ts";
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
  held: member.query(({ ctx }) => heldComments(ctx)),
  letInHeld: member.input(OfHeld).mutation(({ ctx, input }) => letInHeld(ctx, input)),
  refuseHeld: member.input(OfHeld).mutation(({ ctx, input }) => refuseHeld(ctx, input)),
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
  admission: member.query(({ ctx }) => admission(ctx)),
  setSignUp: member.input(SetSignUp).mutation(({ ctx, input }) => setSignUp(ctx, input)),
  setQuestion: member.input(SetQuestion).mutation(({ ctx, input }) => arrivals.setQuestion(ctx, input)),
  refuseSender: member.input(RefuseSender).mutation(({ ctx, input }) => arrivals.refuseSender(ctx, input)),
  applications: member.input(StaffList).query(({ ctx, input }) => arrivals.applications(ctx, input)),
  admit: member.input(OfPerson).mutation(({ ctx, input }) => arrivals.admitPerson(ctx, input)),
  refuse: member.input(RefusePerson).mutation(({ ctx, input }) => arrivals.refusePerson(ctx, input)),
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
