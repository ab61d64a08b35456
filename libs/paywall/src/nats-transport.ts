import { decodeOutcomes, encodeFrame, paymentsSubject } from '@tollbridge/nanopay';
import type { Transport } from './transport';

/** What is used of a connection of the package `nats`. */
export interface NatsRequester {
  request(
    subject: string,
    payload: Uint8Array,
    options: { timeout: number },
  ): Promise<{ readonly data: Uint8Array }>;
}

export interface NatsTransportOptions {
  connection: NatsRequester;
  subject?: string;
  timeoutMs?: number;
}

/** For sellers on the enclave's own bus. */
export function natsTransport(options: NatsTransportOptions): Transport {
  const { connection, subject = paymentsSubject, timeoutMs: timeout = 2_000 } = options;
  return {
    async send(items) {
      const { data } = await connection.request(subject, encodeFrame(items), { timeout });
      const outcomes = decodeOutcomes(data);
      if (!outcomes) throw new TypeError('The reply of the enclave cannot be read.');
      return outcomes;
    },
  };
}
