import { DomainError, keyPrincipal, walletPrincipal, type Operation } from '@tollbridge/bus';
import { isSessionText } from '@tollbridge/api-keys';
import type { Environment } from '@tollbridge/config';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { believedWallet, checkAllowed, checkSameWallet, checkSession } from '../auth/allowed';
import type { KnownKey, KnownKeys } from '../auth/known-keys';
import type { KnownSession, KnownSessions } from '../auth/known-sessions';
import { presentedKey } from '../auth/presented-key';
import { unauthorized } from '../auth/refusals';
import { unbounded, type Lookup } from '../auth/suspect-lookups';
import { walletHeader, type NamedWallet } from '../auth/wallet-header';
import { clientAddress, networkOf } from '../rate-limit/client-address';
import { failureWindowMs, mostFailures, type FailedAttempts } from '../rate-limit/failed-attempts';
import { sendLimit, sendLimitHeaders } from '../rate-limit/limit-headers';
import type { Rate } from '../rate-limit/rate';
import type { SharedCounts } from '../rate-limit/shared-counts';

/** Lets a request pass, at once or later, or throws the `DomainError` that it is answered with. */
export type Admit = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) => void | Promise<void>;

/** A wallet that was named and not proven, for whoever looks for those who try. */
export interface UnprovenWallet {
  requestId: string;
  operation: string;
  wallet: string;
  caller: string;
  reason: unknown;
}

export interface AdmissionParts {
  keys: Pick<KnownKeys, 'find'>;
  sessions: Pick<KnownSessions, 'find'>;
  counts: Pick<SharedCounts, 'take'>;
  failedKeys: FailedAttempts;
  failedProofs: FailedAttempts;
  /** How keys are looked up that come from addresses with too many failures. */
  suspectLookup: Lookup;
  /** In the sandbox a wallet is believed by its name alone. */
  environment: Environment;
  /** What a caller without a key is allowed, by address. */
  addressRate: Rate;
  proxies: BlockList;
  onUnproven(unproven: UnprovenWallet): void;
}

/** Says before a body is read who calls, whether he may, and whether he does so too often. */
export function admission(parts: AdmissionParts): Admit {
  return (operation, request, reply) => {
    const presented = presentedKey(request.raw);
    if (presented === 'missing' && !operation.isSignIn) return admitAddress(parts, operation, request, reply);
    const address = clientAddress(request.raw, parts.proxies);
    if (operation.isSignIn) expectProof(parts, address, request, reply);
    if (presented === 'missing') return admitAddress(parts, operation, request, reply);
    let known: Known | Promise<Known>;
    try {
      if (presented === 'malformed') throw unauthorized('malformed');
      const { keys, sessions, failedKeys, suspectLookup } = parts;
      const lookup = failedKeys.overForMs(address) > 0 ? suspectLookup : unbounded;
      known = (isSessionText(presented.text) ? sessions : keys).find(presented.text, request.call, lookup);
    } catch (error) {
      return refuse(parts.failedKeys, address, reply, error);
    }
    const admitKnown = (it: Known) =>
      'sessionId' in it
        ? admitAddress(parts, operation, request, reply, it)
        : admitKey(parts, operation, it, request, reply);
    if (!(known instanceof Promise)) return admitKnown(known);
    return known.then(admitKnown, (error: unknown) => refuse(parts.failedKeys, address, reply, error));
  };
}

type Known = KnownKey | KnownSession;

/** Proofs cost more to check than keys: an address with too many that failed is refused before its body is read. */
function expectProof(
  { failedProofs }: AdmissionParts,
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const overMs = failedProofs.overForMs(address);
  if (overMs > 0) throw tooManyFailures(reply, failedProofs.kind, overMs);
  request.call.caller = networkOf(address);
  request.onFailure = (error) => refuse(failedProofs, address, reply, error);
}

/** Before anything else it is counted: what is forbidden may not be tried any number of times either. */
function admitKey(
  parts: AdmissionParts,
  operation: Operation,
  key: KnownKey,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const { plan, keyId, owner, kind, rate } = key;
  request.call.principal = keyPrincipal(keyId, owner, kind);
  const check = (): void | Promise<void> => {
    try {
      withNamed(parts, operation, request, (named) => checkSameWallet(operation.auth, owner, named));
    } catch (error) {
      // A key beside the wallet of another is a failed attempt like a key that is none.
      return refuse(parts.failedKeys, clientAddress(request.raw, parts.proxies), reply, error);
    }
    checkAllowed(operation.auth, key);
  };
  // Without a limit nobody is asked.
  if (rate === null) return check();
  return limit(parts.counts, operation, reply, { policy: plan, bucket: `key:${keyId}`, rate }).then(check);
}

/** Who has no key is counted by his address, also when his wallet has signed in. */
async function admitAddress(
  parts: AdmissionParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  session?: KnownSession,
): Promise<void> {
  const { counts, addressRate, proxies, environment } = parts;
  const bucket = `address:${clientAddress(request.raw, proxies)}`;
  await limit(counts, operation, reply, { policy: 'address', bucket, rate: addressRate });
  const { auth } = operation;
  if (!session && auth === 'public') return;
  withNamed(parts, operation, request, (named) => {
    if (session) checkSession(auth, session.wallet, named);
    const wallet = session?.wallet ?? believedWallet(auth, named, environment === 'sandbox');
    request.call.principal = walletPrincipal(wallet);
  });
}

const forged: unknown[] = ['wallet_unproven', 'wallet_mismatch'];

/** Checks the wallet that a request names, and tells of one that was not proven. */
function withNamed(
  { environment, proxies, onUnproven }: AdmissionParts,
  { subject: operation }: Operation,
  { raw, call: { requestId } }: FastifyRequest,
  check: (named: NamedWallet) => void,
): void {
  const named = walletHeader(raw, environment);
  try {
    check(named);
  } catch (error) {
    const reason = ((error as DomainError).details as { reason?: unknown } | undefined)?.reason;
    if (typeof named === 'object' && forged.includes(reason)) {
      const caller = networkOf(clientAddress(raw, proxies));
      onUnproven({ requestId, operation, wallet: named.wallet, caller, reason });
    }
    throw error;
  }
}

export async function limit(
  counts: AdmissionParts['counts'],
  operation: Operation,
  reply: FastifyReply,
  { policy, bucket, rate }: { policy: string; bucket: string; rate: Rate },
): Promise<void> {
  const taken = await counts.take(bucket, rate);
  if (taken) sendLimit(reply, policy, rate, taken);
  // What costs little is served uncounted; what moves money or writes waits until it can be counted.
  else if (operation.isCostly)
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'Requests cannot be counted at present, so this one is not served. Retry after retryAfter seconds.',
    );
  if (taken && !taken.isAllowed)
    throw new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: secondsOf(taken.waitMs) });
}

async function refuse(
  failures: FailedAttempts,
  address: string,
  reply: FastifyReply,
  error: unknown,
): Promise<never> {
  const isFailure = error instanceof DomainError && error.code === 'UNAUTHORIZED';
  const overMs = isFailure ? await failures.count(address) : 0;
  throw overMs > 0 ? tooManyFailures(reply, failures.kind, overMs) : error;
}

function tooManyFailures(reply: FastifyReply, kind: FailedAttempts['kind'], overMs: number): DomainError {
  const retryAfterSeconds = secondsOf(overMs);
  sendLimitHeaders(reply, `failed-${kind}`, [mostFailures, failureWindowMs / 1000], [0, retryAfterSeconds]);
  return new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `Too many invalid ${kind} from this address. Retry after retryAfter seconds, with a valid one.`,
    { retryAfterSeconds },
  );
}

function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
