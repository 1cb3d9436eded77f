import { expect, test } from "vitest";
import { deviceName } from "../../../../src/shared/user-agent.ts";
import {
  addInterest,
  asInterest,
  editInterest,
  interestProblem,
  removeInterest,
} from "../../../../src/client/settings/interests.ts";

test("trims and lowercases an interest, and refuses empty and duplicate ones", () => {
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

test("keeps an edited interest in its place", () => {
  expect(editInterest(["owls", "bats"], "owls", "barn owls")).toEqual(["barn owls", "bats"]);
  expect(editInterest(["owls", "bats"], "gone", "moths")).toEqual(["owls", "bats", "moths"]);
  expect(addInterest(["owls"], "owls")).toEqual(["owls"]);
  expect(removeInterest(["owls", "bats"], "owls")).toEqual(["bats"]);
});

test("names a session by its browser and system", () => {
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
