/* The tables, a file for each area: what an area keeps is written by its own queries (0007-areas.md). */
export * from "./users.ts";
export * from "./auth.ts";
export * from "./access.ts";
export * from "./media.ts";
export * from "./blogs.ts";
export * from "./comments.ts";
export * from "./social.ts";
export * from "./notices.ts";
export * from "./push.ts";
export * from "./live.ts";
export * from "./jobs.ts";
export * from "./moderation.ts";
export * from "./site.ts";
export * from "./texts.ts";
export * from "./counts.ts";
