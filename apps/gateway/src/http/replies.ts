import {
  DomainError,
  type BusReply,
  type FirstAnswer,
  type Operation,
  type ReplyStyle,
} from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';

export const jsonType = 'application/json; charset=utf-8';
const opening = '{"success":true,"data":';
// RFC 9110 requires a challenge in every 401.
const challenge = 'Bearer realm="tollbridge"';

// Statuses where a retry may succeed, so the reply contains Retry-After. A conflict with a call in progress gets it
// too.
const retryStatuses: readonly number[] = [429, 503, 504];
const usualRetryAfterSeconds = 1;

/** Sends an output that is JSON already. A bare output is not parsed. */
export function sendOutput(
  reply: FastifyReply,
  { style, hoisted }: Pick<Operation, 'style' | 'hoisted'>,
  { bytes: output, first }: BusReply,
): FastifyReply {
  // A string is sent in one write with the headers, a buffer in two (benchmark "read an order").
  const json = Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString();
  reply.header('content-type', jsonType);
  markReplayed(reply, first);
  if (style === 'bare') return reply.send(json);
  const start = hoisted === undefined ? opening : openingWith(hoisted, json);
  return reply.send(`${start}${json},"timestamp":"${timestampOf(first)}"}`);
}

function markReplayed(reply: FastifyReply, first: FirstAnswer | undefined): void {
  if (first?.isReplayed) reply.header('idempotent-replayed', 'true');
}

/** A replay equals the first reply byte for byte, so it contains the time of the first one. */
function timestampOf(first: FirstAnswer | undefined): string {
  return new Date(first?.answeredAtMs ?? Date.now()).toISOString();
}

/** The beginning of an envelope that repeats a field of `data` next to it. */
function openingWith(field: string, json: string): string {
  const value = (JSON.parse(json) as Record<string, unknown>)[field] ?? null;
  return `{"success":true,${JSON.stringify(field)}:${JSON.stringify(value)},"data":`;
}

/** Sends a failure in the error format of its route. */
export function sendFailure(
  reply: FastifyReply,
  error: DomainError,
  { style, publicUrl }: { style: ReplyStyle; publicUrl: string },
): FastifyReply {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (error.status === 401) reply.header('www-authenticate', challenge);
  markReplayed(reply, error.first);
  reply.request.failureCode = error.code;
  const text = failureText(style, error, { requestId: reply.request.call.requestId, publicUrl });
  return reply.status(error.status).header('content-type', jsonType).send(text);
}

export function retryAfterOf({ code, status, retryAfterSeconds: own }: DomainError): number | undefined {
  const isRetryable = retryStatuses.includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
  return own ?? (isRetryable ? usualRetryAfterSeconds : undefined);
}

/** The path of the error reference, below the public URL. */
export const errorsPath = '/docs/errors';

export interface FailureContext {
  requestId: string;
  publicUrl: string;
}

/** A replayed failure equals the first one byte for byte, so it contains the first request id. */
export function failureText(
  style: ReplyStyle,
  error: DomainError,
  { requestId, publicUrl }: FailureContext,
): string {
  const { code, message, details, first } = error;
  const more = {
    request_id: first?.requestId ?? requestId,
    documentation_url: `${publicUrl.replace(/\/+$/, '')}${errorsPath}#${code}`,
  };
  const retryAfter = retryAfterOf(error);
  const retry = retryAfter === undefined ? {} : { retryAfter };
  if (style === 'bare') return JSON.stringify({ error: message, code, details, ...retry, ...more });
  return JSON.stringify({
    success: false,
    data: null,
    // `details` is always an object, so that clients can read a member without a check.
    error: { code, message, details: details ?? {}, ...more },
    ...retry,
    timestamp: timestampOf(first),
  });
}

/** The style of a path without a route: envelopes below `/v1/`, bare replies elsewhere. */
export function styleOfPath(path: string): ReplyStyle {
  return path.startsWith('/v1/') ? 'envelope' : 'bare';
}

const unreadableRequest =
  'The request cannot be read. Check the percent-encoding of its path, its headers and the length of its body.';

interface FrameworkError {
  code?: string;
  statusCode?: number;
}

/** Converts any thrown value to a `DomainError`. Texts of other errors never reach the client. */
export function asDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new DomainError('PAYLOAD_TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new DomainError('UNSUPPORTED_MEDIA_TYPE');
  if (statusCode === 414) return new DomainError('URI_TOO_LONG');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('VALIDATION_ERROR', unreadableRequest, { cause: thrown });
  }
  return new DomainError('INTERNAL_ERROR', undefined, { cause: thrown });
}
