import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { countedWays } from "../../../src/server/auth/limits.ts";
import { ConnectionLimits } from "../../../src/server/live/connection-limits.ts";
import { limits } from "../../../src/shared/limits.ts";

const aLine = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const { connections } = limits.live;

test("there are so many lines in all, and one that closes makes room for another", () => {
  const admission = new ConnectionLimits();
  const enter = (index: number) => {
    const line = aLine();
    admission.admit(
      line,
      countedWays(`address ${index % (connections.all / connections.address)}`),
      undefined,
    );
    return line;
  };
  const first = enter(0);
  for (let index = 1; index < connections.all; index++) enter(index);
  expect(() => admission.admit(aLine(), countedWays("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
  first.emit("close");
  admission.admit(aLine(), countedWays("another"), undefined);
  expect(() => admission.admit(aLine(), countedWays("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
});

test("a line that was gone before it was let in counts for nothing, nor does its stream", () => {
  const admission = new ConnectionLimits();
  for (let index = 0; index < 2 * connections.account; index++)
    expect(admission.admit(aLine(true), countedWays("here"), "eve").openSlot().ended).toBe(true);
  expect(admission.count).toBe(0);
});

test("an account's lines are counted wherever they come from, and given back as they close", () => {
  const admission = new ConnectionLimits();
  const open = Array.from({ length: connections.account }, (_, index) => {
    const line = aLine();
    admission.admit(line, countedWays(`address ${index}`), "eve").openSlot();
    return line;
  });
  expect(() => admission.admit(aLine(), countedWays("elsewhere"), "eve")).toThrow("Too many of your pages");
  admission.admit(aLine(), countedWays("elsewhere"), "ana").openSlot();
  open[0]?.emit("close");
  admission.admit(aLine(), countedWays("elsewhere"), "eve").openSlot();
});

test("a line has one stream: another takes its place, and the line's end is the stream's", () => {
  const admission = new ConnectionLimits();
  const [closing, ended] = [aLine(), [] as string[]];
  const line = admission.admit(closing, countedWays("here"), undefined);
  const [first, second] = ["first", "second"].map((name) =>
    Object.assign(line.openSlot(), { onEnd: () => void ended.push(name) }),
  );
  expect([first!.ended, second!.ended, ended]).toEqual([true, false, ["first"]]);
  first!.release();
  const third = Object.assign(line.openSlot(), { onEnd: () => void ended.push("third") });
  closing.emit("close");
  expect([second!.ended, third.ended, ended]).toEqual([true, true, ["first", "second", "third"]]);
});

test("all of an IPv6 /48 has no more lines than eight of its networks may have", () => {
  const admission = new ConnectionLimits();
  const enter = (network: string) =>
    admission.admit(aLine(), countedWays(`2001:db8:${network}::1`), undefined);
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < connections.address; count++) enter(`1:${network}`);
  expect(() => enter("1:8")).toThrow("Too many of your pages");
  enter("2:8");
});
