import { defineConfig } from "drizzle-kit";

// The schema is for the store that this names.
process.env.DATABASE_URL = "postgres://";

export default defineConfig({
  dialect: "postgresql",
  schema: "src/server/database/schema/index.ts",
  out: "migrations/postgres",
});
