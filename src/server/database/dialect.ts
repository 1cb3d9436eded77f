import { sql, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";
import { isPostgres } from "./schema/store.ts";

/* Parts of queries that the two stores write differently. Lists come as one parameter, a JSON array. */

type Expression = SQLWrapper | Placeholder | string;

/** A list of texts as a table with the column `value`. */
export const textsAs = (list: Expression, name: string): SQL =>
  isPostgres
    ? sql`json_array_elements_text(${list}::json) as ${sql.raw(name)}(value)`
    : sql`json_each(${list}) as ${sql.raw(name)}`;

/** A list of texts, for `in`. */
export const listedTexts = (list: Expression): SQL => sql`(select value from ${textsAs(list, "listed")})`;

/** A list of whole numbers, for `in`. */
export const listedNumbers = (list: Expression): SQL =>
  sql`(select cast(value as bigint) from ${textsAs(list, "listed")})`;

const functionNamed = (sqlite: string, postgres: string) => sql.raw(isPostgres ? postgres : sqlite);
export const jsonObject = functionNamed("json_object", "json_build_object");
export const jsonArray = functionNamed("json_array", "json_build_array");

/** An aggregate: the values of all rows as a JSON array, `[]` without rows. */
export const jsonArrayOf = (value: SQL): SQL =>
  isPostgres ? sql`coalesce(json_agg(${value}), '[]')` : sql`json_group_array(${value})`;

/** As `jsonArrayOf`, of values that are JSON. */
export const jsonArrayOfJson = (value: SQL): SQL => jsonArrayOf(isPostgres ? value : sql`json(${value})`);

/** A field of a JSON object, as text. */
export const jsonField = (object: SQLWrapper, name: string): SQL<string | null> =>
  sql`(${object}${functionNamed("", "::json")} ->> ${sql.raw(`'${name}'`)})`;

/** Joins tables with a condition; SQLite reads them in the written order. PostgreSQL chooses by what it knows of them. */
export const joinInOrder = functionNamed("cross join", "inner join");

/** A column that SQLite's choice of an index leaves out of account. */
export const unindexed = (column: SQLWrapper): SQL => (isPostgres ? sql`${column}` : sql`+${column}`);
