import { integer } from "drizzle-orm/sqlite-core";

/** Milliseconds since 1970, UTC. */
export const time = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: "boolean" });
/** An explicit rowid, so that full-text tables can refer to it and VACUUM cannot renumber it. */
export const seq = () => integer("seq").primaryKey({ autoIncrement: true });
