import fc from "fast-check";
import { expect, test } from "vitest";
import { ages, mostWhole, tooMany, type Aged } from "../../../src/server/blogs/thinning.ts";

const now = Date.UTC(2026, 4, 17, 13, 20);
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** The history of a blog, the newest first, from how long after one another and when it was saved last. */
const histories = fc
  .record({
    until: fc.integer({ min: 0, max: 3 * day }),
    saves: fc.array(
      fc.record({
        // Seconds apart, or hours, days, weeks.
        apart: fc.oneof(
          fc.integer({ min: 1, max: minute }),
          fc.integer({ min: 1, max: 5 * hour }),
          fc.integer({ min: 1, max: 40 * day }),
        ),
        draft: fc.boolean(),
      }),
      { maxLength: 300 },
    ),
  })
  .map(({ until, saves }): Aged[] => {
    let at = now - until;
    return saves.map(({ apart, draft }, order) => ({ id: `${order}`, at: (at -= apart), draft }));
  });

const left = (revisions: readonly Aged[], at: number): Aged[] => {
  const gone = new Set(tooMany(revisions, at));
  return revisions.filter(({ id }) => !gone.has(id));
};

const everySecond = (count: number, draft: boolean): Aged[] =>
  Array.from({ length: count }, (_, order) => ({ id: `${order}`, at: now - order * 1_000, draft }));

test("the last one stays, and so does all of the last day and all that was published, up to their bounds", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const kept = new Set(left(revisions, now));
      if (revisions[0]) expect(kept).toContain(revisions[0]);
      for (const one of revisions.slice(0, mostWhole))
        if (now - one.at < ages.hourly) expect(kept).toContain(one);
      for (const one of revisions.filter(({ draft }) => !draft).slice(0, mostWhole))
        expect(kept).toContain(one);
    }),
  );
});

test("in the place of what goes there is a later one of the same hour, day or month, by its age", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const kept = left(revisions, now);
      for (const one of revisions.filter((each) => !kept.includes(each))) {
        const age = now - one.at;
        const length = age < ages.daily ? 13 : age < ages.monthly ? 10 : 7;
        const stretch = (at: number) => new Date(at).toISOString().slice(0, length);
        expect(kept.some((other) => other.at > one.at && stretch(other.at) === stretch(one.at))).toBe(true);
      }
    }),
  );
});

test("drafts older than a day are few: one an hour, one a day, one a month", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const drafts = left(revisions, now).filter(({ draft }) => draft);
      const between = (from: number, to: number, length: number) => {
        const some = drafts.filter(({ at }) => now - at >= from && now - at < to);
        expect(new Set(some.map(({ at }) => new Date(at).toISOString().slice(0, length))).size).toBe(
          some.length,
        );
      };
      between(ages.hourly, ages.daily, 13);
      between(ages.daily, ages.monthly, 10);
      between(ages.monthly, Infinity, 7);
    }),
  );
});

test("done again it finds nothing, and done often it leaves what it leaves done once", () => {
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.integer({ min: 0, max: 500 * day }), { maxLength: 6 }),
      (all, times) => {
        const end = now + 500 * day;
        let some = all;
        for (const time of times.toSorted((one, other) => one - other)) {
          some = left(some, now + time);
          expect(left(some, now + time)).toEqual(some);
        }
        expect(left(some, end)).toEqual(left(all, end));
      },
    ),
  );
});

test.each([true, false])("a program that saves every second fills no disk (drafts: %s)", (draft) => {
  const kept = left(everySecond(20_000, draft), now);
  // The newest, and one for each of the hours before them.
  expect(kept.length).toBeGreaterThan(mostWhole);
  expect(kept.length).toBeLessThan(mostWhole + 8);
  expect(kept.slice(0, mostWhole)).toEqual(everySecond(mostWhole, draft));
});
