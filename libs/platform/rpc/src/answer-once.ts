import type { CallContext } from './call-context';
import { DomainError } from './domain-error';
import type { Outcome } from './handlers';
import { digestOfInput, type Claim, type Claimed, type ReplyStore, type StoredReply } from './idempotency';
import type { BusOperation } from './operation';
import { decodeFailure } from './wire';

// What a handler may take beyond the time its caller waits: one statement of the database, or one provider that is slow.
// A process that died keeps others from serving the call for as long as this.
const leaseMarginMs = 5_000;

type Serve = (context: CallContext) => unknown;

/**
 * Serves a call with an idempotency key once. Whoever claims the key first serves the call; a repetition gets the stored
 * reply, byte for byte. Every answer that is final is stored before it is sent, so what was acknowledged can be repeated.
 */
export async function answerOnce(
  replies: ReplyStore,
  { subject, timeoutMs, keepsSecret }: BusOperation,
  { input, context }: { input: unknown; context: CallContext },
  serve: Serve,
): Promise<Outcome> {
  const { idempotencyKey = '', ...rest } = context;
  const claimed = await replies.claim({
    ...{ idempotencyKey, subject, keepsSecret, requestId: context.requestId },
    input: digestOfInput(idempotencyKey, input),
    leaseMs: timeoutMs + leaseMarginMs,
  });
  if (claimed.state === 'answered') return sent(claimed.reply, true);
  if (claimed.state !== 'claimed') return { ok: false, error: new DomainError(codeOf(claimed.state)) };
  const { claim } = claimed;
  try {
    return await settled(claim, await serve({ ...rest, claim }));
  } catch (error) {
    if (isFinal(error)) return settled(claim, error);
    // Should it fail, the lease ends by itself; what the caller is told is why the call failed.
    const kept = await claim.release().catch(() => undefined);
    if (kept) return sent(kept, false);
    throw error;
  }
}

const codeOf = (state: Exclude<Claimed['state'], 'claimed' | 'answered'>) =>
  state === 'running' ? 'IDEMPOTENCY_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED';

/** The answer to a result that is stored by now. Whoever was too slow is told what a repetition at this moment is. */
async function settled(claim: Claim, result: unknown): Promise<Outcome> {
  const kept = claim.keptFor(result) ?? (await claim.keep(result));
  return kept ? sent(kept, false) : { ok: false, error: new DomainError('IDEMPOTENCY_IN_PROGRESS') };
}

function sent(reply: StoredReply, isReplayed: boolean): Outcome {
  const stored = { reply, isReplayed };
  return reply.failure === null
    ? { ok: true, output: undefined, stored }
    : { ok: false, error: decodeFailure(reply.bytes), stored };
}

// Not here, or not now: the next attempt may end otherwise.
const passing = [408, 429];

/** Whether a failure is the handler's verdict on the call. All others may be gone at the next attempt. */
function isFinal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return error.status >= 400 && error.status < 500 && !passing.includes(error.status);
}
