import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ServerConnection, ServerListener } from "../../../../src/server/database/connection.ts";
import { OtherServers } from "../../../../src/server/live/other-servers.ts";
import { until } from "../../../support/until.ts";

/* What servers send each other, over a connection in memory that can fail; over PostgreSQL: integration/live/presence-servers. */

class Hub {
  readonly packets: string[] = [];
  isDown = false;
  readonly #listeners = new Set<ServerListener>();

  connection(): ServerConnection {
    return {
      send: async (text) => {
        await pause(0);
        if (this.isDown) throw new Error("down");
        expect(Buffer.byteLength(text)).toBeLessThan(8_000);
        this.packets.push(text);
        for (const listener of this.#listeners) listener.onMessage?.(text);
      },
      listen: (listener) => {
        this.#listeners.add(listener);
        if (!this.isDown) listener.onConnect();
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  recover(): void {
    this.isDown = false;
    for (const listener of this.#listeners) listener.onConnect();
  }
}

function open(hub: Hub) {
  const errors: string[] = [];
  const servers = new OtherServers(hub.connection(), (_error, what) => errors.push(what), {
    beat: 20,
    gone: 5_000,
  });
  const changes: string[] = [];
  const rooms = servers.open<number>("room", { onChange: (id) => changes.push(id) });
  servers.start();
  onTestFinished(() => servers.close());
  return { servers, rooms, errors, changes };
}
/** More than fit into one packet. */
const many = Array.from({ length: 400 }, (_none, index) => `room of some people, number ${index}`);
type Opened = ReturnType<typeof open>;
const known = ({ rooms }: Opened) => many.flatMap((id) => rooms.others(id)).length;

test("a server that starts gets the parts of all, and those of others stay while they are sent again", async () => {
  const hub = new Hub();
  const [one, two] = [open(hub), open(hub)];
  for (const [value, id] of many.entries()) one.rooms.share(id, [["", value]]);
  await until(() => known(two) === many.length, "all parts");
  let fewest = many.length;
  const watch = setInterval(() => (fewest = Math.min(fewest, known(two))), 0);
  onTestFinished(() => clearInterval(watch));
  two.changes.length = 0;
  const three = open(hub);
  await until(() => known(three) === many.length, "all parts");
  await pause(100);
  expect(fewest).toBe(many.length);
});

test("an outage causes no flood of packets or errors, and ends with what is true then", async () => {
  const hub = new Hub();
  const [one, two] = [open(hub), open(hub)];
  for (const id of many) one.rooms.share(id, [["", 1]]);
  await until(() => known(two) === many.length, "all parts");
  hub.isDown = true;
  for (const id of many) {
    one.rooms.share(id, []);
    one.rooms.send(id, "lost" as never);
    if (many.indexOf(id) % 10 === 0) await pause(2);
  }
  one.rooms.share(many[0]!, [["", 2]]);
  await pause(100);
  expect(one.errors).toHaveLength(1);
  hub.packets.length = 0;
  hub.recover();
  await until(() => known(two) === 1, "the end of what ended meanwhile");
  expect(two.rooms.others(many[0]!)).toEqual([2]);
  await pause(100);
  const asking = hub.packets.filter((packet) => packet.includes('"asks"'));
  expect(asking.length).toBeLessThanOrEqual(4);
});

test("nothing of a server comes after it has left", async () => {
  const hub = new Hub();
  const [one, two] = [open(hub), open(hub)];
  one.rooms.share("a", [["", 1]]);
  await until(() => two.rooms.others("a").length === 1, "the part");
  one.rooms.share("b", [["", 1]]);
  await one.servers.close();
  await pause(50);
  expect(two.servers.count).toBe(0);
  expect([...two.rooms.others("a"), ...two.rooms.others("b")]).toEqual([]);
});
