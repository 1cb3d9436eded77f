import fc from "fast-check";
import { expect, test } from "vitest";
import { Wishes, shownStanding } from "../../../src/client/social/wishes.ts";
import type { Standing } from "../../../src/client/social/wishes.ts";

/** A server that answers when it is told to. */
function aServer(on = false, count = 0) {
  const waiting: (() => void)[] = [];
  const asked: boolean[] = [];
  const state = { on, count };
  const send = (wanted: boolean): Promise<Standing> => {
    asked.push(wanted);
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        if (refuse) return reject(new Error("no"));
        if (wanted !== state.on) state.count += wanted ? 1 : -1;
        state.on = wanted;
        resolve({ ...state });
      });
    });
  };
  let refuse = false;
  return {
    asked,
    state,
    send,
    answer: async () => {
      waiting.shift()?.();
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
    refuse: () => (refuse = true),
  };
}

function aSwitch(server: ReturnType<typeof aServer>) {
  const wishes = new Wishes();
  const cache: { standing: Standing } = { standing: { on: server.state.on, count: server.state.count } };
  const want = (wanted: boolean) =>
    wishes.want("like", wanted, cache.standing, server.send, (standing) => (cache.standing = standing));
  return {
    wishes,
    cache,
    want,
    shown: () => shownStanding(cache.standing, wishes.get("like")),
    hear: (count: number) => ((cache.standing = { ...cache.standing, count }), wishes.heard("like", count)),
  };
}

test("a like shows at once, and stays once the server has it", async () => {
  const server = aServer(false, 4);
  const like = aSwitch(server);
  const done = like.want(true);
  expect(like.shown()).toEqual({ on: true, count: 5 });
  await server.answer();
  await done;
  expect(like.shown()).toEqual({ on: true, count: 5 });
});

test("twenty fast clicks end in the right state, with two requests", async () => {
  const server = aServer(false, 4);
  const like = aSwitch(server);
  let on = false;
  for (let click = 0; click < 20; click++) void like.want((on = !on));
  expect(like.shown()).toEqual({ on: false, count: 4 });
  await server.answer();
  await server.answer();
  expect(server.asked).toEqual([true, false]);
  expect(server.state).toEqual({ on: false, count: 4 });
  expect(like.shown()).toEqual({ on: false, count: 4 });
});

test("the own event that comes before the answer does not count twice", async () => {
  const server = aServer(false, 4);
  const like = aSwitch(server);
  const done = like.want(true);
  like.hear(5);
  expect(like.shown()).toEqual({ on: true, count: 5 });
  await server.answer();
  await done;
  expect(like.shown()).toEqual({ on: true, count: 5 });
});

test("an answer that comes late does not undo what others did since", async () => {
  const server = aServer(false, 4);
  const like = aSwitch(server);
  const done = like.want(true);
  like.hear(5);
  like.hear(7);
  await server.answer();
  await done;
  expect(like.shown()).toEqual({ on: true, count: 7 });
});

test("a refusal takes back the own change alone", async () => {
  const server = aServer(false, 4);
  const like = aSwitch(server);
  server.refuse();
  const done = like.want(true);
  like.hear(6);
  await Promise.all([expect(done).rejects.toThrow("no"), server.answer()]);
  expect(like.shown()).toEqual({ on: false, count: 6 });
});

test("wanting what is already so asks nobody", async () => {
  const server = aServer(true, 1);
  await aSwitch(server).want(true);
  expect(server.asked).toEqual([]);
});

test("whatever is clicked and heard in whatever order, it ends as the server has it and as the person wants it", async () => {
  const step = fc.constantFrom<"click" | "answer" | "other" | "stream">("click", "answer", "other", "stream");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const server = aServer(false, 10);
      const like = aSwitch(server);
      const told: number[] = [];
      let counted = server.state.count;
      let wanted = false;
      /** The stream is in order, and late. */
      const notice = () => {
        if (server.state.count !== counted) told.push((counted = server.state.count));
      };
      for (const act of steps) {
        if (act === "click") void like.want((wanted = !like.shown().on));
        if (act === "answer") await server.answer();
        if (act === "other") server.state.count++;
        notice();
        if (act === "stream" && told.length > 0) like.hear(told.shift()!);
      }
      for (let turn = 0; turn < 5; turn++) {
        await server.answer();
        notice();
      }
      // Its last event brings the count as it is, as each event of the real stream does.
      like.hear(server.state.count);
      expect(like.wishes.get("like")).toBeUndefined();
      expect(like.shown()).toEqual({ on: wanted, count: server.state.count });
      expect(server.state.on).toBe(wanted);
    }),
  );
});
