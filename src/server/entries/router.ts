import {
  EntryEdit,
  EntryId,
  EntryLike,
  EntryOf,
  EntryWithdrawal,
  ListEntries,
  NewEntry,
  SetEmbeddable,
  SetLive,
  SetSummary,
} from "../../shared/entry-inputs.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { liveNow, ownLive, setEmbeddable, setLive, setSummary } from "./on-air.ts";
import { entryForEdit, listEntries, readEntry } from "./reading.ts";
import { editEntry, likeEntry, postEntry, withdrawEntry } from "./service.ts";

export const entryProcedures = {
  entries: publicProcedure
    .meta({ costly: true })
    .input(ListEntries)
    .query(({ ctx, input }) => listEntries(ctx, input)),
  entry: publicProcedure.input(EntryOf).query(({ ctx, input }) => readEntry(ctx, input)),
  entryForEdit: authedProcedure.input(EntryId).query(({ ctx, input }) => entryForEdit(ctx, input)),
  postEntry: authedProcedure
    .meta({ large: true })
    .input(NewEntry)
    .mutation(({ ctx, input }) => postEntry(ctx, input)),
  editEntry: authedProcedure
    .meta({ large: true })
    .input(EntryEdit)
    .mutation(({ ctx, input }) => editEntry(ctx, input)),
  withdrawEntry: authedProcedure
    .input(EntryWithdrawal)
    .mutation(({ ctx, input }) => withdrawEntry(ctx, input)),
  likeEntry: authedProcedure.input(EntryLike).mutation(({ ctx, input }) => likeEntry(ctx, input)),
  liveNow: publicProcedure.query(({ ctx }) => liveNow(ctx)),
  ownLive: authedProcedure.query(({ ctx }) => ownLive(ctx)),
  setLive: authedProcedure.input(SetLive).mutation(({ ctx, input }) => setLive(ctx, input)),
  setSummary: authedProcedure.input(SetSummary).mutation(({ ctx, input }) => setSummary(ctx, input)),
  setEmbeddable: authedProcedure.input(SetEmbeddable).mutation(({ ctx, input }) => setEmbeddable(ctx, input)),
};
