/* The tables, a file for each area: what an area keeps is changed by its own queries. */
export * from "./users.ts";
export * from "./media.ts";
export * from "./blogs.ts";
export * from "./comments.ts";
export * from "./social.ts";
export * from "./notices.ts";
export * from "./live.ts";
export * from "./jobs.ts";
export * from "./site.ts";
