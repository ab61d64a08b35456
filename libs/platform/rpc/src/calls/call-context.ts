import { DomainError } from '../errors/domain-error';
import { publicRandomBytes } from '../random-bytes';
import type { Claim } from './stored-reply';

/** The context of every request and event: the principal, and the ids that its log lines carry. */
export interface CallContext {
  requestId: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
  traceparent: string;
  /**
   * The caller, as the gateway authenticated it. `key:<id>:<owner>` (`page-key:` for its publishable half),
   * `wallet:<address>`, or `payer:<sale>:<address>` for the payer of a sale.
   * `service:<app>` for an app in its own name, `public` for an anonymous client.
   */
  principal: string;
  /** The network that the call comes from, for the audit of sign-ins; the gateway passes it with few calls. */
  caller?: string;
  /** Calls with this key are answered once (`idempotencyKeyOf` makes it). The handler sees `claim` instead. */
  idempotencyKey?: string;
  /** Lets the handler of such a call store its reply. It stays within the process. */
  claim?: Claim;
  /**
   * The caller is an app other than the gateway. Undeclared fields of its input are dropped, since it may be of a newer
   * release (decision 51). Handlers do not see this property.
   */
  isPeerCall?: boolean;
  /** Aborted when the caller has hung up, or with a `ServerStopping` when this process or the caller's stops. */
  signal?: AbortSignal;
}

/** The abort reason of a waiting call when its process or that of its caller stops. The caller expects a reply. */
export class ServerStopping extends Error {
  constructor() {
    super('a process that serves this call stops');
  }
}

const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/;
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const randomHex = (bytes: number): string => publicRandomBytes(bytes).toString('hex');

/** Uses the caller's request id and trace if they are well-formed, and generates new ones otherwise. */
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

/** A trace context in its only form; undefined for anything else. */
export function parseTraceparent(given: unknown): string | undefined {
  return typeof given === 'string' && traceparentForm.test(given) ? given : undefined;
}

/** The principal of a call with an API key. The publishable half is part of web pages, so any client may have it. */
export function keyPrincipal(
  keyId: string,
  owner: string,
  half: 'secret' | 'publishable' = 'secret',
): string {
  return `${half === 'secret' ? 'key' : 'page-key'}:${keyId}:${owner}`;
}

/** The principal of a call by a proven wallet, given in its canonical form. */
export function walletPrincipal(wallet: string): string {
  return `wallet:${wallet}`;
}

/** The principal of a call that an x402 payment has paid for: it stands for this one sale. */
export function payerPrincipal(saleId: string, payer: string): string {
  return `payer:${saleId}:${payer}`;
}

/** The principal of a call that an app makes in its own name. */
export function servicePrincipal(app: string): string {
  return `service:${app}`;
}

// An owner may hold colons itself.
const keyPrincipalForm = /^(?:page-)?key:([^:]+):(.+)$/;
const walletPrincipalForm = /^wallet:(.+)$/;
const payerPrincipalForm = /^payer:([^:]+):(.+)$/;

/** The id of the API key that the caller presented; undefined without one. */
export function keyIdOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return keyPrincipalForm.exec(principal)?.[1];
}

/** The id of the sale that pays for the call; undefined for other calls. */
export function saleIdOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return payerPrincipalForm.exec(principal)?.[1];
}

/** The wallet that the call is made for; undefined for an anonymous client. */
export function ownerOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return (
    keyPrincipalForm.exec(principal)?.[2] ??
    walletPrincipalForm.exec(principal)?.[1] ??
    payerPrincipalForm.exec(principal)?.[2]
  );
}

/** The wallet that certainly calls itself: not a public caller, nor one with the publishable half of a key. */
export function makerOf(context: Pick<CallContext, 'principal'>): string | undefined {
  return context.principal.startsWith('page-key:') ? undefined : ownerOf(context);
}

/** The wallet of an operation that only a merchant can call. */
export function merchantOf(context: Pick<CallContext, 'principal'>): string {
  const owner = ownerOf(context);
  // The gateway rejects other callers; a call over the bus must state its principal in the same way.
  if (owner === undefined) throw new DomainError('UNAUTHORIZED');
  return owner;
}

export function traceIdOf(context: Pick<CallContext, 'traceparent'>): string {
  return context.traceparent.slice(3, 35);
}

/** The fields that every log line about a request carries. */
export function logFields(context: CallContext): { requestId: string; traceId: string } {
  return { requestId: context.requestId, traceId: traceIdOf(context) };
}
