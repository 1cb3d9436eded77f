import { expect, test } from "vitest";
import { isCommonPassword } from "../../src/server/auth/common-passwords.ts";
import { refuseOwn } from "../../src/server/auth/passwords.ts";
import { ApiClient } from "../support/api-client.ts";
import { reprise } from "../support/command.ts";
import { password, refusal, startTown } from "../support/town.ts";

const common = "That password is too common. Please choose another one.";
const own = "That password contains your name or address. Please choose another one.";
const refused = (message: string) => ({ code: "BAD_REQUEST", message, field: "password" });

test("the commonest passwords are known, in whatever case, and others are not", () => {
  for (const known of ["12345678", "Password1", "iloveyou", "QWERTYUIOP", "trustno1", "letmein1", "sunshine"])
    expect(isCommonPassword(known), known).toBe(true);
  for (const unknown of [password, "write inspire repeat", "zq81-kfpw-owls", "12345678\n123456789x", ""])
    expect(isCommonPassword(unknown), unknown).toBe(false);
});

test("nobody signs up with one of the commonest passwords, or with what others know of them", async () => {
  await using town = await startTown();
  const signUp = (secret: string, change: Record<string, string> = {}) =>
    town.browser().api.users.signUp.mutate({
      name: "Ana María Ruiz",
      email: "owl.lover@night.example",
      password: secret,
      ...change,
    });
  expect(await refusal(signUp("Password1"))).toMatchObject(refused(common));
  for (const secret of [
    "anamariaruiz",
    "Ana.Maria.Ruiz1",
    "owl.lover@night.example",
    "OwlLover99",
    "ruizruiz12",
  ])
    expect(await refusal(signUp(secret)), secret).toMatchObject(refused(own));
  const client = new ApiClient(town);
  const answer = await client.call("POST", "/signup", {
    name: "Ana",
    email: "ana@example.org",
    password: "football1",
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { success: false, message: common, field: "password" },
  });
  expect(town.rows("select id from users")).toEqual([]);
  // A name is no reason against a password that says more.
  await signUp("ana reads at night");
  expect(town.rows("select id from users")).toHaveLength(1);
});

test("whether an address has an account is not told by what is said of the password", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const answers = await Promise.all(
    [ana.email, "nobody@example.org"].map((email) =>
      refusal(town.browser().api.users.signUp.mutate({ name: "Eve", email, password: "password1" })),
    ),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test("a new password is looked at in the same way, and the link stays until one is good", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana Torres");
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await town.mailedToken(ana.email, "reset-password");
  const reset = (secret: string) =>
    town.browser().api.users.resetPassword.mutate({ token, password: secret });
  expect(await refusal(reset("iloveyou"))).toMatchObject(refused(common));
  for (const secret of [`${ana.me.username}12`, ana.email, "torres-ana"])
    expect(await refusal(reset(secret)), secret).toMatchObject(refused(own));
  await reset("an even better one");
});

test("the command that adds an account says what is wrong with it in one line", async () => {
  await using town = await startTown();
  const add = async (words: string[], input?: string) => {
    const { dataDir } = town.config;
    const { code, error } = await reprise(dataDir, ["user", "add", ...words], {}, undefined, input);
    return { status: code, said: error };
  };
  const email = ["--email", "ana@example.org"];
  for (const [words, input, said] of [
    [["anatorres", ...email, "--password"], "anatorres1\n", own],
    [["ana", ...email, "--password"], "", "Use at least 8 characters."],
    [["an", ...email], "", "Username must be at least 3 characters."],
  ] as const)
    expect(await add([...words], input)).toEqual({ status: 1, said });
  // Among the words of the command everybody on the machine could read it.
  expect(await add(["ana", ...email, "--password", password])).toMatchObject({ status: 2 });
  expect(await add(["ana", ...email, "--password"], `${password}\nmore\n`)).toEqual({ status: 0, said: "" });
  const ana = town.browser();
  await ana.api.users.signIn.mutate({ email: "ana@example.org", password });
  expect(await ana.api.users.me.query()).toMatchObject({ username: "ana" });
});

test.each([
  ["bananasplit", { name: "Ana", email: "x@example.org" }],
  ["correct horse battery", { name: "Horse", email: "battery@example.org" }],
  ["!!!!!!!!", { name: "Ana", email: "x@example.org" }],
])("%s says enough", (secret, person) => {
  expect(() => refuseOwn(secret, person)).not.toThrow();
});
