import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import { callContext, type CallContext } from './call-context';
import { DomainError } from './domain-error';
import { errorCodes, type ErrorCode } from './error-codes';

/**
 * A request is the input as JSON, with the context in headers. A reply is the output as JSON without headers, so that
 * the gateway may pass its bytes through unread; a failure carries its code in a header.
 */
export const contextHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  principal: 'tb-principal',
} as const;
export const failureHeader = 'tb-error';

/** What a failure says on the bus, and what the gateway renders. */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

const encoder = new TextEncoder();
// What a header line can carry without ending it, and without being trimmed by the reader.
const headerForm = /^[\x21-\x7e]*$/;

/** nats.js builds headers through maps and arrays; a request has three of known form, so they are written at once. */
export function encodeContext(context: CallContext): MsgHdrs {
  const { requestId, traceparent, principal } = context;
  if (!headerForm.test(requestId + traceparent + principal))
    throw new Error('a call context must be printable ASCII without spaces');
  const text =
    `NATS/1.0\r\n${contextHeaders.requestId}: ${requestId}\r\n${contextHeaders.traceparent}: ${traceparent}\r\n` +
    `${contextHeaders.principal}: ${principal}\r\n\r\n`;
  return { encode: () => encoder.encode(text) } as unknown as MsgHdrs;
}

export function decodeContext(message: Pick<Msg, 'headers'>): CallContext {
  const headers = message.headers;
  return callContext({
    requestId: headers?.get(contextHeaders.requestId),
    traceparent: headers?.get(contextHeaders.traceparent),
    principal: headers?.get(contextHeaders.principal) || 'public',
  });
}

export function failureOf(error: DomainError): Failure {
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}

export function failureHeaders(code: ErrorCode): MsgHdrs {
  const headers = natsHeaders();
  headers.set(failureHeader, code);
  return headers;
}

/** Reads a failure as an error; what cannot be read is an error of ours, never an exception in the reader's loop. */
export function decodeFailure(bytes: Uint8Array): DomainError {
  try {
    const { code, message, details } = JSON.parse(Buffer.from(bytes).toString()) as Failure;
    // A newer service may know codes that this one does not.
    if (!Object.hasOwn(errorCodes, code)) throw new Error(`unknown failure code ${String(code)}`);
    return new DomainError(code, message, { details });
  } catch (cause) {
    return new DomainError('INTERNAL_ERROR', undefined, { cause });
  }
}
