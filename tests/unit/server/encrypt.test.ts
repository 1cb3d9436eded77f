import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { encryptFor } from "../../../src/server/push/encrypt.ts";

test("a push is encrypted as the example of RFC 8291 is", () => {
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"));
  const recipient = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const salt = Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url");
  const sent = encryptFor(recipient, "When I grow up, I want to be a watermelon", sender, salt);
  expect(sent.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("nothing is encrypted for what is no key", () => {
  expect(() => encryptFor({ p256dh: "AAAA", auth: "AAAA" }, "")).toThrow(/key/);
});
