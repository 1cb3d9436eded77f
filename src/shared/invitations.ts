/* Links that let people sign up. */

export type InvitationState = "valid" | "used" | "expired" | "unknown";

/** Why an invitation cannot be used. */
export const invitationProblems: Record<Exclude<InvitationState, "valid">, string> = {
  used: "This invitation has already been used.",
  expired: "This invitation has expired.",
  unknown: "This invitation isn’t valid.",
};
