import { expect, test } from "vitest";
import { inTurn } from "../../../src/server/turns.ts";

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
