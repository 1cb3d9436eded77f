import { expect, test } from "vitest";
import { isCommonPassword } from "../../../src/server/auth/passwords.ts";
import { rejectPersonalPassword } from "../../../src/server/auth/passwords.ts";
import { ApiClient } from "../../support/api-client.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { password, refusal, startTestSite } from "../../support/test-site.ts";

const commonMessage = "That password is too common. Please choose another one.";
const personalMessage = "That password contains your name or address. Please choose another one.";
const passwordError = (message: string) => ({ code: "BAD_REQUEST", message, field: "password" });

test("knows the most common passwords in any case, and no others", () => {
  for (const common of [
    "12345678",
    "Password1",
    "iloveyou",
    "QWERTYUIOP",
    "trustno1",
    "letmein1",
    "sunshine",
  ])
    expect(isCommonPassword(common), common).toBe(true);
  for (const uncommon of [password, "write inspire repeat", "zq81-kfpw-owls", "12345678\n123456789x", ""])
    expect(isCommonPassword(uncommon), uncommon).toBe(false);
});

test("refuses a sign-up with a common password, or with the person's own name or address", async () => {
  await using testSite = await startTestSite();
  const signUp = (secret: string, change: Record<string, string> = {}) =>
    testSite.browser().api.users.signUp.mutate({
      name: "Ana María Ruiz",
      email: "owl.lover@night.example",
      password: secret,
      ...change,
    });
  await expectRefusal(signUp("Password1"), passwordError(commonMessage));
  for (const secret of [
    "anamariaruiz",
    "Ana.Maria.Ruiz1",
    "owl.lover@night.example",
    "OwlLover99",
    "ruizruiz12",
  ])
    expect(await refusal(signUp(secret)), secret).toMatchObject(passwordError(personalMessage));
  const client = new ApiClient(testSite);
  const answer = await client.call("POST", "/signup", {
    name: "Ana",
    email: "ana@example.org",
    password: "football1",
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { success: false, message: commonMessage, field: "password" },
  });
  expect(testSite.rows("select id from users")).toEqual([]);
  // A password can contain a name beside other words.
  await signUp("ana reads at night");
  expect(testSite.rows("select id from users")).toHaveLength(1);
});

test("a refused password does not show whether an address has an account", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const answers = await Promise.all(
    [ana.email, "nobody@example.org"].map((email) =>
      refusal(testSite.browser().api.users.signUp.mutate({ name: "Eve", email, password: "password1" })),
    ),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test("checks a reset password in the same way, and keeps the link until one is accepted", async () => {
  const [testSite, ana] = await siteWith("Ana Torres");
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  const reset = (secret: string) =>
    testSite.browser().api.users.resetPassword.mutate({ token, password: secret });
  await expectRefusal(reset("iloveyou"), passwordError(commonMessage));
  for (const secret of [`${ana.me.username}12`, ana.email, "torres-ana"])
    expect(await refusal(reset(secret)), secret).toMatchObject(passwordError(personalMessage));
  await reset("an even better one");
});

test("the command that adds an account reports invalid input in one line", async () => {
  await using testSite = await startTestSite();
  const add = async (args: string[], input?: string) => {
    const { dataDir } = testSite.config;
    const { code, error } = await reprise(dataDir, ["user", "add", ...args], {}, undefined, input);
    return { status: code, message: error };
  };
  const email = ["--email", "ana@example.org"];
  for (const [args, input, message] of [
    [["anatorres", ...email, "--password"], "anatorres1\n", personalMessage],
    [["ana", ...email, "--password"], "", "Use at least 8 characters."],
    [["an", ...email], "", "Username must be at least 3 characters."],
  ] as const)
    expect(await add([...args], input)).toEqual({ status: 1, message });
  // As an argument of the command, everyone on the machine could read it.
  expect(await add(["ana", ...email, "--password", password])).toMatchObject({ status: 2 });
  expect(await add(["ana", ...email, "--password"], `${password}\nmore\n`)).toEqual({
    status: 0,
    message: "",
  });
  const ana = testSite.browser();
  await ana.api.users.signIn.mutate({ email: "ana@example.org", password });
  expect(await ana.api.users.me.query()).toMatchObject({ username: "ana" });
});

test.each([
  ["bananasplit", { name: "Ana", email: "x@example.org" }],
  ["correct horse battery", { name: "Horse", email: "battery@example.org" }],
  ["!!!!!!!!", { name: "Ana", email: "x@example.org" }],
])("accepts %s", (secret, person) => {
  expect(() => rejectPersonalPassword(secret, person)).not.toThrow();
});
