import { randomBytes, randomFillSync } from 'node:crypto';

/** What travels with every request and every event: who asks, and how to find all log lines of one request. */
export interface CallContext {
  requestId: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
  traceparent: string;
  /** Who calls, as the gateway established it: `key:<id>:<owner>`, or `public` when nobody proved anything. */
  principal: string;
}

const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/;
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

// Random bytes are drawn in blocks: one system call serves many requests.
const pool = randomBytes(4096);
let used = 0;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString('hex', used, (used += bytes));
}

/** Takes the caller's request id and trace where they are well-formed, and makes new ones otherwise. */
export function callContext(
  given: { requestId?: unknown; traceparent?: unknown; principal?: string } = {},
): CallContext {
  const { requestId, traceparent, principal = 'public' } = given;
  return {
    requestId:
      typeof requestId === 'string' && requestIdForm.test(requestId) ? requestId : `req_${randomHex(12)}`,
    traceparent:
      typeof traceparent === 'string' && traceparentForm.test(traceparent)
        ? traceparent
        : `00-${randomHex(16)}-${randomHex(8)}-00`,
    principal,
  };
}

/** The principal of a call with an API key. */
export function keyPrincipal(keyId: string, owner: string): string {
  return `key:${keyId}:${owner}`;
}

// An owner may hold colons itself.
const keyPrincipalForm = /^key:([^:]+):(.+)$/;

/** The id of the API key that the caller presented; undefined without one. */
export function keyIdOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return keyPrincipalForm.exec(principal)?.[1];
}

/** The wallet on whose behalf the call is made; undefined for the public. */
export function ownerOf({ principal }: Pick<CallContext, 'principal'>): string | undefined {
  return keyPrincipalForm.exec(principal)?.[2];
}

export function traceIdOf(context: Pick<CallContext, 'traceparent'>): string {
  return context.traceparent.slice(3, 35);
}

/** The fields that every log line about a request carries. */
export function logFields(context: CallContext): { requestId: string; traceId: string } {
  return { requestId: context.requestId, traceId: traceIdOf(context) };
}
