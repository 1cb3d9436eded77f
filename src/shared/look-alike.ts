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
