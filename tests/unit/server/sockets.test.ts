import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { Sockets } from "../../../src/server/live/socket.ts";

test("streams over HTTP are as many as sockets may be, and one that ends makes room for another", () => {
  const sockets = new Sockets();
  const hold = () => {
    const answer = new EventEmitter();
    sockets.hold(answer as ServerResponse);
    return answer;
  };
  const first = hold();
  for (let count = 1; count < 20_000; count++) hold();
  expect(hold).toThrow("Too many pages are listening");
  first.emit("close");
  hold();
  expect(hold).toThrow("Too many pages are listening");
});
