import type { AddressInfo } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";

/** What a mail server answers where it does not simply take a mail. */
export type Refusal = { responseCode: number; message: string };

interface House {
  port?: number;
  /** Asked at each recipient: a refusal, a wait for as long as the promise lasts, or nothing. */
  onRecipient?: (attempt: number) => Refusal | undefined | Promise<void>;
  /** Waited for before a mail that came whole is answered. */
  onMail?: () => Promise<void>;
}

export interface PostOffice extends AsyncDisposable {
  url: string;
  port: number;
  mails: ParsedMail[];
  /** How often somebody tried. */
  attempts: () => number;
}

/** A real mail server on loopback that keeps what it is given. */
export async function postOffice({ port = 0, onRecipient, onMail }: House = {}): Promise<PostOffice> {
  const mails: ParsedMail[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    // Whoever hangs up does so in the middle.
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
      const kept = simpleParser(stream).then(async (mail) => {
        mails.push(mail);
        await onMail?.();
      });
      // oxlint-disable-next-line promise/no-callback-in-promise -- the server's own way to be told
      kept.then(() => done(), done);
    },
  });
  // A client that was killed is no failure of the server's.
  server.on("error", () => undefined);
  const listener = server.listen(port, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const bound = (listener.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    mails,
    attempts: () => attempts,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
