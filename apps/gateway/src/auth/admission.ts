import { DomainError, keyPrincipal, walletPrincipal, type CallContext } from '@tollbridge/rpc';
import type { Environment } from '@tollbridge/config';
import { isPaymentAuthorization } from '@tollbridge/nanopay-protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { clientAddress, networkOf } from '../client-address/client-address';
import { failureWindowMs, mostFailures, type FailedAttempts } from '../rate-limit/failed-attempts';
import { secondsOf, sendLimitHeaders } from '../rate-limit/limit-headers';
import type { Rate } from '../rate-limit/rate';
import type { RateLimiter } from '../rate-limit/rate-limiter';
import type { AdmissionRule } from '../routes/admission-rule';
import { checkSession, principalWithKey, walletByName } from './authorization';
import type { ApiKey, CachedKeys } from './cached-keys';
import type { CachedSessions, Session } from './cached-sessions';
import { presentedCredentials, type Credentials } from './presented-credentials';
import { unauthorized } from './rejections';
import type { SessionCookie } from './session-cookie';
import { paymentHeader, purchaseTokenHeader } from '../sales/sale-headers';
import { unbounded, type Lookup } from './suspect-lookups';
import { walletHeader, type NamedWallet } from './wallet-header';

/** A wallet in a header without a proof, for the log. */
export interface UnprovenWallet {
  requestId: string;
  operation: string;
  wallet: string;
  caller: string;
  reason: unknown;
}

export interface AdmissionOptions {
  keys: Pick<CachedKeys, 'find'>;
  sessions: Pick<CachedSessions, 'find'>;
  sessionCookie: SessionCookie;
  limiter: RateLimiter;
  failedKeys: FailedAttempts;
  failedProofs: FailedAttempts;
  /** Limits lookups of keys from addresses with too many failures. */
  suspectLookup: Lookup;
  /** In the sandbox, the header `x-wallet` needs no further proof. */
  environment: Environment;
  /** Whether operations with a `sale` are sold to clients without credentials; false by default. */
  sells?: boolean;
  /** The rate limit of an address, for requests without a key. */
  addressRate: Rate;
  proxies: BlockList;
  onUnproven(unproven: UnprovenWallet): void;
}

/** The valid credentials of a request. */
interface Authenticated {
  key?: ApiKey | undefined;
  session?: Session | undefined;
  /** Set for the session of the dashboard's cookie, which determines the wallet without a header. */
  isCookie?: true | undefined;
}

/** Runs before the body is read: authenticates the client, counts the request and checks the permission. */
export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /**
   * Synchronous when nothing has to be awaited, as for most requests with a key without a limit.
   * @throws DomainError the failure to send to the client
   */
  admit(rule: AdmissionRule, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { failedKeys, proxies, suspectLookup, sessionCookie } = this.options;
    // The cookie is ignored, because an expired cookie must not prevent a new sign-in.
    const presented = presentedCredentials(request.raw, rule.isSignIn ? undefined : sessionCookie);
    if (presented.kind === 'missing' && !rule.isSignIn) return this.admitAddress(rule, request, reply);
    const address = clientAddress(request.raw, proxies);
    if (rule.isSignIn) this.expectProof(address, request, reply);
    if (presented.kind === 'missing') return this.admitAddress(rule, request, reply);
    let found: Authenticated | Promise<Authenticated>;
    try {
      if (presented.kind === 'malformed') throw unauthorized('malformed');
      const lookup = failedKeys.overForMs(address) > 0 ? suspectLookup : unbounded;
      found = this.authenticate(presented, request.call, lookup);
    } catch (error) {
      return reject(failedKeys, address, reply, error);
    }
    const admitFound = ({ key, session, isCookie }: Authenticated) =>
      key
        ? this.admitKey(rule, { key, session }, request, reply)
        : this.admitAddress(rule, request, reply, { session, isCookie });
    if (!(found instanceof Promise)) return admitFound(found);
    return found.then(admitFound, (error: unknown) => reject(failedKeys, address, reply, error));
  }

  /**
   * Synchronous when the only credential is cached.
   * @throws DomainError UNAUTHORIZED for an invalid key or session
   */
  private authenticate(
    { key, session, isCookie }: Credentials,
    call: CallContext,
    lookup: Lookup,
  ): Authenticated | Promise<Authenticated> {
    const { keys, sessions } = this.options;
    if (key !== undefined && session !== undefined)
      return (async () => ({
        key: await keys.find(key, call, lookup),
        session: await sessions.find(session, call, lookup),
      }))();
    if (session !== undefined)
      return mapped(sessions.find(session, call, lookup), (found) => ({
        session: found,
        isCookie,
      }));
    return mapped(keys.find(key!, call, lookup), (found) => ({ key: found }));
  }

  /** Rejects an address with too many failed proofs before its body is read, because verifying a proof is expensive. */
  private expectProof(address: string, request: FastifyRequest, reply: FastifyReply): void {
    const { failedProofs } = this.options;
    const overMs = failedProofs.overForMs(address);
    if (overMs > 0) throw tooManyFailures(reply, failedProofs.kind, overMs);
    request.call.caller = networkOf(address);
    request.onFailure = (error) => reject(failedProofs, address, reply, error);
  }

  /** Counts the request before any check, so that requests without permission are limited too. */
  private admitKey(
    rule: AdmissionRule,
    { key, session }: { key: ApiKey; session?: Session | undefined },
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void> {
    const { failedKeys, limiter, proxies, environment } = this.options;
    const { plan, keyId, owner, kind, rate } = key;
    request.call.principal = keyPrincipal(keyId, owner, kind);
    const isSandbox = environment === 'sandbox';
    const check = (): void | Promise<void> => {
      try {
        this.withNamedWallet(rule, request, (named) => {
          const proof = { named, session: session?.wallet, isSandbox };
          request.call.principal = principalWithKey(rule.auth, key, proof);
        });
      } catch (error) {
        // A key together with the wallet of another merchant is a failed attempt, like an invalid key.
        return reject(failedKeys, clientAddress(request.raw, proxies), reply, error);
      }
    };
    if (rate === null) return check();
    return limiter.count(rule, reply, { policy: plan, bucket: `key:${keyId}`, rate }).then(check);
  }

  /** Counts requests without a key by address, including requests with a wallet session. */
  private async admitAddress(
    rule: AdmissionRule,
    request: FastifyRequest,
    reply: FastifyReply,
    { session, isCookie }: Omit<Authenticated, 'key'> = {},
  ): Promise<void> {
    const { limiter, addressRate, proxies, environment } = this.options;
    const bucket = `address:${clientAddress(request.raw, proxies)}`;
    await limiter.count(rule, reply, { policy: 'address', bucket, rate: addressRate });
    const { auth } = rule;
    if (!session && (auth === 'public' || this.isSale(rule, request, reply))) return;
    this.withNamedWallet(rule, request, (header) => {
      const isNamedByCookie = session && isCookie && header.kind === 'missing';
      const named: NamedWallet = isNamedByCookie ? { kind: 'named', wallet: session.wallet } : header;
      if (session) checkSession(auth, session.wallet, named);
      const wallet = session?.wallet ?? walletByName(auth, named, environment === 'sandbox');
      request.call.principal = walletPrincipal(wallet);
    });
  }

  /** Whether a call without credentials buys a sold operation, or reads a purchase with its token. */
  private isSale({ sale, soldAt }: AdmissionRule, request: FastifyRequest, reply: FastifyReply): boolean {
    if (!this.options.sells || sale === undefined) return false;
    const { headers } = request;
    if (sale === 'reads') request.isSale = headers[purchaseTokenHeader] !== undefined;
    // The 401 of this operation is specified, so the reply links to the path where the operation is sold.
    else if (
      soldAt !== undefined &&
      headers[paymentHeader] === undefined &&
      !isPaymentAuthorization(headers.authorization)
    ) {
      reply.header('link', `<${soldAt}>; rel="payment"`);
      return false;
    } else request.isSale = true;
    return request.isSale;
  }

  /** Checks the wallet in the header of a request, and logs a wallet without a proof. */
  private withNamedWallet(
    { subject: operation }: AdmissionRule,
    { raw, call: { requestId } }: FastifyRequest,
    check: (named: NamedWallet) => void,
  ): void {
    const { environment, proxies, onUnproven } = this.options;
    const named = walletHeader(raw, environment);
    try {
      check(named);
    } catch (error) {
      const reason = ((error as DomainError).details as { reason?: unknown } | undefined)?.reason;
      if (named.kind === 'named' && unprovenReasons.includes(reason)) {
        const caller = networkOf(clientAddress(raw, proxies));
        onUnproven({ requestId, operation, wallet: named.wallet, caller, reason });
      }
      throw error;
    }
  }
}

const unprovenReasons: unknown[] = ['wallet_unproven', 'wallet_mismatch'];

const mapped = <T>(
  found: T | Promise<T>,
  toAuthenticated: (found: T) => Authenticated,
): Authenticated | Promise<Authenticated> =>
  found instanceof Promise ? found.then(toAuthenticated) : toAuthenticated(found);

/** Counts a failed authentication. Replaces the error by a 429 when the address has too many failures. */
async function reject(
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
