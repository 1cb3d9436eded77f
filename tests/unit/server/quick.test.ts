import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import Sqlite from "better-sqlite3";
import { alias, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quickened } from "../../../src/server/database/quick.ts";

const people = sqliteTable("people", {
  id: text("id").notNull(),
  shown: integer("shown", { mode: "boolean" }).notNull(),
  likes: text("likes", { mode: "json" }).$type<string[]>(),
  friendId: text("friend_id"),
});
const friend = alias(people, "friend");
const sqlite = new Sqlite(":memory:");
const db = drizzle(sqlite);

beforeAll(() => {
  sqlite.exec("create table people (id text, shown integer, likes text, friend_id text)");
  const insert = quickened(
    db
      .insert(people)
      .values({
        id: sql.placeholder("id"),
        shown: sql.placeholder("shown"),
        likes: sql.placeholder("likes"),
        friendId: sql.placeholder("friendId"),
      })
      .prepare(),
  );
  insert.run({ id: "ana", shown: true, likes: ["owls"], friendId: null });
  insert.run({ id: "ben", shown: false, likes: [], friendId: "ana" });
});
afterAll(() => sqlite.close());

const queries = {
  "all of a table": () => db.select().from(people).prepare(),
  "joined, where there is somebody and where there is nobody": () =>
    db
      .select({
        id: people.id,
        friend: { id: friend.id, shown: friend.shown, likes: friend.likes, count: sql<number>`1 + 1` },
        upper: sql<string>`upper(${people.id})`.mapWith((name: string) => `${name}!`),
        named: sql<string>`'x'`.as("named"),
      })
      .from(people)
      .leftJoin(friend, eq(friend.id, people.friendId))
      .prepare(),
  "of one table in a group of its own": () =>
    db
      .select({ person: { id: people.id, friendId: people.friendId }, likes: people.likes })
      .from(people)
      .innerJoin(friend, eq(friend.id, people.friendId))
      .prepare(),
  "by a parameter": () =>
    db
      .select({ id: people.id })
      .from(people)
      .where(eq(people.shown, sql.placeholder("shown")))
      .prepare(),
};

test.each(Object.entries(queries))("what is read is what drizzle reads: %s", (_what, build) => {
  const values = { shown: 1 };
  const plain = build();
  const quick = quickened(build());
  expect(plain.all(values)).not.toEqual([]);
  expect(quick.all(values)).toEqual(plain.all(values));
  expect(quick.get(values)).toEqual(plain.get(values));
});

test("what changes something takes constants and parameters", () => {
  const change = quickened(
    db
      .update(people)
      .set({ likes: null, shown: sql`${sql.placeholder("shown")}` })
      .where(eq(people.id, sql.placeholder("id")))
      .prepare(),
  );
  expect(change.run({ id: "ben", shown: 1 })).toMatchObject({ changes: 1 });
  expect(sqlite.prepare("select * from people where id = 'ben'").get()).toMatchObject({
    likes: null,
    shown: 1,
  });
});

test("a value that is not given is missed, nothing found is nothing", () => {
  const byId = quickened(
    db
      .select()
      .from(people)
      .where(eq(people.id, sql.placeholder("id")))
      .prepare(),
  );
  expect(() => byId.get({})).toThrow('No value for placeholder "id" was provided');
  expect(byId.get({ id: "cleo" })).toBeUndefined();
  expect(byId.all({ id: "cleo" })).toEqual([]);
  expect(byId.get({ id: "ana" })).toEqual({ id: "ana", shown: true, likes: ["owls"], friendId: null });
});
