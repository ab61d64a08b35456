import { invalidArgument } from './errors';

/** A value, or a function that returns the current value, for credentials that change. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

/** The part of `fetch` that this package uses. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchReply>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: 'manual';
}

export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<unknown>;
    };
  } | null;
  text(): Promise<string>;
}

/** The part of `WebSocket` that this package uses. Browsers, Node.js 22 and the package `ws` implement it. */
export type WebSocketLike = new (url: string) => {
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  send(text: string): void;
  close(): void;
};

export interface ClientOptions {
  /** Address of the gateway. Default: the local sandbox, `http://127.0.0.1:3000`. */
  baseUrl?: string | undefined;
  /** API key, `tb_…_pk_…` or `tb_…_sk_…`. Never publish the secret key (`sk`) in a web page. */
  apiKey?: Credential | undefined;
  /** Session token of a wallet that has signed in, `tb_…_ws_…`. */
  sessionToken?: Credential | undefined;
  /** Address of your wallet, in addition to its session token. The sandbox needs only the address. */
  wallet?: string | undefined;
  /** Number of retries after temporary failures, for calls that are safe to repeat. Default 2; 0 for none. */
  retries?: number | undefined;
  /** Time-out of each attempt in milliseconds. Default 30,000, longer for slow operations; 0 for none. */
  timeoutMs?: number | undefined;
  /** Headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  fetch?: FetchLike | undefined;
  /** Default: the global `WebSocket`. Node.js 20 has none: pass `WebSocket` of the package `ws`. */
  WebSocket?: WebSocketLike | undefined;
}

/** A client, the first argument of every operation. */
export interface Client extends Readonly<ClientOptions> {
  /** Base URL without a slash at the end. */
  readonly baseUrl: string;
}

const sandbox = 'http://127.0.0.1:3000';
const mostRetries = 10;

/** Creates a client. It sends no request until an operation is called. @throws ClientError `INVALID_ARGUMENT` */
export function createClient(options: ClientOptions = {}): Client {
  const { baseUrl = sandbox, apiKey, retries = 0 } = options;
  const reject = (message: string): never => {
    throw invalidArgument('createClient', message);
  };
  if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(baseUrl))
    reject('baseUrl must be an http or https address without a query.');
  // A live key must not be sent by mistake to a local server.
  if (options.baseUrl === undefined && typeof apiKey === 'string' && apiKey.startsWith('tb_live_'))
    reject('Set baseUrl: a live API key is not for the sandbox.');
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= mostRetries))
    reject(`retries must be an integer from 0 to ${mostRetries}.`);
  return Object.freeze({ ...options, baseUrl: baseUrl.replace(/\/+$/, '') });
}
