import { mkdirSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createTransport, type Transporter } from "nodemailer";
import { limits } from "../../shared/limits.ts";
import type { Config } from "../config.ts";
import { Hopeless } from "../jobs/jobs.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** A server that says nothing ends an attempt. The address of the server may set others. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends mail: by SMTP, or kept as `.eml` files where no server is set, whose links are told of on a terminal alone. */
export class Mailer {
  readonly #config: Config;
  readonly #log: FastifyBaseLogger;
  readonly #smtp: Transporter | undefined;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  constructor(config: Config, log: FastifyBaseLogger) {
    this.#config = config;
    this.#log = log;
    if (config.smtpUrl) this.#smtp = createTransport({ url: config.smtpUrl, ...patience });
    else mkdirSync(config.outboxDir, { recursive: true, mode: 0o700 });
  }

  /**
   * Sends one mail, once it is sure to have been taken. `id` is the same at each attempt, so that one that goes out twice can
   * be known. Throws `Hopeless` where the server refuses this mail for good.
   */
  async send(mail: Mail, id: string): Promise<void> {
    const { publicUrl, siteName, mailFrom } = this.#config;
    const { hostname } = new URL(publicUrl);
    const from = mailFrom ?? { name: siteName, address: `no-reply@${hostname}` };
    const message = { from, messageId: `<${id}@${hostname}>`, ...mail };
    if (!this.#smtp) return this.#keep(message, id);
    try {
      await this.#smtp.sendMail(message);
    } catch (error) {
      const { code, responseCode, message: said } = error as Error & { code?: string; responseCode?: number };
      const isRefused = (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
      throw isRefused ? new Hopeless(said, { cause: error }) : error;
    }
  }

  async #keep(message: Mail, id: string): Promise<void> {
    const file = path.join(this.#config.outboxDir, `${id}.eml`);
    await writeFile(`${file}.part`, await this.#asFile(message), { mode: 0o600 });
    await rename(`${file}.part`, file);
    // Whoever reads a log that is kept must not be able to open accounts with it.
    const link = process.stdout.isTTY ? /https?:\/\/\S+/.exec(message.text)?.[0] : undefined;
    this.#log.info({ file, link }, "no mail server is set: the mail was kept as a file");
  }

  /** A mail as a file whose text is written out: as it is sent its links would be broken in lines of 76 signs, and nobody could copy them. */
  async #asFile({ text, ...message }: Mail): Promise<string> {
    const { message: empty } = await this.#composer.sendMail({ ...message, text: "" });
    const head = (empty as Buffer)
      .toString()
      .trimEnd()
      .replace("Content-Transfer-Encoding: 7bit", "Content-Transfer-Encoding: 8bit");
    return `${head}\r\n\r\n${text.replace(/\r?\n/g, "\r\n")}\r\n`;
  }

  /** Deletes mails that were kept as files long ago. */
  async sweep(now: number): Promise<void> {
    const { outboxDir } = this.#config;
    for (const name of await readdir(outboxDir).catch(() => [])) {
      const file = path.join(outboxDir, name);
      const found = await stat(file).catch(() => undefined);
      if (/\.eml(\.part)?$/.test(name) && found && found.mtimeMs < now - limits.mail.keptFor)
        await rm(file, { force: true });
    }
  }

  close(): void {
    this.#smtp?.close();
  }
}
