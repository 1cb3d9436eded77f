import type { ReportReason } from "../../shared/moderation.ts";

/** The labels in the report dialog. */
export const reportReasons = {
  spam: "Spam or a scam",
  abuse: "Insults or harassment",
  hate: "Hate or calls for violence",
  sexual: "Sexual content, or harm to children",
  illegal: "Breaks the law or someone’s rights",
  other: "Something else",
} as const satisfies Partial<Record<ReportReason, string>>;

/** Short, for moderators. */
export const shortReasons: Record<ReportReason, string> = {
  spam: "Spam",
  abuse: "Harassment",
  hate: "Hate",
  sexual: "Sexual",
  illegal: "Illegal",
  other: "Other",
  appeal: "Asks for a review",
};
