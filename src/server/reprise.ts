import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { ZodError } from "zod";
import { type CommandInput, type Command, UsageError } from "./commands/command.ts";
import { findCommand, usage, usageOf } from "./commands/table.ts";

// A pipe's reader may close it early.
process.stdout.on("error", () => process.exit());
const say = (text: string) => process.stdout.write(`${text}\n`);

const globalOptions = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const given = process.argv.slice(2);
const isJson = given.includes("--json");

async function run(): Promise<void> {
  const words = given.filter((word) => !word.startsWith("-"));
  const command = await findCommand(words);
  if (!command) {
    if (words.length === 0 || given.includes("--help") || given.includes("-h"))
      return void say(await usage(words[0]));
    throw new UsageError(`Unknown command "${words.join(" ")}".\n\n${await usage(words[0])}`);
  }
  const { positionals, values } = parsed(command);
  if (values.help) return void say(`Usage: ${usageOf(command)}\n\n${command.does}`);
  const [least, most] = command.words ?? [0, 0];
  const rest = positionals.slice(command.name.split(" ").length);
  if (rest.length < least || rest.length > most)
    throw new UsageError(
      `${rest.length < least ? "Missing argument" : `Unexpected argument "${rest[most]}"`}: ${usageOf(command)}`,
    );
  const { progress, stop } = progressBar();
  try {
    const options = values as CommandInput["options"];
    const said = await command.run({ words: rest, options, progress, signal: untilStopped });
    stop();
    const lines = [said.lines].flat().join("\n");
    if (isJson) say(JSON.stringify(said.json, null, 2));
    else if (lines !== "") say(lines);
    if (said.isWrong) process.exitCode = 1;
  } finally {
    stop();
  }
}

function parsed(command: Command) {
  try {
    return parseArgs({
      args: given,
      allowPositionals: true,
      options: { ...command.options, ...globalOptions },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usageOf(command)}`);
  }
}

function progressBar() {
  let bar: SingleBar | undefined;
  const progress: CommandInput["progress"] = (done, of, what) => {
    if (!process.stderr.isTTY || isJson) return;
    if (!bar) {
      const format = "  {bar} {percentage}%  {what}";
      bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
      bar.start(of, done, { what });
    }
    bar.setTotal(of);
    bar.update(done, { what });
  };
  return { progress, stop: () => bar?.stop() };
}

function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stopped.abort(new Error("Stopped before it finished.")));
  return stopped.signal;
}

try {
  await run();
} catch (error) {
  const cause = error instanceof ZodError ? error.issues[0]?.message : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isJson) say(JSON.stringify({ error: message }, null, 2));
  process.stderr.write(`${message}\n`, () => process.exit(error instanceof UsageError ? 2 : 1));
}
