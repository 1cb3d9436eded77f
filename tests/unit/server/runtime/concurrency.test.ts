import { expect, test } from "vitest";
import { limitConcurrency, serialize } from "../../../../src/server/runtime/concurrency.ts";

test("runs each piece of serialized work in a turn of its own, and other work in between", async () => {
  const order: string[] = [];
  const pieces = [1, 2, 3].map((number) =>
    serialize(async () => {
      order.push(`piece ${number}`);
      // What needs microtasks only ends in its turn.
      await Promise.resolve();
      order.push(`end of ${number}`);
      if (number === 1) setImmediate(() => order.push("somebody else"));
    }),
  );
  await Promise.all(pieces);
  expect(order.indexOf("somebody else")).toBeLessThan(order.indexOf("piece 3"));
  expect(order.filter((entry) => entry !== "somebody else")).toEqual(
    [1, 2, 3].flatMap((number) => [`piece ${number}`, `end of ${number}`]),
  );
});

test("continues after work that fails or never ends", async () => {
  const failing = serialize(() => {
    throw new Error("no");
  });
  void serialize(() => new Promise(() => undefined));
  await expect(failing).rejects.toThrow("no");
  await expect(serialize(() => "done")).resolves.toBe("done");
});

test("limits concurrent work, queues the rest in order, and continues after a failure", async () => {
  const few = limitConcurrency(2);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string, fails = false) =>
    few(async () => {
      order.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fails) throw new Error("no");
    });
  const [a, b, c, d] = [work("a", true), work("b"), work("c"), work("d")];
  expect(order).toEqual(["a", "b"]);
  ends[0]?.();
  await expect(a).rejects.toThrow("no");
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "c"]);
  ends[1]?.();
  await b;
  ends[2]?.();
  await c;
  ends[3]?.();
  await d;
  expect(order).toEqual(["a", "b", "c", "d"]);
});
