import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import '../bus/nats-headers';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError, type FirstAnswer } from '../errors/domain-error';
import { errorCodes, type ErrorCode } from '../errors/error-codes';
import type { StoredReply } from '../calls/idempotency';
import type { PageFacts } from './list-pages';

/**
 * A request is the input as JSON, with the context in headers. A reply is the output as JSON without headers,
 * so that the gateway can forward its bytes unread. A failure has its code in a header.
 */
export const contextHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  principal: 'tb-principal',
  caller: 'tb-caller',
  idempotencyKey: 'tb-idempotency-key',
  signature: 'tb-signature',
} as const;
/** Header of requests that end with their caller. The caller may announce its hang-up on `hungUpSubject`. */
export const endsWithCallerHeader = 'tb-ends-with-caller';
/**
 * Subject for hang-ups, with a subscription in every replica. A message contains the reply subject of the
 * abandoned request.
 */
export const hungUpSubject = (app: string): string => `op.${app}.hung-up`;

/** Header of a message on `hungUpSubject` when the caller's process stops. The caller still waits for a reply. */
const stoppingHeader = 'tb-stopping';

export function stoppingHeaders(): MsgHdrs {
  const headers = natsHeaders();
  headers.set(stoppingHeader, '1');
  return headers;
}

export const isCallerStopping = (headers: MsgHdrs | undefined): boolean =>
  headers?.has(stoppingHeader) ?? false;

/** Subject for notifying an app's replicas of committed rows that they may have to process. */
export const writtenSubject = (app: string): string => `op.${app}.outbox-written`;
/** Header of a sealed call and of its sealed reply (decision 92). */
export const sealHeader = 'tb-seal';
export const failureHeader = 'tb-error';
/** Headers of replies to calls with an idempotency key: time of the first reply, and whether the reply is a replay. */
export const firstAnswerHeaders = { answeredAt: 'tb-answered-at', isReplayed: 'tb-replayed' } as const;

/** Headers of pages: the cursor of the next page, and the applied limit. */
export const pageHeaderNames = { next: 'tb-next-cursor', limit: 'tb-limit' } as const;

/** A failure in the format of the bus, which the gateway renders. */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: unknown;
  retryAfterSeconds?: number;
  /** For a stored failure, the id of the request that it first answered. */
  requestId?: string;
}

// Characters that neither end a header line nor are trimmed by its reader.
const headerForm = /^[\x21-\x7e]*$/;

/**
 * Returns the headers of a call.
 * @param sign returns the signature of the given fields
 */
export function encodeContext(
  context: CallContext,
  endsWithCaller: boolean,
  sign: (fields: string) => string,
): MsgHdrs {
  const { requestId, traceparent, principal, caller = '', idempotencyKey = '' } = context;
  if (!headerForm.test(requestId + traceparent + principal + caller + idempotencyKey))
    throw new Error('a call context must be printable ASCII without spaces');
  const signature = sign(
    signedFields([requestId, traceparent, principal, caller, idempotencyKey], endsWithCaller),
  );
  const headers = natsHeaders();
  headers.set(contextHeaders.requestId, requestId);
  headers.set(contextHeaders.traceparent, traceparent);
  headers.set(contextHeaders.principal, principal);
  if (caller !== '') headers.set(contextHeaders.caller, caller);
  if (idempotencyKey !== '') headers.set(contextHeaders.idempotencyKey, idempotencyKey);
  if (endsWithCaller) headers.set(endsWithCallerHeader, '1');
  headers.set(contextHeaders.signature, signature);
  return headers;
}

/** Encodes the signed fields unambiguously: no field contains a NUL. */
const signedFields = (fields: readonly string[], endsWithCaller: boolean): string =>
  `${fields.join('\0')}\0${endsWithCaller ? 1 : 0}`;

/** The unverified headers of a call. Trust them only after the signature has been verified. */
export interface CallHead {
  context: CallContext;
  /** Whether the caller may announce its hang-up (see `hungUpSubject`). */
  endsWithCaller: boolean;
  signature: string;
  /** The fields that the signature covers. */
  signedFields: string;
}

/** Reads each header once, because nats.js iterates over all headers for each read (bench row "create an order"). */
export function decodeHead({ headers }: Pick<Msg, 'headers'>): CallHead {
  const read = (name: string): string => headers?.get(name) ?? '';
  const requestId = read(contextHeaders.requestId);
  const traceparent = read(contextHeaders.traceparent);
  const principal = read(contextHeaders.principal);
  const caller = read(contextHeaders.caller);
  const idempotencyKey = read(contextHeaders.idempotencyKey);
  const endsWithCaller = headers?.has(endsWithCallerHeader) ?? false;
  return {
    context: {
      ...callContext({ requestId, traceparent, principal: principal || 'public' }),
      ...(caller && { caller }),
      ...(idempotencyKey && { idempotencyKey }),
    },
    endsWithCaller,
    signature: read(contextHeaders.signature),
    signedFields: signedFields([requestId, traceparent, principal, caller, idempotencyKey], endsWithCaller),
  };
}

export function failureOf(error: DomainError): Failure {
  const { code, message, details, retryAfterSeconds } = error;
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

export function failureHeaders(code: ErrorCode): MsgHdrs {
  const headers = natsHeaders();
  headers.set(failureHeader, code);
  return headers;
}

/**
 * Encodes a result, an output or a `DomainError`, as a stored reply.
 * @param requestId id of the answered call
 */
export function replyOf(result: unknown, requestId: string): Pick<StoredReply, 'bytes' | 'failure'> {
  if (result instanceof DomainError) {
    const failure: Failure = { ...failureOf(result), requestId };
    return { bytes: Buffer.from(JSON.stringify(failure)), failure: result.code };
  }
  return { bytes: Buffer.from(JSON.stringify(result)), failure: null };
}

export function storedReplyHeaders({ failure, answeredAtMs }: StoredReply, isReplayed: boolean): MsgHdrs {
  const headers = failure === null ? natsHeaders() : failureHeaders(failure);
  headers.set(firstAnswerHeaders.answeredAt, String(answeredAtMs));
  if (isReplayed) headers.set(firstAnswerHeaders.isReplayed, '1');
  return headers;
}

export function pageHeaders({ next, limit }: PageFacts): MsgHdrs {
  if (next !== undefined && !headerForm.test(next))
    throw new Error('a cursor must be printable ASCII without spaces');
  const headers = natsHeaders();
  if (next !== undefined) headers.set(pageHeaderNames.next, next);
  if (limit !== undefined) headers.set(pageHeaderNames.limit, String(limit));
  return headers;
}

/** Reads the paging headers. Both values are undefined for replies that are not a page. */
export function readPageFacts(headers: MsgHdrs): PageFacts {
  const limit = Number(headers.get(pageHeaderNames.limit) || NaN);
  return {
    next: headers.get(pageHeaderNames.next) || undefined,
    limit: Number.isSafeInteger(limit) ? limit : undefined,
  };
}

/** Reads the headers about the first answer. Undefined for calls without an idempotency key. */
export function readFirstAnswer(headers: MsgHdrs): FirstAnswer | undefined {
  const answeredAtMs = Number(headers.get(firstAnswerHeaders.answeredAt) || NaN);
  if (!Number.isSafeInteger(answeredAtMs)) return undefined;
  return { answeredAtMs, isReplayed: headers.has(firstAnswerHeaders.isReplayed) };
}

/** Decodes a failure. An unreadable failure becomes INTERNAL_ERROR instead of an exception in the reader's loop. */
export function decodeFailure(bytes: Uint8Array, first?: FirstAnswer): DomainError {
  try {
    const { code, message, details, retryAfterSeconds, requestId } = JSON.parse(
      Buffer.from(bytes).toString(),
    ) as Failure;
    // A newer service may use codes that this release does not declare.
    if (!Object.hasOwn(errorCodes, code)) throw new Error(`unknown failure code ${String(code)}`);
    return new DomainError(code, message, {
      details,
      ...(first && { first: typeof requestId === 'string' ? { ...first, requestId } : first }),
      // The value becomes a response header, so it must be a whole number.
      ...(Number.isSafeInteger(retryAfterSeconds) && { retryAfterSeconds: retryAfterSeconds! }),
    });
  } catch (cause) {
    return new DomainError('INTERNAL_ERROR', undefined, { cause });
  }
}
