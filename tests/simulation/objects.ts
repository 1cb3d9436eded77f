import type { World } from "./world.ts";

/** An action is impossible: its object is gone, or no request is pending. */
export class NotApplicable extends Error {}

export const required = <T>(value: T | undefined | null): T => {
  if (value === undefined || value === null) throw new NotApplicable("there is no such thing");
  return value;
};

/** Returns the blog's id. Throws `NotApplicable` if its publishing failed. */
export const blogId = (world: World, blog: number): string => required(world.blogs[blog]).id;
