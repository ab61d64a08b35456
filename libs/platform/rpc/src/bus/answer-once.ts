import type { CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import {
  digestOfInput,
  type Claim,
  type Claimed,
  type ReplyStore,
  type StoredReply,
} from '../calls/idempotency';
import type { BusOperation } from '../declarations/operation';
import { decodeFailure } from '../declarations/wire';

// Maximum time of a handler beyond the time-out of its caller: one database statement, or one slow provider
// call. After a process died, no other process can serve the call for this time.
const leaseMarginMs = 5_000;

type Serve = (context: CallContext) => unknown;

/** An output in the store of replies. The stored bytes are sent to the first caller and for every replay. */
export class StoredOutput {
  constructor(
    readonly reply: StoredReply,
    readonly isReplayed: boolean,
  ) {}
}

/** A failure in the store of replies. */
export class StoredFailure extends DomainError {
  constructor(
    readonly reply: StoredReply,
    readonly isReplayed: boolean,
  ) {
    const { code, message, details, retryAfterSeconds, first } = decodeFailure(reply.bytes);
    super(code, message, {
      details,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(first && { first }),
    });
  }
}

/**
 * Serves a call with an idempotency key once. The call that claims the key runs the handler; a repeated call gets the
 * stored reply, byte for byte. Every final reply is stored before it is sent.
 * @throws StoredFailure for a stored failure; DomainError while the key cannot be served; other errors of `serve`
 */
export async function answerOnce(
  replies: ReplyStore,
  { subject, timeoutMs, hasSecretReply }: BusOperation,
  { input, context }: { input: unknown; context: CallContext },
  serve: Serve,
): Promise<StoredOutput> {
  const { idempotencyKey = '', ...rest } = context;
  const claimed = await replies.claim({
    idempotencyKey,
    subject,
    hasSecretReply,
    requestId: context.requestId,
    input: digestOfInput(idempotencyKey, input),
    leaseMs: timeoutMs + leaseMarginMs,
  });
  if (claimed.state === 'answered') return stored(claimed.reply, true);
  if (claimed.state !== 'claimed') throw new DomainError(codeOf(claimed.state));
  const { claim } = claimed;
  let storedReply: StoredReply | undefined;
  try {
    const output = await serve({ ...rest, claim });
    storedReply = claim.committed ?? (await claim.store(output));
  } catch (error) {
    if (!isFinal(error)) return releaseAfter(claim, error);
    storedReply = claim.committed ?? (await claim.store(error));
  }
  // No reply is stored if the handler took longer than its claim.
  if (!storedReply) throw new DomainError('IDEMPOTENCY_IN_PROGRESS');
  return stored(storedReply, false);
}

/**
 * Releases the claim after a failure. If the release fails, the lease expires, and the caller gets the original error.
 */
async function releaseAfter(claim: Claim, error: unknown): Promise<StoredOutput> {
  const storedReply = await claim.release().catch(() => undefined);
  if (storedReply) return stored(storedReply, false);
  throw error;
}

const codeOf = (state: Exclude<Claimed['state'], 'claimed' | 'answered'>) =>
  state === 'running' ? 'IDEMPOTENCY_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED';

function stored(reply: StoredReply, isReplayed: boolean): StoredOutput {
  if (reply.failure !== null) throw new StoredFailure(reply, isReplayed);
  return new StoredOutput(reply, isReplayed);
}

// Statuses of temporary failures: the next attempt may succeed.
const passing = [408, 429];

/** Whether a failure is the handler's final answer. Any other failure may be absent at the next attempt. */
function isFinal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return error.status >= 400 && error.status < 500 && !passing.includes(error.status);
}
