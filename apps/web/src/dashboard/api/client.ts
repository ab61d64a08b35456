import createClient from 'openapi-fetch';
import { toApiError, unreachable } from './api-error';
import type { Paths } from './paths';

/** The gateway accepts the cookie only together with this header, which no other site can send. */
export const dashboardHeaders = { 'x-tollbridge-dashboard': '1' };

export const api = createClient<Paths>({ headers: dashboardHeaders });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a reply. @throws ApiError for a failure */
export async function dataOf<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await replyOf(call)).data;
}

/** The body and the headers of a reply. @throws ApiError for a failure */
export async function replyOf<T>(call: Promise<Answer<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (!response.ok || data === undefined)
    throw toApiError(response.status, error, response.headers.get('x-request-id'));
  return { data, headers: response.headers };
}

/** The cursor of the next page, from the header `Link`; undefined on the last page. */
export function nextCursorOf(headers: Headers): string | undefined {
  const url = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return url === undefined
    ? undefined
    : (new URL(url, location.origin).searchParams.get('cursor') ?? undefined);
}

let lastKey: { body: string; key: string } | undefined;

/** Returns the same key for a repeated submission of the same body, so that a retry creates nothing twice. */
export function idempotencyHeader(body: unknown): { 'Idempotency-Key': string } {
  const text = JSON.stringify(body);
  if (lastKey?.body !== text) lastKey = { body: text, key: randomKey() };
  return { 'Idempotency-Key': lastKey.key };
}

/** Called after a success, so that the same body creates a new object. */
export function forgetIdempotencyKey(): void {
  lastKey = undefined;
}

// Not randomUUID, which browsers support over https only.
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
