import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Crowd } from "../../../src/server/live/crowd.ts";
import { limits } from "../../../src/shared/limits.ts";

const aLine = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const { lines } = limits.live;

test("there are so many lines in all, and one that closes makes room for another", () => {
  const crowd = new Crowd();
  const enter = (index: number) => {
    const line = aLine();
    crowd.enter(line, `address ${index % (lines.all / lines.address)}`, undefined);
    return line;
  };
  const first = enter(0);
  for (let index = 1; index < lines.all; index++) enter(index);
  expect(() => crowd.enter(aLine(), "another", undefined)).toThrow("Too many pages are listening");
  first.emit("close");
  crowd.enter(aLine(), "another", undefined);
  expect(() => crowd.enter(aLine(), "another", undefined)).toThrow("Too many pages are listening");
});

test("a line that was gone before it was let in counts for nothing, nor does its stream", () => {
  const crowd = new Crowd();
  for (let index = 0; index < 2 * lines.account; index++)
    expect(crowd.enter(aLine(true), "here", "eve").open().ended).toBe(true);
  expect(crowd.lines).toBe(0);
});

test("an account's lines are counted wherever they come from, and given back as they close", () => {
  const crowd = new Crowd();
  const open = Array.from({ length: lines.account }, (_, index) => {
    const line = aLine();
    crowd.enter(line, `address ${index}`, "eve").open();
    return line;
  });
  expect(() => crowd.enter(aLine(), "elsewhere", "eve")).toThrow("Too many of your pages");
  crowd.enter(aLine(), "elsewhere", "ana").open();
  open[0]?.emit("close");
  crowd.enter(aLine(), "elsewhere", "eve").open();
});

test("a line has one stream: another takes its place, and the line's end is the stream's", () => {
  const crowd = new Crowd();
  const [closing, ended] = [aLine(), [] as string[]];
  const line = crowd.enter(closing, "here", undefined);
  const [first, second] = ["first", "second"].map((name) =>
    Object.assign(line.open(), { onEnd: () => void ended.push(name) }),
  );
  expect([first!.ended, second!.ended, ended]).toEqual([true, false, ["first"]]);
  first!.leave();
  const third = Object.assign(line.open(), { onEnd: () => void ended.push("third") });
  closing.emit("close");
  expect([second!.ended, third.ended, ended]).toEqual([true, true, ["first", "second", "third"]]);
});
