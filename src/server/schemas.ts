import type { FastifyServerOptions } from "fastify";

/**
 * For each Fastify: calls check what they are given by themselves, after they have asked for the account, and replies are what the
 * services presented. Its own compilers, which check and write by schemas, are some megabytes that would be loaded all the same.
 */
export const schemaController: FastifyServerOptions["schemaController"] = {
  compilersFactory: {
    buildValidator: (() => () => (value: unknown) => ({ value })) as never,
    buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
  },
};
