import { randomBytes } from 'node:crypto';
import { decodeOutcomes, encodeFrame, paymentsSubject } from '@tollbridge/nanopay';
import type { Transport } from './transport';

/** What is used of a connection of the package `nats`. */
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
  /** The server says by code 503 that nobody listens. */
  readonly headers?: { readonly code: number } | undefined;
}

export interface NatsTransportOptions {
  connection: NatsRequester;
  subject?: string;
  timeoutMs?: number;
  /** Where replies come to: what the connection was told, if it was. */
  inboxPrefix?: string;
}

interface Waiting {
  resolve(data: Uint8Array): void;
  reject(error: Error): void;
}

/**
 * For sellers on the enclave's own bus. All replies come to one subscription: `request` of the package `nats` makes an
 * error with its stack for every reply that it gets, which takes longer than all the rest of it.
 */
export function natsTransport(options: NatsTransportOptions): Transport {
  const { connection, subject = paymentsSubject, timeoutMs = 2_000, inboxPrefix = '_INBOX' } = options;
  const inbox = `${inboxPrefix}.${randomBytes(16).toString('hex')}.`;
  const waiting = new Map<string, Waiting>();
  let isListening = false;
  let lastCall = 0;

  const settle = (error: Error | null, { subject: to, data, headers }: NatsReply): void => {
    // This user may not read here: no reply will ever come.
    if (error) return waiting.forEach(({ reject }) => reject(error));
    const call = waiting.get(to);
    if (headers?.code === 503) call?.reject(new Error('No enclave listens.'));
    else call?.resolve(data);
  };

  const request = async (frame: Uint8Array): Promise<Uint8Array> => {
    if (!isListening) connection.subscribe(`${inbox}*`, { callback: settle });
    isListening = true;
    const reply = inbox + String(++lastCall);
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      waiting.set(reply, { resolve, reject });
      timer = setTimeout(() => reject(new Error('The enclave has not answered in time.')), timeoutMs);
    });
    try {
      connection.publish(subject, frame, { reply });
      return await answer;
    } finally {
      clearTimeout(timer);
      waiting.delete(reply);
    }
  };

  return {
    async send(items) {
      const outcomes = decodeOutcomes(await request(encodeFrame(items)));
      if (!outcomes) throw new TypeError('The reply of the enclave cannot be read.');
      return outcomes;
    },
  };
}
