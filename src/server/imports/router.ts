import { ImportId } from "../../shared/imports.ts";
import { authedProcedure } from "../http/trpc.ts";
import { listImports, readReport, stopImport, undoImport } from "./service.ts";

export const importProcedures = {
  list: authedProcedure.query(({ ctx }) => listImports(ctx)),
  report: authedProcedure.input(ImportId).query(({ ctx, input }) => readReport(ctx, input)),
  stop: authedProcedure.input(ImportId).mutation(({ ctx, input }) => stopImport(ctx, input)),
  undo: authedProcedure.input(ImportId).mutation(({ ctx, input }) => undoImport(ctx, input)),
};
