import { DomainError, keyPrincipal, type Operation } from '@tollbridge/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { checkAllowed } from '../auth/allowed';
import { unauthorized, type KnownKey, type KnownKeys } from '../auth/known-keys';
import { presentedKey } from '../auth/presented-key';
import { clientAddress } from '../rate-limit/client-address';
import { failureWindowMs, mostFailures, type FailedAttempts } from '../rate-limit/failed-attempts';
import { sendLimit, sendLimitHeaders } from '../rate-limit/limit-headers';
import type { Rate, SharedCounts } from '../rate-limit/shared-counts';

/** Lets a request pass, at once or later, or throws the `DomainError` that it is answered with. */
export type Admit = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) => void | Promise<void>;

export interface AdmissionParts {
  keys: Pick<KnownKeys, 'find'>;
  counts: Pick<SharedCounts, 'take'>;
  failures: FailedAttempts;
  /** What a caller without a key is allowed, by address. */
  addressRate: Rate;
  proxies: BlockList;
}

/** Says before a body is read who calls, whether he may, and whether he does so too often. */
export function admission(parts: AdmissionParts): Admit {
  return (operation, request, reply) => {
    const presented = presentedKey(request.raw);
    if (presented === 'missing') return admitPublic(parts, operation, request, reply);
    const address = clientAddress(request.raw, parts.proxies);
    const refusedMs = parts.failures.refusedForMs(address);
    if (refusedMs > 0) throw tooManyFailures(reply, refusedMs);
    let key: KnownKey | Promise<KnownKey>;
    try {
      if (presented === 'malformed') throw unauthorized('malformed');
      key = parts.keys.find(presented.text, request.call);
    } catch (error) {
      return refuse(parts, address, reply, error);
    }
    if (!(key instanceof Promise)) return admitKey(parts, operation, key, request, reply);
    return key.then(
      (known) => admitKey(parts, operation, known, request, reply),
      (error: unknown) => refuse(parts, address, reply, error),
    );
  };
}

/** Before anything else it is counted: what is forbidden may not be tried any number of times either. */
function admitKey(
  { counts }: AdmissionParts,
  operation: Operation,
  key: KnownKey,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  request.call.principal = keyPrincipal(key.keyId, key.owner);
  // Without a limit nobody is asked.
  if (key.rate === null) return checkAllowed(operation.auth, key);
  const { plan, keyId, rate } = key;
  return limit(counts, operation, reply, { policy: plan, bucket: `key:${keyId}`, rate }).then(() =>
    checkAllowed(operation.auth, key),
  );
}

async function admitPublic(
  { counts, addressRate, proxies }: AdmissionParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const bucket = `address:${clientAddress(request.raw, proxies)}`;
  await limit(counts, operation, reply, { policy: 'address', bucket, rate: addressRate });
  if (operation.auth !== 'public') throw unauthorized('missing');
}

async function limit(
  counts: AdmissionParts['counts'],
  operation: Operation,
  reply: FastifyReply,
  { policy, bucket, rate }: { policy: string; bucket: string; rate: Rate },
): Promise<void> {
  const taken = await counts.take(bucket, rate);
  if (taken) sendLimit(reply, policy, rate, taken);
  // What costs little is served uncounted; what moves money or writes waits until it can be counted.
  else if (operation.isCostly)
    throw new DomainError('SERVICE_UNAVAILABLE', 'Requests cannot be counted at present; try again shortly.');
  if (taken && !taken.isAllowed)
    throw new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: secondsOf(taken.waitMs) });
}

async function refuse(
  { failures }: AdmissionParts,
  address: string,
  reply: FastifyReply,
  error: unknown,
): Promise<never> {
  const isFailure = error instanceof DomainError && error.code === 'UNAUTHORIZED';
  const refusedMs = isFailure ? await failures.count(address) : 0;
  throw refusedMs > 0 ? tooManyFailures(reply, refusedMs) : error;
}

function tooManyFailures(reply: FastifyReply, refusedMs: number): DomainError {
  const retryAfterSeconds = secondsOf(refusedMs);
  sendLimitHeaders(reply, 'failed-keys', [mostFailures, failureWindowMs / 1000], [0, retryAfterSeconds]);
  return new DomainError(
    'RATE_LIMIT_EXCEEDED',
    'Too many API keys from this address were not valid; wait for retryAfter seconds.',
    { retryAfterSeconds },
  );
}

function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
