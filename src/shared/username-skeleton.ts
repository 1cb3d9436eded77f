import { reservedNames } from "./reserved-names.ts";

/** Returns a username's look: names that look alike have the same one. Migration 0005 does the same in SQL. */
export const skeletonOf = (username: string): string =>
  username
    .toLowerCase()
    .replace(/[._-]/g, "")
    .replace(/0/g, "o")
    .replace(/[1i]/g, "l")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");

/** Usernames that would seem to speak for the site; unlike reserved names, they are no paths. */
const siteWords =
  `administrator administrators admins moderator moderators mod mods staff team official owner founder security
  trust safety helpdesk service customer-service webmaster postmaster hostmaster abuse noreply no-reply sysadmin superuser
  sudo bot everyone here`.split(/\s+/);

const siteSkeletons = new Set([...reservedNames, ...siteWords].map(skeletonOf));

/** Whether a username looks like one of the site's words or its name. */
export const looksLikeTheSite = (username: string, siteName: string): boolean => {
  const skeleton = skeletonOf(username);
  return siteSkeletons.has(skeleton) || skeleton === skeletonOf(siteName.replace(/\s+/g, ""));
};
