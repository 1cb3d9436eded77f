import { amongThose } from "../blogs/live.ts";
import { searchTopic, type Fact } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";

/**
 * That something else may be found now. What is found by whose words is only known by asking: all who show a search do,
 * spread by how many they are. Of many changes at once the last alone is told, with the tags of all; of blogs for followers the last
 * of each.
 */
export const searchSource = (): Source =>
  asSource("search", searchTopic, "search", async (facts, spread) => {
    const alike = Map.groupBy(facts, ({ fact }) => `${fact.kind} ${amongOf(fact)}`);
    return [...alike.values()].flatMap((all) => {
      const last = all.at(-1);
      if (!last) return [];
      const event =
        last.fact.kind === "search.blogs"
          ? { kind: last.fact.kind, tags: tagsOf(all.map(({ fact }) => fact)), spread }
          : { kind: last.fact.kind, spread };
      return [{ seq: last.seq, event, among: amongOf(last.fact) }];
    });
  });

const amongOf = (fact: Fact<"search">): string | undefined =>
  "followers" in fact && fact.followers ? amongThose(fact) : undefined;

/** Null where it is not known of all. */
function tagsOf(facts: Fact<"search">[]): string[] | null {
  const tags = facts.map((fact) => ("tags" in fact ? fact.tags : undefined));
  return tags.every((some) => some !== undefined) ? [...new Set(tags.flat())] : null;
}
