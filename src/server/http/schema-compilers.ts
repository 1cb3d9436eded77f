import type { FastifyServerOptions } from "fastify";

/**
 * For each Fastify instance: endpoints validate after authentication, and services present responses. Fastify's own schema
 * compilers would take some megabytes.
 */
export const withoutSchemaCompilers: FastifyServerOptions["schemaController"] = {
  compilersFactory: {
    buildValidator: (() => () => (value: unknown) => ({ value })) as never,
    buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
  },
};
