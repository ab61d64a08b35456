import type { EmailAccountAndWaitReply } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import { extractMailCode } from '../../codes/extract-code';
import type { DisposableMail, MailboxAccount, MailDetails } from './disposable-mail';

// Most codes arrive within seconds; later, polling every 3 s saves the provider's rate limit.
const [firstPauseMs, longestPauseMs] = [1_000, 3_000];
const pauseGrowth = 1.25;

/**
 * Creates an account and waits for its first message. After the account is created, a failure is reported as a
 * time-out: the client can still read the mailbox with the token.
 * @param signal aborted when the client disconnects
 */
export async function accountAndWait(
  mail: DisposableMail,
  { username, timeoutMs }: { username: string | undefined; timeoutMs: number },
  signal: AbortSignal,
): Promise<EmailAccountAndWaitReply> {
  const account = await mail.createAccount(username, signal);
  const message = await firstMessage(mail, account, { timeoutMs, signal });
  if (!message) return { ...account, message: null, code: null, timeout: true };
  const { id, from, subject, text, html, createdAt } = message;
  const code = extractMailCode({ subject, text, ...(html !== null && { html }) });
  return { ...account, message: { id, from, subject, text, createdAt }, code, timeout: false };
}

async function firstMessage(
  mail: DisposableMail,
  { token }: MailboxAccount,
  { timeoutMs, signal: caller }: { timeoutMs: number; signal: AbortSignal },
): Promise<MailDetails | undefined> {
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), timeoutMs);
  const abort = (): void => timeUp.abort();
  caller.addEventListener('abort', abort, { once: true });
  const { signal } = timeUp;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * pauseGrowth, longestPauseMs)) {
      await pause(pauseMs, undefined, { signal });
      const found = await readFirst(mail, token, signal);
      if (found) return found;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    // The client disconnected, and the reply must not be stored for a replay.
    if (caller.aborted) throw new DomainError('OUTCOME_UNKNOWN', 'The client closed the connection.');
    return undefined;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', abort);
  }
}

async function readFirst(
  mail: DisposableMail,
  token: string,
  signal: AbortSignal,
): Promise<MailDetails | undefined> {
  try {
    const first = (await mail.messages(token, 1, signal)).at(-1);
    return first && (await mail.message(token, first.id, signal));
  } catch (error) {
    // The mailbox is polled again soon, so a short outage loses no mail.
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
