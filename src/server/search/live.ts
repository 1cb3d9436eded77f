import { searchTopic } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";

/**
 * That something else may be found now. What is found by whose words is only known by asking: all who show a search do,
 * spread by how many they are. Of many changes at once the last alone is told, of blogs for followers the last of each author.
 */
export const searchSource = (): Source =>
  asSource("search", searchTopic, "search", async (facts, spread) => {
    const told = facts.map(({ seq, fact }) => ({
      seq,
      event: { kind: fact.kind, spread },
      among: "followers" in fact && fact.followers ? fact.authorId : undefined,
    }));
    return [...new Map(told.map((one) => [`${one.event.kind} ${one.among}`, one])).values()];
  });
