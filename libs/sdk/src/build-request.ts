import type { CallOptions } from './call';
import type { Client, Credential } from './client';
import { invalidArgument } from './errors';
import type { Input, Route } from './route';

export interface BuiltRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** Present if a repetition of the request takes effect only once. */
  idempotencyKey?: string;
}

/** Builds the request of an operation. @throws ClientError `INVALID_ARGUMENT` */
export async function buildRequest(
  client: Client,
  route: Route,
  input: Input,
  options: CallOptions,
): Promise<BuiltRequest> {
  const { method } = route;
  const rest: Record<string, unknown> = { ...input };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return pathPart(route, name, value);
  });
  const headers = await credentials(client);
  // Normalises the spelling of names, because `fetch` would join two headers with the same name.
  for (const [name, text] of Object.entries({ ...client.headers, ...options.headers }))
    headers[name.toLowerCase()] = text;
  const wallet = options.wallet ?? client.wallet;
  if (route.takesWallet && wallet !== undefined) headers['x-wallet'] = wallet;
  for (const [name, header] of Object.entries(route.headers ?? {})) {
    if (rest[name] !== undefined) headers[header] = String(rest[name]);
    delete rest[name];
  }
  const url = client.baseUrl + path;
  if (method === 'GET' || method === 'DELETE') return { method, headers, url: url + queryOf(rest) };
  headers['content-type'] = 'application/json';
  const body = jsonOf(route, bodyOf(route, rest));
  if (route.isRead && options.idempotencyKey === undefined) return { method, headers, url, body };
  const idempotencyKey = options.idempotencyKey ?? randomKey();
  headers['idempotency-key'] = idempotencyKey;
  return { method, headers, url, body, idempotencyKey };
}

/**
 * Rejects an empty part or a dot, which would lead to another route: `DELETE /sessions/` instead of `/sessions/{id}`.
 */
function pathPart({ id }: Route, name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..')
    throw invalidArgument(id, `${name} must be a text that can be part of a path.`);
  return encodeURIComponent(text);
}

/** Requires the field that is the whole body. Without it the body would be empty, and settings would be deleted. */
function bodyOf({ id, body }: Route, input: Record<string, unknown>): unknown {
  if (body === undefined) return input;
  if (input[body] === undefined) throw invalidArgument(id, `${body} must be given: it is the body.`);
  return input[body];
}

function jsonOf({ id }: Route, body: unknown): string {
  try {
    return JSON.stringify(body ?? {});
  } catch {
    throw invalidArgument(id, 'The input cannot be written as JSON. Amounts are text: String(toAtomic(…)).');
  }
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) query.append(name, String(each));
  const text = query.toString();
  return text && `?${text}`;
}

async function credentials({ apiKey, sessionToken }: Client): Promise<Record<string, string>> {
  const [key, session] = await Promise.all([valueOf(apiKey), valueOf(sessionToken)]);
  const headers: Record<string, string> = {};
  const token = session ?? key;
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (session !== undefined && key !== undefined) headers['x-api-key'] = key;
  return headers;
}

const valueOf = (credential: Credential | undefined): ReturnType<Exclude<Credential, string>> =>
  typeof credential === 'function' ? credential() : credential;

// Browsers support randomUUID only over https.
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
