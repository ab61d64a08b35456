import { DomainError } from '../errors/domain-error';
import { publicRandomBytes } from '../random-bytes';
import type { Claim } from './stored-reply';

/** The context of every request and event: the principal, and the ids for log lines. */
export interface CallContext {
  requestId: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
  traceparent: string;
  /**
   * The caller, as authenticated by the gateway. `key:<id>:<owner>` (`page-key:` for the publishable half of
   * a key), `wallet:<address>`, or `payer:<sale>:<address>` for the payer of a sale. `service:<app>` for an
   * app with its own principal, `public` for an anonymous client.
   */
  principal: string;
  /** Network address range of the client, for the audit of sign-ins. The gateway sends it with few calls. */
  caller?: string;
  /** Calls with this key are answered once (`idempotencyKeyOf` creates it). The handler receives `claim` instead. */
  idempotencyKey?: string;
  /** Lets the handler of a call with a key store its reply. It is not sent to other processes. */
  claim?: Claim;
  /**
   * Whether the caller is an app other than the gateway. Undeclared fields of its input are dropped, because
   * the caller may have a newer release (decision 51). Handlers do not receive this property.
   */
  isPeerCall?: boolean;
  /** Aborted when the caller hangs up, or with a `ServerStopping` when this process or the caller's stops. */
  signal?: AbortSignal;
}

/** Abort reason of a waiting call when its process or the caller's process stops. The caller still expects a reply. */
export class ServerStopping extends Error {
  constructor() {
    super('a process that serves this call stops');
  }
}

const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/;
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const randomHex = (bytes: number): string => publicRandomBytes(bytes).toString('hex');

/** Creates a context with the caller's request id and trace if they are well-formed, or with new ones. */
export function callContext(
  given: { requestId?: unknown; traceparent?: unknown; principal?: string } = {},
): CallContext {
  const { requestId, traceparent, principal = 'public' } = given;
  return {
    requestId:
      typeof requestId === 'string' && requestIdForm.test(requestId) ? requestId : `req_${randomHex(12)}`,
    traceparent: parseTraceparent(traceparent) ?? `00-${randomHex(16)}-${randomHex(8)}-00`,
    principal,
  };
}

/** Parses a trace context of version 00; undefined for any other text. */
export function parseTraceparent(given: unknown): string | undefined {
  return typeof given === 'string' && traceparentForm.test(given) ? given : undefined;
}

/** Returns the principal of a call with an API key. The publishable half is public, because web pages contain it. */
export function keyPrincipal(
  keyId: string,
  owner: string,
  half: 'secret' | 'publishable' = 'secret',
): string {
  return `${half === 'secret' ? 'key' : 'page-key'}:${keyId}:${owner}`;
}

/** Returns the principal of a call by a proven wallet, which must be in its canonical form. */
export function walletPrincipal(wallet: string): string {
  return `wallet:${wallet}`;
}

/** Returns the principal of a call that an x402 payment has paid for. It is valid for this one sale. */
export function payerPrincipal(saleId: string, payer: string): string {
  return `payer:${saleId}:${payer}`;
}

/** Returns the principal of an app that calls with its own identity. */
export function servicePrincipal(app: string): string {
  return `service:${app}`;
}

// An owner may contain colons.
const keyPrincipalForm = /^(?:page-)?key:([^:]+):(.+)$/;
const walletPrincipalForm = /^wallet:(.+)$/;
const payerPrincipalForm = /^payer:([^:]+):(.+)$/;

/** Returns the id of the API key of the call; undefined without a key. */
export function keyIdOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return keyPrincipalForm.exec(principal)?.[1];
}

/** Returns the id of the sale that pays for the call; undefined for other calls. */
export function saleIdOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return payerPrincipalForm.exec(principal)?.[1];
}

/** Returns the wallet of the principal; undefined for an anonymous client. */
export function ownerOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return (
    keyPrincipalForm.exec(principal)?.[2] ??
    walletPrincipalForm.exec(principal)?.[1] ??
    payerPrincipalForm.exec(principal)?.[2]
  );
}

/**
 * Returns the wallet that makes the call itself. Undefined for public callers and for the publishable half of a key.
 */
export function makerOf(context: Pick<CallContext, 'principal'>): string | undefined {
  return context.principal.startsWith('page-key:') ? undefined : ownerOf(context);
}

/** Returns the merchant's wallet, for an operation that only a merchant can call. @throws DomainError UNAUTHORIZED */
export function merchantOf(context: Pick<CallContext, 'principal'>): string {
  const owner = ownerOf(context);
  // The gateway rejects other callers. A call over the bus must state such a principal too.
  if (owner === undefined) throw new DomainError('UNAUTHORIZED');
  return owner;
}

export function traceIdOf(context: Pick<CallContext, 'traceparent'>): string {
  return context.traceparent.slice(3, 35);
}

/** Returns the fields of every log line about a request. */
export function logFields(context: CallContext): { requestId: string; traceId: string } {
  return { requestId: context.requestId, traceId: traceIdOf(context) };
}
