import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ages,
  mostUnthinned,
  revisionsToDelete,
  type DatedRevision,
} from "../../../../src/server/blogs/thin-revisions.ts";

const now = Date.UTC(2026, 4, 17, 13, 20);
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Histories of a blog, newest first, from the time since the last save and the times between saves. */
const histories = fc
  .record({
    until: fc.integer({ min: 0, max: 3 * day }),
    saves: fc.array(
      fc.record({
        // Seconds, hours, days or weeks apart.
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
  .map(({ until, saves }): DatedRevision[] => {
    let at = now - until;
    return saves.map(({ apart, draft }, order) => ({ id: `${order}`, at: (at -= apart), draft }));
  });

const afterThinning = (revisions: readonly DatedRevision[], at: number): DatedRevision[] => {
  const gone = new Set(revisionsToDelete(revisions, at));
  return revisions.filter(({ id }) => !gone.has(id));
};

const everySecond = (count: number, draft: boolean): DatedRevision[] =>
  Array.from({ length: count }, (_, order) => ({ id: `${order}`, at: now - order * 1_000, draft }));

test("keeps the newest revision, all of the last day and all that were published, up to their bounds", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const kept = new Set(afterThinning(revisions, now));
      if (revisions[0]) expect(kept).toContain(revisions[0]);
      for (const one of revisions.slice(0, mostUnthinned))
        if (now - one.at < ages.hourly) expect(kept).toContain(one);
      for (const one of revisions.filter(({ draft }) => !draft).slice(0, mostUnthinned))
        expect(kept).toContain(one);
    }),
  );
});

test("deletes a revision only where a later one of the same hour, day or month stays, by its age", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const kept = afterThinning(revisions, now);
      for (const one of revisions.filter((each) => !kept.includes(each))) {
        const age = now - one.at;
        const length = age < ages.daily ? 13 : age < ages.monthly ? 10 : 7;
        const stretch = (at: number) => new Date(at).toISOString().slice(0, length);
        expect(kept.some((other) => other.at > one.at && stretch(other.at) === stretch(one.at))).toBe(true);
      }
    }),
  );
});

test("keeps one older draft of an hour, a day or a month, by its age", () => {
  fc.assert(
    fc.property(histories, (revisions) => {
      const drafts = afterThinning(revisions, now).filter(({ draft }) => draft);
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

test("deletes nothing when repeated, and leaves the same whether done often or once", () => {
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.integer({ min: 0, max: 500 * day }), { maxLength: 6 }),
      (all, times) => {
        const end = now + 500 * day;
        let some = all;
        for (const time of times.toSorted((one, other) => one - other)) {
          some = afterThinning(some, now + time);
          expect(afterThinning(some, now + time)).toEqual(some);
        }
        expect(afterThinning(some, end)).toEqual(afterThinning(all, end));
      },
    ),
  );
});

test.each([true, false])(
  "limits the revisions of a program that saves every second (drafts: %s)",
  (draft) => {
    const kept = afterThinning(everySecond(20_000, draft), now);
    // The newest, and one for each hour before them.
    expect(kept.length).toBeGreaterThan(mostUnthinned);
    expect(kept.length).toBeLessThan(mostUnthinned + 8);
    expect(kept.slice(0, mostUnthinned)).toEqual(everySecond(mostUnthinned, draft));
  },
);
