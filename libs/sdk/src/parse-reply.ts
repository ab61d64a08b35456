import type { Reply } from './attempt';
import type { BuiltRequest } from './build-request';
import { ApiError, ClientError, type ErrorFacts, type TollbridgeError } from './errors';
import type { ErrorCode } from './generated/errors';
import type { Route } from './route';

interface Failure {
  code?: unknown;
  error?: unknown;
  message?: unknown;
  details?: unknown;
  retryAfter?: unknown;
  request_id?: unknown;
  documentation_url?: unknown;
}

/** Returns the value of a successful reply. @throws TollbridgeError for every other reply */
export function parseReply(route: Route, request: BuiltRequest, reply: Reply): unknown {
  const body = parseJson(reply.text);
  const value = route.isEnveloped && isObject(body) ? body['data'] : body;
  if (reply.status < 200 || reply.status > 299 || !hasShape(route, value))
    throw failureOf(route, request, reply, body);
  return value;
}

/** Returns the error in a reply, in either style of the API. */
export function failureOf(
  route: Route,
  { idempotencyKey }: BuiltRequest,
  { status, headers }: Omit<Reply, 'text'>,
  body: unknown,
): TollbridgeError {
  const outer = asObject(body);
  const inner = typeof outer.error === 'object' ? asObject(outer.error) : outer;
  const facts: ErrorFacts = {
    operation: route.id,
    status,
    requestId: textOf(inner.request_id) ?? headers.get('x-request-id') ?? undefined,
    idempotencyKey,
    retryAfterSeconds: secondsOf(headers.get('retry-after') ?? outer.retryAfter),
    documentationUrl: textOf(inner.documentation_url),
  };
  const message = textOf(inner.message) ?? textOf(inner.error);
  const code = textOf(inner.code);
  // A code of a later version, or a page of a proxy, does not match the declared error type.
  if (code === undefined || !route.errors.split(' ').includes(code)) {
    const codePart = code ? ` and code ${code}` : '';
    const text = `${route.id}: unexpected reply with status ${status}${codePart}${message ? `: ${message}` : '.'}`;
    return new ClientError('UNEXPECTED_RESPONSE', text, facts);
  }
  return new ApiError(
    code as ErrorCode,
    message ?? code,
    isEmpty(inner.details) ? undefined : (inner.details as never),
    facts,
  );
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a reply is an object or a list. A paged list must contain its items. */
function hasShape({ list }: Route, value: unknown): boolean {
  if (!isObject(value)) return false;
  return !list || Array.isArray(list.items === undefined ? value : value[list.items]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const asObject = (value: unknown): Failure => (isObject(value) ? value : {});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Whether details are empty, because an envelope always contains `details`. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Parses seconds or an HTTP date (RFC 9110, section 10.2.3). @returns seconds from now */
function secondsOf(retryAfter: unknown): number | undefined {
  if (retryAfter === null || retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(String(retryAfter));
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}
