import { DomainError } from '@tollbridge/rpc';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

// All requests with the same credential share one lookup, and a single lost reply must not fail all of them.
const maxAttempts = 2;

const policy = retry(
  handleWhen((error) => error instanceof DomainError && unanswered.includes(error.code)),
  { maxAttempts, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }) },
);

const unanswered: DomainError['code'][] = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'];

/** Retries a lookup that got no reply, which is safe because a lookup has no effect. */
export const repeated = <T>(call: () => Promise<T>): Promise<T> => policy.execute(call);
