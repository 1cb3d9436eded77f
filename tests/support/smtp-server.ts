import type { AddressInfo } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";

/** The error response of a mail server. */
export type SmtpError = { responseCode: number; message: string };

interface SmtpServerOptions {
  port?: number;
  /** Called for each recipient: returns a refusal, a promise to wait for, or nothing. */
  onRecipient?: (attempt: number) => SmtpError | undefined | Promise<void>;
  /** Awaited before a complete email is acknowledged. */
  onMail?: () => Promise<void>;
}

export interface TestSmtpServer extends AsyncDisposable {
  url: string;
  port: number;
  receivedEmails: ParsedMail[];
  /** The number of attempted deliveries. */
  attempts: () => number;
}

/** Starts a real mail server on loopback that stores what it receives. */
export async function startSmtpServer({
  port = 0,
  onRecipient,
  onMail,
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const emails: ParsedMail[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    // A client that disconnects does so in the middle.
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) => {
      const answer = async () => {
        const refusal = await onRecipient?.(++attempts);
        if (refusal) throw Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode });
      };
      // oxlint-disable-next-line promise/no-callback-in-promise -- the server's own way to be told
      answer().then(() => done(), done);
    },
    onData: (stream, _session, done) => {
      const parsed = simpleParser(stream).then(async (email) => {
        emails.push(email);
        await onMail?.();
      });
      // oxlint-disable-next-line promise/no-callback-in-promise -- the server's own way to be told
      parsed.then(() => done(), done);
    },
  });
  // A killed client is no error of the server.
  server.on("error", () => undefined);
  const listener = server.listen(port, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const bound = (listener.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    receivedEmails: emails,
    attempts: () => attempts,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
