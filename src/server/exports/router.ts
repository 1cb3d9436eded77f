import { BeginExport } from "../../shared/exports.ts";
import { member, router } from "../trpc.ts";
import { beginExport, exportState, removeExport } from "./service.ts";

export const exportsRouter = router({
  state: member.query(({ ctx }) => exportState(ctx)),
  begin: member.input(BeginExport).mutation(({ ctx, input }) => beginExport(ctx, input)),
  remove: member.mutation(({ ctx }) => removeExport(ctx)),
});
