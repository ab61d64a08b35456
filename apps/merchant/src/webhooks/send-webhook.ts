import { EgressError, Outbound, retryAfterOf, type OutboundOptions } from '@tollbridge/egress';
import { Webhook } from 'standardwebhooks';
import { errorOfStatus, honoursRetryAfter, maxRetryAfterMs, type Attempt } from './delivery';

/** The total time of DNS, connection and reply. */
export const sendTimeoutMs = 15_000;

export interface SignedMessage {
  id: string;
  /** The bytes that are signed and sent. */
  payload: string;
  /** All valid secrets: a receiver needs one of them. */
  secrets: readonly string[];
  /** Sent as `traceparent`, so that the receiver's trace continues ours. */
  traceparent: string | null;
}

/** A receiver. Its one connection stays open until it is closed. */
export class Receiver {
  private outbound: Outbound | undefined;

  constructor(
    readonly url: string,
    private readonly options: OutboundOptions & { version: string },
  ) {}

  /** Sends a message once. Never rejects: every result is an attempt. */
  async send(message: SignedMessage, nowMs: number): Promise<Attempt> {
    const startedMs = performance.now();
    const result = await this.post(message, nowMs).catch((error: unknown) => ({
      ...noAnswer,
      // Messages of other errors may contain secrets.
      error: error instanceof EgressError ? error.message : 'The webhook could not be sent.',
    }));
    return { ...result, atMs: nowMs, tookMs: Math.round(performance.now() - startedMs) };
  }

  close(): void {
    this.outbound?.close();
  }

  private async post(
    { id, payload, secrets, traceparent }: SignedMessage,
    nowMs: number,
  ): Promise<Pick<Attempt, 'status' | 'error' | 'retryAfterMs'>> {
    if (secrets.length === 0)
      return {
        ...noAnswer,
        error: 'The signing secret cannot be read. Create a new one with POST /api/webhooks/secret.',
      };
    this.outbound ??= new Outbound(this.url, this.options);
    const headers = {
      ...this.headers,
      ...(traceparent !== null && { traceparent }),
      ...signatureHeaders(id, payload, secrets, nowMs),
    };
    const reply = await this.outbound.post({ headers, body: payload, timeoutMs: sendTimeoutMs });
    const { status } = reply;
    const wait = honoursRetryAfter(status) ? reply.header('retry-after') : undefined;
    return { status, error: errorOfStatus(status), retryAfterMs: retryAfterOf(wait, nowMs, maxRetryAfterMs) };
  }

  private get headers(): Record<string, string> {
    return {
      'content-type': 'application/json',
      'user-agent': `Tollbridge-Webhooks/${this.options.version}`,
    };
  }
}

const noAnswer = { status: null, retryAfterMs: undefined };

/** The headers of Standard Webhooks. */
function signatureHeaders(
  id: string,
  payload: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const at = new Date(nowMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(' '),
  };
}
