import { EgressError, Outbound, retryAfterOf, type OutboundOptions } from '@tollbridge/egress';
import { Webhook } from 'standardwebhooks';
import { errorOfStatus, honoursRetryAfter, maxRetryAfterMs, type Attempt } from './delivery';

/** The time-out for DNS, connection and reply together. */
export const sendTimeoutMs = 15_000;

export interface SignedMessage {
  id: string;
  /** The signed request body. */
  payload: string;
  /** All valid secrets. A receiver needs only one of them. */
  secrets: readonly string[];
  /** Sent as `traceparent`, so that the receiver continues this trace. */
  traceparent: string | null;
}

/** A webhook receiver. Its single connection stays open until it is closed. */
export class Receiver {
  private outbound: Outbound | undefined;

  constructor(
    readonly url: string,
    private readonly options: OutboundOptions & { version: string },
  ) {}

  /** Sends a message once. Never rejects, because every result is an attempt. */
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

/** The signature headers of the Standard Webhooks specification. */
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
