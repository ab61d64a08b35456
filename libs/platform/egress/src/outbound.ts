import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf, isLocalhost, mayReach, problemOfUrl, type Reach } from './destination';
import { EgressError, failureOf } from './egress-error';
import { resolveName, type ResolvedAddress } from './resolve-name';

export interface OutboundOptions {
  reach: Reach;
  /** Replaces DNS resolution in tests. */
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
  /** Certificates of additional CAs. */
  ca?: string;
}

export interface OutboundRequest {
  headers: Record<string, string>;
  body: string;
  /** One time-out for DNS, the connection and the headers of the reply together, in milliseconds. */
  timeoutMs: number;
}

export interface OutboundReply {
  status: number;
  /** Returns the first value of a header. */
  header(name: string): string | undefined;
}

// The body is discarded. It is read up to these limits only so that the connection can be reused.
const maxReplyBytes = 64 * 1024;
const maxReplyMs = 1_000;

/**
 * Sends requests to one server that an untrusted client chose. The name is resolved once, and every address
 * must be allowed. Connections go only to those addresses, even if the name resolves differently later.
 * Redirects are not followed. The caller must close it, because it keeps a connection open.
 */
export class Outbound {
  private readonly url: URL;
  private readonly agent: HttpAgent;
  private addresses: Promise<ResolvedAddress[]> | undefined;

  /** @throws EgressError `refused` for a URL that is never allowed, regardless of the addresses of its name */
  constructor(
    text: string,
    private readonly options: OutboundOptions,
  ) {
    const problem = problemOfUrl(text, options.reach);
    if (problem) throw new EgressError('refused', `The URL ${problem}.`);
    this.url = new URL(text);
    const agentOptions = { keepAlive: true, maxSockets: 1 };
    this.agent = this.url.protocol === 'https:' ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  }

  /** @throws EgressError when no reply arrives */
  async post(request: OutboundRequest): Promise<OutboundReply> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), request.timeoutMs);
    try {
      const addresses = await unlessAborted(this.checkedAddresses(), abort.signal);
      return await this.exchange(request, addresses, abort.signal);
    } catch (error) {
      throw abort.signal.aborted
        ? new EgressError('timeout', 'There was no answer in time.')
        : failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  /** Resolves the name once. A later change of the name has no effect. */
  private checkedAddresses(): Promise<ResolvedAddress[]> {
    return (this.addresses ??= this.findAddresses());
  }

  private async findAddresses(): Promise<ResolvedAddress[]> {
    const { reach, resolve = resolveName } = this.options;
    const host = hostOf(this.url);
    const found = known(host) ?? (await resolve(host));
    // One internal address rejects the whole name, because such a name is probably an attack.
    if (found.length === 0 || !found.every(({ address }) => mayReach(address, reach)))
      throw new EgressError('refused', 'The name resolves to an address that requests may not be sent to.');
    return found;
  }

  private async exchange(
    request: OutboundRequest,
    addresses: ResolvedAddress[],
    signal: AbortSignal,
  ): Promise<OutboundReply> {
    for (;;) {
      const { sent, reply } = this.send(request, addresses, signal);
      try {
        return await reply;
      } catch (error) {
        // The server closed an idle connection at the moment of its reuse, so the request is retried.
        if (!sent.reusedSocket || signal.aborted || failureOf(error).failure !== 'closed') throw error;
        this.agent.destroy();
      }
    }
  }

  private send(
    { headers, body }: OutboundRequest,
    addresses: ResolvedAddress[],
    signal: AbortSignal,
  ): { sent: ClientRequest; reply: Promise<OutboundReply> } {
    const { ca } = this.options;
    const options: RequestOptions = {
      method: 'POST',
      agent: this.agent,
      lookup: answering(addresses),
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      signal,
      ...(ca && { ca }),
    };
    const start = this.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = start(this.url, options);
    const reply = new Promise<OutboundReply>((resolve, reject) => {
      // Failures after the status, including the time-out, are ignored.
      let isAnswered = false;
      const fail = (error: Error): void => void (isAnswered || reject(error));
      sent.on('response', (message) => {
        isAnswered = true;
        void drained(message).then(() => resolve(replyOf(message)));
      });
      sent.on('error', fail);
      // After a protocol switch Node emits neither a response nor an error.
      sent.on('close', () => fail(new EgressError('closed', 'The connection was closed before an answer.')));
    });
    sent.end(body);
    return { sent, reply };
  }
}

/** Returns the address of a host that needs no DNS query. */
function known(host: string): ResolvedAddress[] | undefined {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family as 4 | 6 }];
  if (!isLocalhost(host)) return undefined;
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
}

/** Returns a lookup function for Node that answers with the checked addresses. */
function answering(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/** Discards the body, or closes the connection when the body is too large or too slow. */
async function drained(message: IncomingMessage): Promise<void> {
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => message.destroy(), maxReplyMs);
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxReplyBytes) message.destroy();
    });
    message.on('error', () => undefined);
    message.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function replyOf({ statusCode, headers }: IncomingMessage): OutboundReply {
  return {
    status: statusCode!,
    header: (name) => [headers[name.toLowerCase()]].flat()[0],
  };
}

/** Resolves like the promise, or rejects as soon as the signal aborts. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new Error('time is up'));
  });
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
