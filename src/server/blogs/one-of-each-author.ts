/** Returns the rows with one of each author first, so that nobody fills a list; otherwise in their order. */
export function oneOfEachAuthorFirst<Row extends { authorId: string }>(rows: Row[]): Row[] {
  const authors = new Set<string>();
  const first: Row[] = [];
  const others: Row[] = [];
  for (const row of rows) {
    (authors.has(row.authorId) ? others : first).push(row);
    authors.add(row.authorId);
  }
  return [...first, ...others];
}
