import type { EmailAccountAndWaitReply } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import { extractMailCode } from '../codes/extract-code';
import type { DisposableMail, MailboxAccount, MailDetails } from './disposable-mail';

// Most codes come within seconds; after that every 3 s are enough, as the provider counts what it is asked.
const [firstPauseMs, longestPauseMs] = [1_000, 3_000];
const pauseGrowth = 1.25;

/**
 * Makes an account and waits for its first message. Once there is an account its trouble is only told as a time-out:
 * who holds the token can read what comes later.
 * @param signal ends the waiting: the caller has gone
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
  const leave = (): void => timeUp.abort();
  caller.addEventListener('abort', leave, { once: true });
  const { signal } = timeUp;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * pauseGrowth, longestPauseMs)) {
      await pause(pauseMs, undefined, { signal });
      const found = await look(mail, token, signal);
      if (found) return found;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    // Nobody waits for what is answered now, and it must not be kept for a repetition.
    if (caller.aborted) throw new DomainError('OUTCOME_UNKNOWN', 'The client closed the connection.');
    return undefined;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', leave);
  }
}

async function look(
  mail: DisposableMail,
  token: string,
  signal: AbortSignal,
): Promise<MailDetails | undefined> {
  try {
    const first = (await mail.messages(token, 1, signal)).at(-1);
    return first && (await mail.message(token, first.id, signal));
  } catch (error) {
    // It is asked again soon: a provider that is away for a moment loses no mail.
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
