import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { addressKeys } from "../../../../src/server/auth/rate-limits.ts";
import { ConnectionLimits } from "../../../../src/server/live/connection-limits.ts";
import { limits } from "../../../../src/shared/limits.ts";

const aConnection = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const { connections } = limits.live;

test("limits the connections in all, and admits another when one closes", () => {
  const admission = new ConnectionLimits();
  const admit = (index: number) => {
    const line = aConnection();
    admission.admit(
      line,
      addressKeys(`address ${index % (connections.all / connections.address)}`),
      undefined,
    );
    return line;
  };
  const first = admit(0);
  for (let index = 1; index < connections.all; index++) admit(index);
  expect(() => admission.admit(aConnection(), addressKeys("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
  first.emit("close");
  admission.admit(aConnection(), addressKeys("another"), undefined);
  expect(() => admission.admit(aConnection(), addressKeys("another"), undefined)).toThrow(
    "Too many pages are listening",
  );
});

test("counts neither a connection that was closed before it was admitted, nor its stream", () => {
  const admission = new ConnectionLimits();
  for (let index = 0; index < 2 * connections.account; index++)
    expect(admission.admit(aConnection(true), addressKeys("here"), "eve").openSlot().ended).toBe(true);
  expect(admission.count).toBe(0);
});

test("counts an account's connections from all addresses, and releases them as they close", () => {
  const admission = new ConnectionLimits();
  const open = Array.from({ length: connections.account }, (_, index) => {
    const line = aConnection();
    admission.admit(line, addressKeys(`address ${index}`), "eve").openSlot();
    return line;
  });
  expect(() => admission.admit(aConnection(), addressKeys("elsewhere"), "eve")).toThrow(
    "Too many of your pages",
  );
  admission.admit(aConnection(), addressKeys("elsewhere"), "ana").openSlot();
  open[0]?.emit("close");
  admission.admit(aConnection(), addressKeys("elsewhere"), "eve").openSlot();
});

test("ends a connection's stream when another takes its place, or when the connection closes", () => {
  const admission = new ConnectionLimits();
  const [closing, endedNames] = [aConnection(), [] as string[]];
  const line = admission.admit(closing, addressKeys("here"), undefined);
  const [first, second] = ["first", "second"].map((name) =>
    Object.assign(line.openSlot(), { onEnd: () => void endedNames.push(name) }),
  );
  expect([first!.ended, second!.ended, endedNames]).toEqual([true, false, ["first"]]);
  first!.release();
  const third = Object.assign(line.openSlot(), { onEnd: () => void endedNames.push("third") });
  closing.emit("close");
  expect([second!.ended, third.ended, endedNames]).toEqual([true, true, ["first", "second", "third"]]);
});

test("limits all of an IPv6 /48 to the connections that eight of its networks may have", () => {
  const admission = new ConnectionLimits();
  const admit = (network: string) =>
    admission.admit(aConnection(), addressKeys(`2001:db8:${network}::1`), undefined);
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < connections.address; count++) admit(`1:${network}`);
  expect(() => admit("1:8")).toThrow("Too many of your pages");
  admit("2:8");
});
