import { ImportId } from "../../shared/imports.ts";
import { member } from "../trpc.ts";
import { listImports, readReport, stopImport, undoImport } from "./service.ts";

export const importProcedures = {
  list: member.query(({ ctx }) => listImports(ctx)),
  report: member.input(ImportId).query(({ ctx, input }) => readReport(ctx, input)),
  stop: member.input(ImportId).mutation(({ ctx, input }) => stopImport(ctx, input)),
  undo: member.input(ImportId).mutation(({ ctx, input }) => undoImport(ctx, input)),
};
