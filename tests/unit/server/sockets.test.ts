import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { countedWays } from "../../../src/server/auth/limits.ts";
import { Crowd } from "../../../src/server/live/crowd.ts";
import { limits } from "../../../src/shared/limits.ts";

const aLine = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const { lines } = limits.live;

test("there are so many lines in all, and one that closes makes room for another", () => {
  const crowd = new Crowd();
  const enter = (index: number) => {
    const line = aLine();
    crowd.enter(line, countedWays(`address ${index % (lines.all / lines.address)}`), undefined);
    return line;
  };
  const first = enter(0);
  for (let index = 1; index < lines.all; index++) enter(index);
  expect(() => crowd.enter(aLine(), countedWays("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
  first.emit("close");
  crowd.enter(aLine(), countedWays("another"), undefined);
  expect(() => crowd.enter(aLine(), countedWays("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
});

test("a line that was gone before it was let in counts for nothing, nor does its stream", () => {
  const crowd = new Crowd();
  for (let index = 0; index < 2 * lines.account; index++)
    expect(crowd.enter(aLine(true), countedWays("here"), "eve").open().ended).toBe(true);
  expect(crowd.lines).toBe(0);
});

test("an account's lines are counted wherever they come from, and given back as they close", () => {
  const crowd = new Crowd();
  const open = Array.from({ length: lines.account }, (_, index) => {
    const line = aLine();
    crowd.enter(line, countedWays(`address ${index}`), "eve").open();
    return line;
  });
  expect(() => crowd.enter(aLine(), countedWays("elsewhere"), "eve")).toThrow("Too many of your pages");
  crowd.enter(aLine(), countedWays("elsewhere"), "ana").open();
  open[0]?.emit("close");
  crowd.enter(aLine(), countedWays("elsewhere"), "eve").open();
});

test("a line has one stream: another takes its place, and the line's end is the stream's", () => {
  const crowd = new Crowd();
  const [closing, ended] = [aLine(), [] as string[]];
  const line = crowd.enter(closing, countedWays("here"), undefined);
  const [first, second] = ["first", "second"].map((name) =>
    Object.assign(line.open(), { onEnd: () => void ended.push(name) }),
  );
  expect([first!.ended, second!.ended, ended]).toEqual([true, false, ["first"]]);
  first!.leave();
  const third = Object.assign(line.open(), { onEnd: () => void ended.push("third") });
  closing.emit("close");
  expect([second!.ended, third.ended, ended]).toEqual([true, true, ["first", "second", "third"]]);
});

test("all of an IPv6 /48 has no more lines than eight of its networks may have", () => {
  const crowd = new Crowd();
  const enter = (network: string) => crowd.enter(aLine(), countedWays(`2001:db8:${network}::1`), undefined);
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < lines.address; count++) enter(`1:${network}`);
  expect(() => enter("1:8")).toThrow("Too many of your pages");
  enter("2:8");
});
