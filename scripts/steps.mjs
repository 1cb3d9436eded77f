// The output of a working command: one line per step, on standard error.
// Plain JavaScript: it runs on the system's Node, before anything is installed.

/**
 * Runs `work` and prints how long it took: "Installing packages… (takes about a minute)", then what `done` makes of its
 * result, as "Installed 498 packages in 46 s." On a terminal both are one line, which counts the seconds meanwhile.
 */
export async function step(text, work, done, output = process.stderr) {
  const startTime = performance.now();
  const seconds = () => Math.round((performance.now() - startTime) / 1000);
  if (!output.isTTY) {
    output.write(`${text}\n`);
    const result = await work();
    output.write(`${done(result)} in ${seconds()} s.\n`);
    return result;
  }
  const rewrite = (line) => output.write(`\r\u001b[2K${line}`);
  rewrite(text);
  const ticker = setInterval(() => rewrite(`${text} ${seconds()} s`), 1000);
  let message = "";
  try {
    const result = await work();
    message = `${done(result)} in ${seconds()} s.`;
    return result;
  } finally {
    clearInterval(ticker);
    // A failed step keeps its line, so that the reason after it can be understood.
    rewrite(`${message || text}\n`);
  }
}
