import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Crowd } from "../../../src/server/live/crowd.ts";
import { limits } from "../../../src/shared/limits.ts";

const aLine = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const { lines, streams } = limits.live;

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

test("a line that was gone before it was let in counts for nothing, nor do its streams", () => {
  const crowd = new Crowd();
  for (let index = 0; index < 2 * lines.account; index++)
    expect(crowd.enter(aLine(true), "here", "eve").open("feed").ended).toBe(true);
  expect(crowd.lines).toBe(0);
});

test("an account's streams are counted over all its lines, and given back with them", () => {
  const crowd = new Crowd();
  const open = Array.from({ length: streams.account / streams.line }, (_, index) => {
    const line = aLine();
    const own = crowd.enter(line, `address ${index}`, "eve");
    for (let topic = 0; topic < streams.line; topic++) own.open(`blog:${topic}`);
    return line;
  });
  expect(() => crowd.enter(aLine(), "elsewhere", "eve").open("feed")).toThrow("Too many of your pages");
  crowd.enter(aLine(), "elsewhere", "ana").open("feed");
  open[0]?.emit("close");
  crowd.enter(aLine(), "elsewhere", "eve").open("feed");
});
