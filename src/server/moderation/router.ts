import {
  AddNote,
  AnswerAppeal,
  DeletePerson,
  MakeModerator,
  OfAppeal,
  PersonId,
  RejectSignup,
  RemoveNote,
  Report,
  Restore,
  SetWriter,
  ResolveReport,
  SetLimited,
  StaffList,
  StaffPeople,
  Suspend,
  Target,
} from "../../shared/moderation.ts";
import {
  DeleteBlog,
  OfBlog,
  PendingCommentId,
  StaffBlogList,
  StaffCommentList,
} from "../../shared/staff-content.ts";
import { authedProcedure } from "../http/trpc.ts";
import {
  answerAppeal,
  deleteBlog,
  makeModerator,
  reopenReports,
  restoreBlog,
  resolveReport,
  setLimited,
  suspend,
} from "./actions.ts";
import { readBlog, staffBlogs, staffComments } from "./content.ts";
import { pendingComments, approveComment, rejectComment } from "./pending-comments.ts";
import { auditEntries, staffPeople, waiting } from "./lists.ts";
import * as signups from "./sign-up-requests.ts";
import * as people from "./people.ts";
import { ownAppeal, report, reportQueue } from "./reports.ts";

export const moderationProcedures = {
  report: authedProcedure.input(Report).mutation(({ ctx, input }) => report(ctx, input)),
  appeal: authedProcedure.input(OfAppeal).query(({ ctx, input }) => ownAppeal(ctx, input)),
  answerAppeal: authedProcedure.input(AnswerAppeal).mutation(({ ctx, input }) => answerAppeal(ctx, input)),
  waiting: authedProcedure.query(({ ctx }) => waiting(ctx)),
  queue: authedProcedure.input(StaffList).query(({ ctx, input }) => reportQueue(ctx, input)),
  resolveReport: authedProcedure.input(ResolveReport).mutation(({ ctx, input }) => resolveReport(ctx, input)),
  reopenReports: authedProcedure.input(Target).mutation(({ ctx, input }) => reopenReports(ctx, input)),
  blogs: authedProcedure.input(StaffBlogList).query(({ ctx, input }) => staffBlogs(ctx, input)),
  readBlog: authedProcedure.input(OfBlog).query(({ ctx, input }) => readBlog(ctx, input)),
  deleteBlog: authedProcedure.input(DeleteBlog).mutation(({ ctx, input }) => deleteBlog(ctx, input)),
  pendingComments: authedProcedure.query(({ ctx }) => pendingComments(ctx)),
  approveComment: authedProcedure
    .input(PendingCommentId)
    .mutation(({ ctx, input }) => approveComment(ctx, input)),
  rejectComment: authedProcedure
    .input(PendingCommentId)
    .mutation(({ ctx, input }) => rejectComment(ctx, input)),
  comments: authedProcedure.input(StaffCommentList).query(({ ctx, input }) => staffComments(ctx, input)),
  restore: authedProcedure.input(Restore).mutation(({ ctx, input }) => restoreBlog(ctx, input)),
  people: authedProcedure.input(StaffPeople).query(({ ctx, input }) => staffPeople(ctx, input)),
  suspend: authedProcedure.input(Suspend).mutation(({ ctx, input }) => suspend(ctx, input)),
  limit: authedProcedure.input(SetLimited).mutation(({ ctx, input }) => setLimited(ctx, input)),
  makeModerator: authedProcedure.input(MakeModerator).mutation(({ ctx, input }) => makeModerator(ctx, input)),
  makeAdmin: authedProcedure.input(PersonId).mutation(({ ctx, input }) => people.makeAdmin(ctx, input)),
  verify: authedProcedure.input(PersonId).mutation(({ ctx, input }) => people.verifyPerson(ctx, input)),
  sendReset: authedProcedure.input(PersonId).mutation(({ ctx, input }) => people.sendReset(ctx, input)),
  deletePerson: authedProcedure
    .input(DeletePerson)
    .mutation(({ ctx, input }) => people.deletePerson(ctx, input)),
  notes: authedProcedure.input(PersonId).query(({ ctx, input }) => people.notesOf(ctx, input)),
  addNote: authedProcedure.input(AddNote).mutation(({ ctx, input }) => people.addNote(ctx, input)),
  removeNote: authedProcedure.input(RemoveNote).mutation(({ ctx, input }) => people.removeNote(ctx, input)),
  signupRequests: authedProcedure
    .input(StaffList)
    .query(({ ctx, input }) => signups.signupRequests(ctx, input)),
  approveSignup: authedProcedure
    .input(PersonId)
    .mutation(({ ctx, input }) => signups.approveRequest(ctx, input)),
  rejectSignup: authedProcedure
    .input(RejectSignup)
    .mutation(({ ctx, input }) => signups.rejectRequest(ctx, input)),
  setWriter: authedProcedure.input(SetWriter).mutation(({ ctx, input }) => people.setWriter(ctx, input)),
  log: authedProcedure.input(StaffList).query(({ ctx, input }) => auditEntries(ctx, input)),
};
