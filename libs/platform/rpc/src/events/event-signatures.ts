import { headers as natsHeaders, type MsgHdrs } from 'nats';
import type { EventRejection, ServiceIdentity } from '../bus/service-identity';

/** Header with the span of the publication. Absent without tracing; the envelope contains the trace of the change. */
export const eventTraceHeader = 'traceparent';

/** Each receiving app has its own signature, because only two apps share a key. */
const eventSignatureHeader = (receiver: string): string => `tb-signature-${receiver}`;

/** Signs events for the apps that receive them. */
export interface EventSigning {
  identity: ServiceIdentity;
  receivers: readonly string[];
}

/** A message that contains an event, from JetStream or from a plain subscription. */
export interface EventMessage {
  subject: string;
  headers?: MsgHdrs | undefined;
  data: Uint8Array;
}

/** An event without a valid signature of its publisher. It is never handled. */
export class EventRejectedError extends Error {
  override readonly name = 'EventRejectedError';

  constructor(readonly reason: EventRejection) {
    super(`Rejected event: its signature is ${reason}`);
  }
}

/**
 * Returns the headers of an event: its span, and a signature for each receiver. Undefined for an event without either.
 */
export function eventHeaders(
  { subject, data }: EventMessage,
  { signing, traceparent = '' }: { signing?: EventSigning | undefined; traceparent?: string },
): MsgHdrs | undefined {
  const receivers = signing?.receivers ?? [];
  if (traceparent === '' && receivers.length === 0) return undefined;
  const headers = natsHeaders();
  if (traceparent !== '') headers.set(eventTraceHeader, traceparent);
  const signed = { subject, fields: traceparent, body: data };
  for (const receiver of receivers)
    headers.set(eventSignatureHeader(receiver), signing!.identity.signEvent(receiver, signed));
  return headers;
}

/** Verifies, for one receiving app, that events were signed by their publisher (decision 84). */
export class EventVerifier {
  private readonly header: string;

  /**
   * @param unsignedUntilMs time until unsigned events of an older release are accepted
   * @param onRejected called for each rejected event
   */
  constructor(
    private readonly identity: ServiceIdentity,
    private readonly unsignedUntilMs = 0,
    private readonly onRejected: (rejection: EventRejectedError, source: string) => void = () => undefined,
  ) {
    this.header = eventSignatureHeader(identity.app);
  }

  /** @throws EventRejectedError unless `source` has signed the message */
  verify(source: string, { subject, headers, data }: EventMessage): void {
    const signature = headers?.get(this.header) ?? '';
    if (signature === '' && Date.now() < this.unsignedUntilMs) return;
    const reason = this.identity.rejectionOf(signature, source, {
      subject,
      fields: headers?.get(eventTraceHeader) ?? '',
      body: data,
    });
    if (reason === undefined) return;
    const rejection = new EventRejectedError(reason);
    this.onRejected(rejection, source);
    throw rejection;
  }

  /** Returns a dead letter text with headers, so that the event can be verified again after a key was restored. */
  toDeadLetter({ subject, headers, data }: EventMessage): string {
    const signature = headers?.get(this.header) ?? '';
    const traceparent = headers?.get(eventTraceHeader) ?? '';
    const text = Buffer.from(data).toString();
    return JSON.stringify({ rejected: { subject, signature, traceparent, text } });
  }

  /**
   * Returns the text and the subject of an event from a dead letter.
   * @throws EventRejectedError when the event was rejected before, and its signature is still invalid
   */
  readDeadLetter(source: string, letter: string): { text: string; subject: string } {
    const rejected = readRejected(letter);
    if (!rejected) return { text: letter, subject: '' };
    const { subject, signature, traceparent, text } = rejected;
    const headers = natsHeaders();
    if (signature !== '') headers.set(this.header, signature);
    if (traceparent !== '') headers.set(eventTraceHeader, traceparent);
    this.verify(source, { subject, headers, data: Buffer.from(text) });
    return { text, subject };
  }
}

interface RejectedLetter {
  subject: string;
  signature: string;
  traceparent: string;
  text: string;
}

function readRejected(letter: string): RejectedLetter | undefined {
  if (!letter.startsWith('{"rejected":')) return undefined;
  return (JSON.parse(letter) as { rejected: RejectedLetter }).rejected;
}
