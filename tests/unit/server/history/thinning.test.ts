import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ages,
  maxUnthinned,
  versionsToDelete,
  type DatedVersion,
} from "../../../../src/server/history/thin-versions.ts";
import { versionReasons, type VersionReason } from "../../../../src/shared/versions.ts";

const now = Date.UTC(2026, 4, 17, 13, 20);
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Histories of a blog, newest first, from the time since the last version and the times between versions. */
const histories = fc
  .record({
    sinceLast: fc.integer({ min: 0, max: 3 * day }),
    recorded: fc.array(
      fc.record({
        // Seconds, hours, days or weeks apart.
        interval: fc.oneof(
          fc.integer({ min: 1, max: minute }),
          fc.integer({ min: 1, max: 5 * hour }),
          fc.integer({ min: 1, max: 40 * day }),
        ),
        reason: fc.constantFrom(...versionReasons),
      }),
      { maxLength: 300 },
    ),
  })
  .map(({ sinceLast, recorded }): DatedVersion[] => {
    let at = now - sinceLast;
    return recorded.map(({ interval, reason }, order) => ({ id: `${order}`, at: (at -= interval), reason }));
  });

const afterThinning = (versions: readonly DatedVersion[], at: number): DatedVersion[] => {
  const deletedIds = new Set(versionsToDelete(versions, at));
  return versions.filter(({ id }) => !deletedIds.has(id));
};

const everySecond = (count: number, reason: VersionReason): DatedVersion[] =>
  Array.from({ length: count }, (_, order) => ({ id: `${order}`, at: now - order * 1_000, reason }));
const isPublished = ({ reason }: DatedVersion): boolean => reason === "published";

test("keeps the newest version, all of the last day and all that were published, up to their bounds", () => {
  fc.assert(
    fc.property(histories, (versions) => {
      const remaining = new Set(afterThinning(versions, now));
      if (versions[0]) expect(remaining).toContain(versions[0]);
      for (const version of versions.slice(0, maxUnthinned))
        if (now - version.at < ages.hourly) expect(remaining).toContain(version);
      for (const version of versions.filter(isPublished).slice(0, maxUnthinned))
        expect(remaining).toContain(version);
    }),
  );
});

test("deletes a version only where a later one of the same hour, day or month stays, by its age", () => {
  fc.assert(
    fc.property(histories, (versions) => {
      const remaining = afterThinning(versions, now);
      for (const version of versions.filter((candidate) => !remaining.includes(candidate))) {
        const age = now - version.at;
        const length = age < ages.daily ? 13 : age < ages.monthly ? 10 : 7;
        const period = (at: number) => new Date(at).toISOString().slice(0, length);
        expect(
          remaining.some((newer) => newer.at > version.at && period(newer.at) === period(version.at)),
        ).toBe(true);
      }
    }),
  );
});

test("keeps one older version of a draft of an hour, a day or a month, by its age", () => {
  fc.assert(
    fc.property(histories, (versions) => {
      const drafts = afterThinning(versions, now).filter((version) => !isPublished(version));
      const expectOnePerPeriod = (from: number, to: number, length: number) => {
        const aged = drafts.filter(({ at }) => now - at >= from && now - at < to);
        expect(new Set(aged.map(({ at }) => new Date(at).toISOString().slice(0, length))).size).toBe(
          aged.length,
        );
      };
      expectOnePerPeriod(ages.hourly, ages.daily, 13);
      expectOnePerPeriod(ages.daily, ages.monthly, 10);
      expectOnePerPeriod(ages.monthly, Infinity, 7);
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
        let thinned = all;
        for (const time of times.toSorted((a, b) => a - b)) {
          thinned = afterThinning(thinned, now + time);
          expect(afterThinning(thinned, now + time)).toEqual(thinned);
        }
        expect(afterThinning(thinned, end)).toEqual(afterThinning(all, end));
      },
    ),
  );
});

test.each(versionReasons)("limits the versions of a program that makes one every second: %s", (reason) => {
  const remaining = afterThinning(everySecond(20_000, reason), now);
  // The newest, and one for each hour before them.
  expect(remaining.length).toBeGreaterThan(maxUnthinned);
  expect(remaining.length).toBeLessThan(maxUnthinned + 8);
  expect(remaining.slice(0, maxUnthinned)).toEqual(everySecond(maxUnthinned, reason));
});
