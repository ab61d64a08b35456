import type { HttpRequest } from './http-sender';

type QueryValue = string | readonly string[] | undefined;

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash, or is empty for the base URL itself; every variable part encoded by the caller. */
  path: string;
  /** A list is written as the same name several times. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as the fields of a form, instead of `body`. */
  form?: Readonly<Record<string, QueryValue>>;
  /** `text` for a provider that answers plain text, which is returned unchanged. */
  replyAs?: 'json' | 'text';
  headers?: Readonly<Record<string, string>>;
  /** For a purchase or a minted address: a lost reply is `unknownOutcome`. */
  changesSomething?: boolean;
  timeoutMs?: number;
  /** In place of the client's limit. A longer reply is an `OversizedReply`: the caller asked for too much. */
  maxReplyBytes?: number;
  signal?: AbortSignal | undefined;
}

/** Some providers take their key in the query of the base URL: the query of the request is appended to it. */
export function requestUrl(baseUrl: string, { path, query = {} }: ProviderRequest): string {
  const [base = '', baseQuery = ''] = baseUrl.split('?', 2);
  const search = [baseQuery, encoded(query)].filter((part) => part !== '').join('&');
  // An empty path requests the base URL itself, where a last slash may matter.
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
    // A redirect would carry the request, and perhaps a key, to a host that is not configured.
    redirect: 'error',
  };
}
