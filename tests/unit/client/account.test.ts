import { expect, test } from "vitest";
import { applyRequestEvent } from "../../../src/client/social/requests.ts";
import { deviceName } from "../../../src/client/users/device.ts";
import {
  addInterest,
  asInterest,
  editInterest,
  interestProblem,
  removeInterest,
} from "../../../src/client/users/interests.ts";
import { SettingsChanges, shownSettings } from "../../../src/client/users/settings-changes.ts";
import type { Change, Settings } from "../../../src/client/users/settings-changes.ts";

const request = (id: string) => ({
  id,
  username: id,
  name: id,
  picture: null,
  bio: "",
  askedAt: "2026-01-01T00:00:00Z",
});

test("a request that is put back stands where it stood", () => {
  const at = (id: string, askedAt: string) => ({ ...request(id), askedAt });
  const [ana, ben, cleo] = [
    at("ana", "2026-01-03T00:00:00Z"),
    at("ben", "2026-01-02T00:00:00Z"),
    at("cleo", "2026-01-01T00:00:00Z"),
  ];
  expect(
    applyRequestEvent([ana, cleo], { kind: "follow.requested", request: ben, requestsCount: 3 }),
  ).toEqual([ana, ben, cleo]);
});

test("a request comes once, and goes when it is withdrawn", () => {
  const asked = applyRequestEvent([request("ana")], {
    kind: "follow.requested",
    request: request("ben"),
    requestsCount: 2,
  });
  expect(asked.map(({ id }) => id)).toEqual(["ben", "ana"]);
  expect(
    applyRequestEvent(asked, { kind: "follow.requested", request: request("ana"), requestsCount: 2 }),
  ).toHaveLength(2);
  expect(
    applyRequestEvent(asked, { kind: "follow.withdrawn", requesterId: "ben", requestsCount: 1 }),
  ).toEqual([request("ana")]);
  expect(applyRequestEvent(asked, { kind: "follow.withdrawn", requesterId: "cleo", requestsCount: 2 })).toBe(
    asked,
  );
});

test("an interest is trimmed and in lower case; empty and doubled ones are refused", () => {
  expect(asInterest("  Night \n Walks ")).toBe("night walks");
  expect(interestProblem(["owls"], "  ")).toBe("Interest cannot be empty");
  expect(interestProblem(["owls"], "OWLS")).toBe("Interest already added");
  expect(interestProblem(["owls", "bats"], "Bats", "owls")).toBe("Interest already exists");
  expect(interestProblem(["owls", "bats"], "Owls", "owls")).toBeNull();
  expect(interestProblem(["owls"], "bats")).toBeNull();
  expect(interestProblem([], "x".repeat(41))).toBe("An interest is too long: at most 40 characters.");
  expect(
    interestProblem(
      Array.from({ length: 50 }, (_, index) => `topic ${index}`),
      "bats",
    ),
  ).toBe("At most 50 interests.");
});

test("an edited interest keeps its place", () => {
  expect(editInterest(["owls", "bats"], "owls", "barn owls")).toEqual(["barn owls", "bats"]);
  expect(editInterest(["owls", "bats"], "gone", "moths")).toEqual(["owls", "bats", "moths"]);
  expect(addInterest(["owls"], "owls")).toEqual(["owls"]);
  expect(removeInterest(["owls", "bats"], "owls")).toEqual(["bats"]);
});

test("a session is named by its browser and system", () => {
  const chrome =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  expect(deviceName(chrome)).toBe("Chrome on Windows");
  expect(deviceName(`${chrome} Edg/140.0.0.0`)).toBe("Edge on Windows");
  expect(deviceName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox on Linux",
  );
  expect(
    deviceName(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    ),
  ).toBe("Safari on iPhone");
  expect(
    deviceName(
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    ),
  ).toBe("Safari on macOS");
  expect(
    deviceName(
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    ),
  ).toBe("Chrome on Android");
  expect(deviceName("curl/8.5.0")).toBe("curl");
  expect(deviceName("")).toBe("Unknown device");
});

const first: Settings = {
  private: false,
  showLikedBlogs: true,
  showSavedBlogs: false,
  showFollowers: true,
  interests: ["owls"],
};
const closed: Change = (now) => ({ ...now, private: true });
const opened: Change = (now) => ({ ...now, private: false });
const bats: Change = (now) => ({ ...now, interests: addInterest(now.interests, "bats") });

/** A server that answers when it is told to, and says what it was sent. */
function aServer() {
  let settings = first;
  const sent: Partial<Settings>[] = [];
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const retries: (() => void)[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    sent,
    retries,
    current: () => settings,
    elsewhere: (change: Change) => (settings = change(settings)),
    send: (update: Partial<Settings>) => {
      sent.push(update);
      return new Promise<void>((resolve, reject) =>
        waiting.push({ resolve: () => ((settings = { ...settings, ...update }), resolve()), reject }),
      );
    },
    failed: (_error: unknown, retry: () => void) => void retries.push(retry),
    answer: () => (waiting.shift()?.resolve(), settle()),
    refuse: () => (waiting.shift()?.reject(new Error("no")), settle()),
  };
}

test("a setting shows at once; what is changed meanwhile goes with the next request", async () => {
  const server = aServer();
  const changes = new SettingsChanges();
  const shown = () => shownSettings(server.current(), changes.open());
  void changes.make([closed], server);
  void changes.make([bats], server);
  void changes.make([opened], server);
  expect(shown()).toEqual({ ...first, interests: ["owls", "bats"] });
  await server.answer();
  expect(server.sent).toEqual([{ private: true }, { private: false, interests: ["owls", "bats"] }]);
  expect(shown()).toEqual({ ...first, interests: ["owls", "bats"] });
  await server.answer();
  expect(changes.open()).toEqual([]);
  expect(shown()).toEqual({ ...first, interests: ["owls", "bats"] });
});

test("a change that fails is taken back alone, and Retry makes it on what the settings are by then", async () => {
  const server = aServer();
  const changes = new SettingsChanges();
  void changes.make([bats], server);
  void changes.make([closed], server);
  await server.refuse();
  expect(shownSettings(server.current(), changes.open())).toEqual({ ...first, private: true });
  await server.answer();
  expect(server.current()).toEqual({ ...first, private: true });
  server.elsewhere((now) => ({ ...now, interests: ["moths"] }));
  server.retries[0]?.();
  expect(server.sent.at(-1)).toEqual({ interests: ["moths", "bats"] });
});

test("a change that changes nothing is not sent", async () => {
  const server = aServer();
  const changes = new SettingsChanges();
  await changes.make([opened], server);
  expect(server.sent).toEqual([]);
  expect(changes.open()).toEqual([]);
});
