import { reservedNames } from "./reserved-names.ts";

/**
 * A username without what the eye passes over: two names that could be taken for each other have the same look. Migration
 * 0005 says the same in SQL.
 */
export const lookOf = (username: string): string =>
  username
    .toLowerCase()
    .replace(/[._-]/g, "")
    .replace(/0/g, "o")
    .replace(/[1i]/g, "l")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");

/** Who is called so would seem to speak for the site. Unlike the reserved names, no address of the site's needs them. */
const siteWords =
  `administrator administrators admins moderator moderators mod mods staff team official owner founder security
  trust safety helpdesk service customer-service webmaster postmaster hostmaster abuse noreply no-reply sysadmin superuser
  sudo bot everyone here`.split(/\s+/);

const siteLooks = new Set([...reservedNames, ...siteWords].map(lookOf));

/** Whether a username could be taken for the site's own word, or its name. */
export const looksLikeTheSite = (username: string, siteName: string): boolean => {
  const look = lookOf(username);
  return siteLooks.has(look) || look === lookOf(siteName.replace(/\s+/g, ""));
};
