import { ListVersions, VersionRef } from "../../shared/versions.ts";
import { authedProcedure } from "../http/trpc.ts";
import { deleteVersion, listVersions, readVersion } from "./versions.ts";

export const historyProcedures = {
  versions: authedProcedure.input(ListVersions).query(({ ctx, input }) => listVersions(ctx, input)),
  version: authedProcedure.input(VersionRef).query(({ ctx, input }) => readVersion(ctx, input)),
  deleteVersion: authedProcedure.input(VersionRef).mutation(({ ctx, input }) => deleteVersion(ctx, input)),
};
