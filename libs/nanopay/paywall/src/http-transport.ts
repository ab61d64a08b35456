import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  decodeOutcomes,
  encodeFrame,
  frameHeadLength,
  maxFrameItems,
  maxOutcomeBytes,
  type FrameItem,
  type Outcome,
} from '@tollbridge/nanopay-protocol';
import type { Transport } from './transport';

export interface HttpTransportOptions {
  /** URL of the gateway, without a path. */
  url: string;
  apiKey?: string;
  timeoutMs?: number;
}

const maxReplyBytes = frameHeadLength + maxFrameItems * maxOutcomeBytes;
const maxRetryAfterS = 3_600;

/** Transport for sellers outside the gateway's network. The gateway forwards the same messages. */
export function httpTransport(options: HttpTransportOptions): Transport {
  const url = new URL(options.url.replace(/\/+$/, '') + '/payments');
  const isTls = url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 8 };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const headers: Record<string, string> = { 'Content-Type': 'application/octet-stream' };
  if (options.apiKey !== undefined) headers.Authorization = `Bearer ${options.apiKey}`;
  const timeoutMs = options.timeoutMs ?? 2_000;

  function post(frame: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...headers, 'Content-Length': frame.length },
      });
      request.once('response', (response) => void readReply(response).then(resolve, reject));
      request.once('error', reject);
      request.end(frame);
    });
  }

  return {
    send: async (items) => outcomesOf(await post(encodeFrame(items)), items),
    close: () => agent.destroy(),
  };
}

interface Reply {
  status: number;
  retryAfterS: number;
  body: Buffer;
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    byteLength += chunk.length;
    // Throwing inside the loop closes the connection.
    if (byteLength > maxReplyBytes) throw new RangeError('The reply of the gateway is too long.');
    chunks.push(chunk);
  }
  const seconds = Number(response.headers['retry-after']);
  const retryAfterS = seconds >= 1 ? Math.min(Math.ceil(seconds), maxRetryAfterS) : 1;
  return { status: response.statusCode ?? 0, retryAfterS, body: Buffer.concat(chunks) };
}

function outcomesOf({ status, retryAfterS, body }: Reply, items: readonly FrameItem[]): Outcome[] {
  // The gateway applies its rate limit before it reads the payments, so nothing has been charged.
  if (status === 429)
    return items.map(() => ({
      status: 'rejected',
      reason: 'rate_limited',
      retryAfterS,
      approvalId: undefined,
    }));
  const outcomes = status === 200 ? decodeOutcomes(body) : undefined;
  // The gateway rejects the seller here (401, 403). Buyers must not receive these errors as their own.
  if (!outcomes) throw new TypeError(`The gateway answered ${status}.`);
  return outcomes;
}
