import { expect, test } from "vitest";
import { limitConcurrency, serialize, takeTurn } from "../../../../src/server/runtime/concurrency.ts";

test("runs each piece of serialized work in a turn of its own, and other work in between", async () => {
  const order: string[] = [];
  const runs = [1, 2, 3].map((number) =>
    serialize(async () => {
      order.push(`piece ${number}`);
      // What needs microtasks only ends in its turn.
      await Promise.resolve();
      order.push(`end of ${number}`);
      if (number === 1) setImmediate(() => order.push("somebody else"));
    }),
  );
  await Promise.all(runs);
  expect(order.indexOf("somebody else")).toBeLessThan(order.indexOf("piece 3"));
  expect(order.filter((entry) => entry !== "somebody else")).toEqual(
    [1, 2, 3].flatMap((number) => [`piece ${number}`, `end of ${number}`]),
  );
});

test("gives each owner's work a turn of its own, and lets others' work begin at once", async () => {
  const order: string[] = [];
  const begin = async (owner: string, number: number) => {
    await takeTurn(owner);
    order.push(`${owner} ${number}`);
    setImmediate(() => order.push("a turn"));
  };
  const work = [begin("eve", 1), begin("eve", 2), begin("eve", 3), begin("ana", 1)];
  await Promise.all(work);
  expect(order.filter((entry) => entry !== "a turn")).toEqual(["eve 1", "ana 1", "eve 2", "eve 3"]);
  expect(order.slice(order.indexOf("eve 2"), order.indexOf("eve 3"))).toContain("a turn");
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
  const limited = limitConcurrency(2);
  const order: string[] = [];
  const resolvers: (() => void)[] = [];
  const work = (name: string, fails = false) =>
    limited(async () => {
      order.push(name);
      await new Promise<void>((resolve) => resolvers.push(resolve));
      if (fails) throw new Error("no");
    });
  const [a, b, c, d] = [work("a", true), work("b"), work("c"), work("d")];
  expect(order).toEqual(["a", "b"]);
  resolvers[0]?.();
  await expect(a).rejects.toThrow("no");
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "c"]);
  resolvers[1]?.();
  await b;
  resolvers[2]?.();
  await c;
  resolvers[3]?.();
  await d;
  expect(order).toEqual(["a", "b", "c", "d"]);
});
