interface Company {
  others: readonly { client: string; name: string }[];
  isReading: boolean;
}

/** Returns who came and who left since `before`, or "". Several pages of a person count as one. */
export function announcementOf(before: Company, now: Company): string {
  const names = ({ others }: Company) => new Set(others.map(({ name }) => name));
  const [known, here] = [names(before), names(now)];
  const came = [...here].filter((name) => !known.has(name));
  const left = [...known].filter((name) => !here.has(name));
  return [
    before.isReading && !now.isReading && "You can write here now.",
    came.length > 0 && `Also writing here: ${came.join(", ")}.`,
    left.length > 0 && `No longer writing here: ${left.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
