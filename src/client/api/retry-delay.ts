export { retryDelay } from "./retry.ts";
