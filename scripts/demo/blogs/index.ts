import { backendBlogs } from "./backend.ts";
import { bakeryBlogs } from "./bakery.ts";
import { bicycleBlogs } from "./bicycles.ts";
import { birdAndFilmBlogs } from "./birds-and-film.ts";
import { choirBlogs } from "./choir.ts";
import type { DemoBlog } from "./demo-blog.ts";
import { firstWebsiteBlogs } from "./first-website.ts";
import { footballBlogs } from "./football.ts";
import { frontendBlogs } from "./frontend.ts";
import { gardenBlogs } from "./garden.ts";
import { householdBlogs } from "./household.ts";
import { languageBlogs } from "./languages.ts";
import { nightSkyBlogs } from "./night-sky.ts";
import { nightTrainBlogs } from "./night-trains.ts";
import { teachingBlogs } from "./teaching.ts";

export type { DemoBlog } from "./demo-blog.ts";

/** Every blog of the town, newest first. */
export const blogs: DemoBlog[] = [
  ...frontendBlogs,
  ...firstWebsiteBlogs,
  ...backendBlogs,
  ...teachingBlogs,
  ...nightSkyBlogs,
  ...nightTrainBlogs,
  ...choirBlogs,
  ...bicycleBlogs,
  ...footballBlogs,
  ...birdAndFilmBlogs,
  ...gardenBlogs,
  ...bakeryBlogs,
  ...householdBlogs,
  ...languageBlogs,
].toSorted((one, other) => one.daysAgo - other.daysAgo);
