import type { HttpRequest } from './http-sender';

type QueryValue = string | readonly string[] | undefined;

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash, or is empty for the base URL itself. The caller encodes variable parts. */
  path: string;
  /** Query parameters. A list repeats the parameter. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Body, sent as JSON. */
  body?: unknown;
  /** Form fields, sent instead of `body`. */
  form?: Readonly<Record<string, QueryValue>>;
  /** `text` for a plain-text reply, which is returned unchanged. */
  replyAs?: 'json' | 'text';
  headers?: Readonly<Record<string, string>>;
  /** Whether the call changes state, such as a purchase. If its reply is lost, the error is `unknownOutcome`. */
  changesSomething?: boolean;
  timeoutMs?: number;
  /** Replaces the client's limit. A longer reply throws `OversizedReply`, because the caller requested too much. */
  maxReplyBytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the URL of a request. The base URL may have a query with the key of the provider; the request's
 * query is appended.
 */
export function requestUrl(baseUrl: string, { path, query = {} }: ProviderRequest): string {
  const [base = '', baseQuery = ''] = baseUrl.split('?', 2);
  const search = [baseQuery, encoded(query)].filter((part) => part !== '').join('&');
  // An empty path requests the base URL itself, because its trailing slash may matter.
  const address = path === '' ? base : `${base.replace(/\/+$/, '')}${path}`;
  return search === '' ? address : `${address}?${search}`;
}

function encoded(fields: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(given).toString();
}

export function requestInit(
  { method, body, form, replyAs, headers }: ProviderRequest,
  clientHeaders: Readonly<Record<string, string>> | undefined,
): Omit<HttpRequest, 'signal'> {
  const sent = form ? encoded(form) : body === undefined ? undefined : JSON.stringify(body);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method,
    headers: {
      accept: replyAs === 'text' ? 'text/plain, */*' : 'application/json',
      ...(sent !== undefined && { 'content-type': type }),
      ...clientHeaders,
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
    // A redirect could send the request, and perhaps a key, to a host that is not configured.
    redirect: 'error',
  };
}
