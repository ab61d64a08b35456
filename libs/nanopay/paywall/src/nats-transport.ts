import { randomBytes } from 'node:crypto';
import { decodeOutcomes, encodeFrame, paymentsSubject } from '@tollbridge/nanopay-protocol';
import { Replies } from './replies';
import type { Transport } from './transport';

/** The methods of a connection of the package `nats` that the transport uses. */
export interface NatsRequester {
  publish(subject: string, payload: Uint8Array, options: { reply: string }): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: NatsReply) => void },
  ): unknown;
}

export interface NatsReply {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Code 503 means that the subject has no subscriber. */
  readonly headers?: { readonly code: number } | undefined;
}

export interface NatsTransportOptions {
  connection: NatsRequester;
  subject?: string;
  timeoutMs?: number;
  /**
   * Prefix of reply subjects: `_INBOX.` and one more token, by default `_INBOX.seller`. The ledger service replies on
   * subjects below `<prefix>.tee`. On a bus with users, it needs permission to publish there.
   */
  inboxPrefix?: string;
}

/**
 * Transport for sellers on the bus of the ledger service. All replies share one subscription. `request` of the package
 * `nats` would create an error with a stack trace for every reply. That takes longer than everything else.
 */
export function natsTransport(options: NatsTransportOptions): Transport {
  const { connection, subject = paymentsSubject, timeoutMs = 2_000, inboxPrefix = '_INBOX.seller' } = options;
  const inbox = `${inboxPrefix}.${subject.split('.')[1]}.${randomBytes(16).toString('hex')}.`;
  const replies = new Replies<string, Uint8Array>();
  let isListening = false;
  let lastCall = 0;

  const settle = (error: Error | null, { subject: to, data, headers }: NatsReply): void => {
    // This user has no permission to subscribe at the moment. The connection drops the subscription, so the next call
    // repeats it.
    if (error) {
      isListening = false;
      replies.failAll(error);
    } else if (headers?.code === 503) replies.fail(to, new Error('No payment ledger service is connected.'));
    else replies.settle(to, data);
  };

  const request = async (frame: Uint8Array): Promise<Uint8Array> => {
    if (!isListening) connection.subscribe(`${inbox}*`, { callback: settle });
    isListening = true;
    const reply = inbox + String(++lastCall);
    connection.publish(subject, frame, { reply });
    return replies.wait(reply, timeoutMs);
  };

  return {
    async send(items) {
      const outcomes = decodeOutcomes(await request(encodeFrame(items)));
      if (!outcomes) throw new TypeError('Invalid reply of the payment ledger service.');
      return outcomes;
    },
  };
}
