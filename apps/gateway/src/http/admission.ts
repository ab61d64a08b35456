import {
  DomainError,
  keyPrincipal,
  walletPrincipal,
  type CallContext,
  type Operation,
} from '@tollbridge/rpc';
import type { Environment } from '@tollbridge/config';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { believedWallet, checkSession, principalWithKey } from '../auth/allowed';
import type { KnownKey, KnownKeys } from '../auth/known-keys';
import type { KnownSession, KnownSessions } from '../auth/known-sessions';
import { presentedKey, type PresentedTexts } from '../auth/presented-key';
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
      const lookup = parts.failedKeys.overForMs(address) > 0 ? parts.suspectLookup : unbounded;
      known = findKnown(parts, presented, request.call, lookup);
    } catch (error) {
      return refuse(parts.failedKeys, address, reply, error);
    }
    const admitKnown = ({ key, session }: Known) =>
      key
        ? admitKey(parts, operation, { key, session }, request, reply)
        : admitAddress(parts, operation, request, reply, session);
    if (!(known instanceof Promise)) return admitKnown(known);
    return known.then(admitKnown, (error: unknown) => refuse(parts.failedKeys, address, reply, error));
  };
}

/** What a request presents, once it is found to be valid. */
interface Known {
  key?: KnownKey | undefined;
  session?: KnownSession | undefined;
}

/** At once when one credential is cached. @throws DomainError UNAUTHORIZED for a key or a session that is not valid */
function findKnown(
  { keys, sessions }: AdmissionParts,
  { key, session }: PresentedTexts,
  call: CallContext,
  lookup: Lookup,
): Known | Promise<Known> {
  if (key !== undefined && session !== undefined)
    return (async () => ({
      key: await keys.find(key, call, lookup),
      session: await sessions.find(session, call, lookup),
    }))();
  if (session !== undefined) return after(sessions.find(session, call, lookup), (it) => ({ session: it }));
  return after(keys.find(key!, call, lookup), (it) => ({ key: it }));
}

const after = <T>(found: T | Promise<T>, toKnown: (found: T) => Known): Known | Promise<Known> =>
  found instanceof Promise ? found.then(toKnown) : toKnown(found);

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

/** Counts the request before anything is checked: forbidden calls are limited as well. */
function admitKey(
  parts: AdmissionParts,
  operation: Operation,
  { key, session }: { key: KnownKey; session?: KnownSession | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const { plan, keyId, owner, kind, rate } = key;
  request.call.principal = keyPrincipal(keyId, owner, kind);
  const isSandbox = parts.environment === 'sandbox';
  const check = (): void | Promise<void> => {
    try {
      withNamed(parts, operation, request, (named) => {
        const proof = { named, session: session?.wallet, isSandbox };
        request.call.principal = principalWithKey(operation.auth, key, proof);
      });
    } catch (error) {
      // A key beside the wallet of another merchant is a failed attempt like a key that is not valid.
      return refuse(parts.failedKeys, clientAddress(request.raw, parts.proxies), reply, error);
    }
  };
  // A key without a limit needs no count.
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
