import { BeginExport } from "../../shared/exports.ts";
import { authedProcedure } from "../http/trpc.ts";
import { beginExport, exportState, removeExport } from "./service.ts";

export const exportProcedures = {
  state: authedProcedure.query(({ ctx }) => exportState(ctx)),
  begin: authedProcedure.input(BeginExport).mutation(({ ctx, input }) => beginExport(ctx, input)),
  remove: authedProcedure.mutation(({ ctx }) => removeExport(ctx)),
};
