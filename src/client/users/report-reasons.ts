import type { ReportReason } from "../../shared/moderation.ts";

/** Why something is reported, in the words that people choose from. */
export const reportReasons = {
  spam: "It is spam or a scam",
  abuse: "It insults or harasses someone",
  hate: "It calls for hatred or violence",
  sexual: "It is sexual, or harms children",
  illegal: "It breaks the law or someone’s rights",
  other: "Something else",
} as const satisfies Partial<Record<ReportReason, string>>;

/** The same for moderators, short. */
export const shortReasons: Record<ReportReason, string> = {
  spam: "Spam",
  abuse: "Harassment",
  hate: "Hatred",
  sexual: "Sexual",
  illegal: "Unlawful",
  other: "Other",
  appeal: "Requests a review",
};
