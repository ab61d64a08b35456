import type { HttpReply, SendHttp } from '@tollbridge/http';
import { RpcError } from './rpc-error';
import type { RpcUrl } from './rpc-url';

export interface HttpLimits {
  fetch: SendHttp;
  /** Time-out for the whole exchange, including reading the body. */
  timeoutMs: number;
  maxReplyBytes: number;
}

export interface HttpAnswer {
  status: number;
  retryAfter: string | null;
  body: string;
}

/** Posts JSON and reads a bounded answer. Every failure is an `RpcError`, but an HTTP error status is an answer. */
export async function postJson(url: RpcUrl, body: string, limits: HttpLimits): Promise<HttpAnswer> {
  const abort = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort.abort();
  }, limits.timeoutMs);
  try {
    const response = await limits.fetch(url.href, {
      method: 'POST',
      headers: { ...url.headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: abort.signal,
      // A redirect would send the request, perhaps with a key, to a host that is not configured.
      redirect: 'error',
    });
    const text = await boundedText(response, url.label, limits.maxReplyBytes);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: text };
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (timedOut) {
      const text = `no answer within ${limits.timeoutMs} ms`;
      throw new RpcError({ kind: 'unavailable', reason: 'timeout', endpoint: url.label, text });
    }
    const text = `connection failed (${systemCode(error)})`;
    throw new RpcError({ kind: 'unavailable', reason: 'connection', endpoint: url.label, text });
  } finally {
    clearTimeout(timer);
  }
}

/** Counts decompressed bytes, so that a small gzip body that expands to gigabytes is aborted too. */
async function boundedText(response: HttpReply, endpoint: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      // Throwing inside the loop also cancels the rest of the download.
      const text = `reply larger than ${maxBytes} bytes`;
      throw new RpcError({ kind: 'badReply', reason: 'replyTooLarge', endpoint, text });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns only a code such as ECONNREFUSED, because the message of a foreign error may quote the URL. */
function systemCode(error: unknown): string {
  const code = property(property(error, 'cause') ?? error, 'code');
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'unknown';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
