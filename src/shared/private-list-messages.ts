/* For pages and the API. */

export const peoplePrivate =
  "This account is private. Who follows it sees its followers and whom it follows.";
export const followersHidden = "This user does not want to disclose followers and following.";
