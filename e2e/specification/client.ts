export interface Reply {
  status: number;
  headers: Headers;
  /** The JSON of the reply, or its text if it is not JSON. */
  body: any;
  text: string;
}

type Headers_ = Record<string, string>;

/** A customer's HTTP client: sends exactly the given body and headers. */
export class Client {
  constructor(
    readonly baseUrl: string,
    private readonly headers: Headers_ = {},
  ) {}

  with(headers: Headers_): Client {
    return new Client(this.baseUrl, { ...this.headers, ...headers });
  }

  get(path: string, headers: Headers_ = {}): Promise<Reply> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Headers_ = {}): Promise<Reply> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body?: unknown, headers: Headers_ = {}): Promise<Reply> {
    return this.send('PUT', path, body, headers);
  }

  delete(path: string, headers: Headers_ = {}): Promise<Reply> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** @param body a string is sent unchanged */
  async send(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Reply> {
    const sent = { ...this.headers, ...headers };
    if (body === undefined) return toReply(await fetch(this.baseUrl + path, { method, headers: sent }));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const json = { 'content-type': 'application/json', ...sent };
    return toReply(await fetch(this.baseUrl + path, { method, headers: json, body: text }));
  }
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // An image or a page: its text is the body.
  }
  return { status: response.status, headers: response.headers, body, text };
}

/** The body of a success. On a failure, the error message contains the whole reply. */
export function ok(reply: Reply): any {
  if (reply.status !== 200) throw new Error(`expected 200, got ${reply.status}: ${reply.text.slice(0, 800)}`);
  return reply.body;
}

/** Polls until `read` returns a value other than undefined. */
export async function waitFor<T>(
  what: string,
  read: () => Promise<T | undefined>,
  { timeoutMs = 90_000, everyMs = 200 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    // The text of `eventually`: a file that fails only by time-outs is run once more.
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
