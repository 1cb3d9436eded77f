import { mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createTransport, type Transporter } from "nodemailer";
import type { Config } from "../config.ts";
import { newId } from "../ids.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail: by SMTP, or kept as `.eml` files where no server is set, with their links in the log. */
export class Mailer {
  readonly #config: Config;
  readonly #log: FastifyBaseLogger;
  readonly #smtp: Transporter | undefined;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  readonly #sending = new Set<Promise<void>>();

  constructor(config: Config, log: FastifyBaseLogger) {
    this.#config = config;
    this.#log = log;
    if (config.smtpUrl) this.#smtp = createTransport(config.smtpUrl, { from: config.mailFrom });
    else mkdirSync(config.outboxDir, { recursive: true });
  }

  /** Sends in the background: whoever asked is answered at once, in the same time whether there is a mail or not. */
  post(mail: Mail): void {
    const sending = this.#send(mail)
      .catch((error: unknown) =>
        this.#log.error({ err: error, subject: mail.subject }, "a mail could not be sent"),
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #send(mail: Mail): Promise<void> {
    const message = { from: this.#config.mailFrom, ...mail };
    if (this.#smtp) {
      await this.#smtp.sendMail(message);
      return;
    }
    const { message: eml } = await this.#composer.sendMail(message);
    const file = path.join(this.#config.outboxDir, `${newId()}.eml`);
    await writeFile(`${file}.part`, eml as Buffer);
    await rename(`${file}.part`, file);
    const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
    this.#log.info({ file, link }, "no mail server is set: the mail was kept as a file");
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sending);
    this.#smtp?.close();
  }
}
