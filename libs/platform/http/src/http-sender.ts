import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A request, in a form that `fetch` also accepts. */
export interface HttpRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  redirect: 'error';
  signal: AbortSignal;
}

/** Names are case-insensitive. */
export interface ReplyHeaders {
  get(name: string): string | null;
}

/** A reply with an unread body; a `Response` of `fetch` is one. */
export interface HttpReply {
  status: number;
  headers: ReplyHeaders;
  body: AsyncIterable<Uint8Array> | null;
}

export type SendHttp = (url: string, request: HttpRequest) => Promise<HttpReply>;

// Time-out for the connection. After it the call fails, and no request was sent.
const defaultConnectTimeoutMs = 10_000;
// Servers close idle connections after five seconds or more. A later reuse could coincide with that close.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const [httpAgent, httpsAgent] = [new HttpAgent(agentOptions), new HttpsAgent(agentOptions)];
const redirects = [301, 302, 303, 307, 308];
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

// Some servers reject requests without a user agent.
const usual = { 'user-agent': 'tollbridge', 'accept-encoding': Object.keys(decoders).join(', ') };

/**
 * Sends HTTP requests without `fetch`. Objects of `fetch` survive all but full garbage collections, so a busy
 * service would use many times the memory that it needs.
 */
export function httpSender(connectTimeoutMs = defaultConnectTimeoutMs): SendHttp {
  return async (address, request) => {
    const url = new URL(address);
    const { method, headers, body, signal } = request;
    signal.throwIfAborted();
    const [start, agent] =
      url.protocol === 'https:' ? ([httpsRequest, httpsAgent] as const) : ([httpRequest, httpAgent] as const);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const all = { ...usual, ...headers, ...length };
    const sent = start(url, { method, headers: all, agent });
    signal.addEventListener('abort', () => sent.destroy(new Error('aborted')), { once: true });
    boundConnecting(sent, connectTimeoutMs);
    const answered = answerTo(sent);
    sent.end(body);
    const message = await answered;
    if (redirects.includes(message.statusCode!)) {
      message.destroy();
      throw new Error('it redirects elsewhere');
    }
    return {
      status: message.statusCode!,
      headers: { get: (name) => valueOf(message.headers[name.toLowerCase()]) },
      body: decoded(message),
    };
  };
}

function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve);
    // After the response has begun, the body reports errors.
    sent.on('error', reject);
    // After a protocol switch Node emits neither a response nor an error.
    sent.on('close', () => reject(new Error('it was closed before an answer')));
  });
}

function boundConnecting(sent: ClientRequest, timeoutMs: number): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = Object.assign(new Error('no connection in time'), { code: 'CONNECT_TIMEOUT' });
    const timer = setTimeout(() => sent.destroy(late), timeoutMs);
    const stop = (): void => clearTimeout(timer);
    // The connection time-out ends after the handshake, when the request is sent.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
    sent.once('close', stop);
  });
}

function decoded(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]!() : undefined;
  // The reader of the body receives its errors.
  return decoder ? pipeline(message, decoder, () => undefined) : message;
}

const valueOf = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(', ') : (value ?? null);
