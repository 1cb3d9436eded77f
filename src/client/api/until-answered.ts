export { untilAnswered } from "./retry.ts";
