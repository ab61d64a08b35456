type QueryValue = string | readonly string[] | undefined;

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash, or is empty for the base URL itself; every variable part encoded by the caller. */
  path: string;
  /** A list is written as the same name several times. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** What a lost answer leaves unknown: a purchase, a minted address. Then a time-out is `unknownOutcome`. */
  changesSomething?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** Some providers take their key in the query of the base URL: it stays, and the request's own follows. */
export function requestUrl(baseUrl: string, { path, query = {} }: ProviderRequest): string {
  const [base = '', baseQuery = ''] = baseUrl.split('?', 2);
  const given = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one): [string, string] => [name, one]),
  );
  const search = [baseQuery, new URLSearchParams(given).toString()].filter((part) => part !== '').join('&');
  // Without a path of its own the base is the whole address, and its last slash may matter.
  const address = path === '' ? base : `${base.replace(/\/+$/, '')}${path}`;
  return search === '' ? address : `${address}?${search}`;
}

export function requestInit(
  { method, body, headers }: ProviderRequest,
  clientHeaders: Readonly<Record<string, string>> | undefined,
): RequestInit {
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...clientHeaders,
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect would carry the request, and perhaps a key, to a host that nobody configured.
    redirect: 'error',
  };
}
