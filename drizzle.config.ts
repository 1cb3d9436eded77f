import { defineConfig } from "drizzle-kit";

const isPostgres = process.env.DATABASE_URL?.startsWith("postgres");

/** `npm run generate` writes the migrations of both stores. */
export default defineConfig({
  dialect: isPostgres ? "postgresql" : "sqlite",
  schema: "src/server/database/schema/index.ts",
  out: isPostgres ? "migrations/postgres" : "migrations",
});
