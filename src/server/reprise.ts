import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { ZodError } from "zod";
import { type CommandInput, type Command, UsageError } from "./commands/command.ts";
import { findCommand, usage, usageOf } from "./commands/table.ts";
import { version } from "./runtime/project-root.ts";

// A pipe's reader may close it early.
process.stdout.on("error", () => process.exit());
const print = (text: string) => process.stdout.write(`${text}\n`);

const globalOptions = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const args = process.argv.slice(2);
const isJson = args.includes("--json");

async function run(): Promise<void> {
  if (args.includes("--version")) return void print(isJson ? JSON.stringify({ version }, null, 2) : version);
  const argWords = args.filter((word) => !word.startsWith("-"));
  const command = await findCommand(argWords);
  if (!command) {
    if (argWords.length === 0 || args.includes("--help") || args.includes("-h"))
      return void print(await usage(argWords[0]));
    throw new UsageError(`Unknown command "${argWords.join(" ")}".\n\n${await usage(argWords[0])}`);
  }
  const { positionals, values } = parsed(command);
  if (values.help) return void print(`Usage: ${usageOf(command)}\n\n${command.description}`);
  const [minArgs, maxArgs] = command.words ?? [0, 0];
  const argValues = positionals.slice(command.name.split(" ").length);
  if (argValues.length < minArgs || argValues.length > maxArgs)
    throw new UsageError(
      `${argValues.length < minArgs ? "Missing argument" : `Unexpected argument "${argValues[maxArgs]}"`}: ${usageOf(command)}`,
    );
  const { progress, stop } = progressBar();
  try {
    const options = values as CommandInput["options"];
    const output = await command.run({ words: argValues, options, progress, signal: untilStopped });
    stop();
    const lines = [output.lines].flat().join("\n");
    if (isJson) print(JSON.stringify(output.json, null, 2));
    else if (lines !== "") print(lines);
    if (output.hasProblems) process.exitCode = 1;
  } finally {
    stop();
  }
}

function parsed(command: Command) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ...command.options, ...globalOptions },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usageOf(command)}`);
  }
}

function progressBar() {
  let bar: SingleBar | undefined;
  const progress: CommandInput["progress"] = (done, total, label) => {
    if (!process.stderr.isTTY || isJson) return;
    if (!bar) {
      const format = "  {bar} {percentage}%  {what}";
      bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
      bar.start(total, done, { what: label });
    }
    bar.setTotal(total);
    bar.update(done, { what: label });
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
  if (isJson) print(JSON.stringify({ error: message }, null, 2));
  process.stderr.write(`${message}\n`, () => process.exit(error instanceof UsageError ? 2 : 1));
}
