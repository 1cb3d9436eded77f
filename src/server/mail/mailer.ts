import { mkdirSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createTransport, type Transporter } from "nodemailer";
import { limits } from "../../shared/limits.ts";
import type { Config } from "../runtime/config.ts";
import { withoutAccount } from "./mail-problem.ts";
import { NonRetryableError } from "../jobs/jobs.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** An email whose headers stay in one line: folded, a long one would begin below its name, where some programs find nothing. */
type OutgoingMail = Omit<Mail, "headers"> & { headers: ReturnType<typeof unfolded> };
const unfolded = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]));

/** In milliseconds; the mail server's URL can override them. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends emails by SMTP, or without a server writes `.eml` files and logs their links on a terminal only. */
export class Mailer {
  readonly #config: Config;
  readonly #log: FastifyBaseLogger;
  readonly #smtp: Transporter | undefined;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  constructor(config: Config, log: FastifyBaseLogger) {
    this.#config = config;
    this.#log = log;
    if (config.smtpUrl) this.#smtp = createTransport({ url: config.smtpUrl, ...timeouts });
    else mkdirSync(config.outboxDir, { recursive: true, mode: 0o700 });
  }

  /**
   * Resolves once the server accepted the email. `id` stays the same in retries, to recognize duplicates. Throws `NonRetryableError` if
   * the server refuses it permanently.
   */
  async send(mail: Mail, id: string): Promise<void> {
    const { publicUrl, siteName, mailFrom, smtpUrl } = this.#config;
    const { hostname } = new URL(publicUrl);
    const from = mailFrom ?? { name: siteName, address: `no-reply@${hostname}` };
    const message = {
      from,
      ...mail,
      headers: unfolded({ "Message-ID": `<${id}@${hostname}>`, ...mail.headers }),
    };
    if (!this.#smtp || smtpUrl === undefined) return this.#writeToOutbox(message, id);
    try {
      await this.#smtp.sendMail(message);
    } catch (error) {
      const { code, responseCode, message: text } = error as Error & { code?: string; responseCode?: number };
      // It is stored, and shown to administrators.
      const reason = withoutAccount(text, smtpUrl);
      const isRefused = (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
      throw isRefused ? new NonRetryableError(reason, { cause: error }) : new Error(reason, { cause: error });
    }
  }

  async #writeToOutbox(message: OutgoingMail, id: string): Promise<void> {
    const file = path.join(this.#config.outboxDir, `${id}.eml`);
    await writeFile(`${file}.part`, await this.#asFile(message), { mode: 0o600 });
    await rename(`${file}.part`, file);
    const link = this.#config.logsMailLinks ? /https?:\/\/\S+/.exec(message.text)?.[0] : undefined;
    this.#log.info({ file, link }, "no mail server is set: the email was stored as a file");
  }

  /** As it would be sent, but with the text as it is: the encoding for sending breaks links into lines of 76 characters. */
  async #asFile(message: OutgoingMail): Promise<string> {
    const { message: sent } = await this.#composer.sendMail(message);
    const [head = ""] = (sent as Buffer).toString().split("\r\n\r\n", 1);
    const plainHead = head.replace(/^Content-Transfer-Encoding: .*$/m, "Content-Transfer-Encoding: 8bit");
    return `${plainHead}\r\n\r\n${message.text.replace(/\r?\n/g, "\r\n")}\r\n`;
  }

  async sweep(now: number): Promise<void> {
    const { outboxDir } = this.#config;
    for (const name of await readdir(outboxDir).catch(() => [])) {
      const file = path.join(outboxDir, name);
      const stats = await stat(file).catch(() => undefined);
      if (/\.eml(\.part)?$/.test(name) && stats && stats.mtimeMs < now - limits.mail.keptFor)
        await rm(file, { force: true });
    }
  }

  close(): void {
    this.#smtp?.close();
  }
}
