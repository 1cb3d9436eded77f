/* Why followers and followed people are not shown, as pages and the API say it. */

export const peoplePrivate =
  "This account is private. Who follows it sees its followers and whom it follows.";
export const followersHidden = "This user does not want to disclose followers and following.";
