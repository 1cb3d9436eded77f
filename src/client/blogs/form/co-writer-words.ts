interface Company {
  others: readonly { client: string; name: string }[];
  isReading: boolean;
}

/** Returns who came and who left since `before`, or "". Several pages of a person count as one. */
export function announcementOf(before: Company, now: Company): string {
  const names = ({ others }: Company) => new Set(others.map(({ name }) => name));
  const [previous, current] = [names(before), names(now)];
  const joined = [...current].filter((name) => !previous.has(name));
  const left = [...previous].filter((name) => !current.has(name));
  return [
    before.isReading && !now.isReading && "You can write here now.",
    joined.length > 0 && `Also writing here: ${joined.join(", ")}.`,
    left.length > 0 && `No longer writing here: ${left.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
