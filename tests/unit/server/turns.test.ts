import { expect, test } from "vitest";
import { fewAtOnce, inTurn } from "../../../src/server/turns.ts";

test("of much work at once each piece has a turn of its own, and who comes between waits for one at most", async () => {
  const order: string[] = [];
  const pieces = [1, 2, 3].map((number) =>
    inTurn(async () => {
      order.push(`piece ${number}`);
      // What needs no more than microtasks ends in its turn.
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

test("what fails or never ends in its turn holds up nobody", async () => {
  const failing = inTurn(() => {
    throw new Error("no");
  });
  void inTurn(() => new Promise(() => undefined));
  await expect(failing).rejects.toThrow("no");
  await expect(inTurn(() => "done")).resolves.toBe("done");
});

test("few at once: the others wait in a row, and what fails lets the next one in", async () => {
  const few = fewAtOnce(2);
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
