import { anyObject, DomainError, feature, operation, type Operation } from '@tollbridge/rpc';
import { decodeFrame, maxFrameBytes, maxFrameItems, paymentsSubject } from '@tollbridge/nanopay-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { BodyRoom } from '../http/body-room';
import { gate } from '../http/operation-routes';
import { asDomainError } from '../http/render';
import { binary, describedAs, type DocumentedRoute } from '../openapi/documented-route';

/** What is used of the connection to the bus. */
export interface FrameBus {
  request(subject: string, frame: Uint8Array, options: { timeout: number }): Promise<{ data: Uint8Array }>;
}

export const frameType = 'application/octet-stream';
const timeoutMs = 5_000;
// Each may be nearly a megabyte; the enclave is not done sooner with more of them.
export const defaultMaxFrames = 64;

class NoFields {}

/** What this route is counted as. */
const { sendPayments } = feature('gateway', 'payments', 'Payments', {
  sendPayments: operation({
    ...{ method: 'POST', path: '/payments', summary: 'Charge many nano-payments', auth: 'public' },
    description: `Takes a binary frame of up to ${maxFrameItems} payments from a seller's paywall, as \`@tollbridge/paywall\` sends it (docs/nano-payments.md describes the format). Each payment in it is signed by its buyer. A frame counts as one call, and may be sent again when no answer came: no payment is charged twice.`,
    ...{ input: NoFields, output: anyObject('Outcomes, as bytes', {}), errors: ['SERVICE_UNAVAILABLE'] },
  }),
}).operations;

/** `POST /payments` in the document. */
export const framesRoute: DocumentedRoute = {
  tag: 'Nano-payments',
  operation: describedAs(sendPayments as Operation<any, any>, 'sendPaymentFrame', {
    errors: ['SERVICE_UNAVAILABLE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
  body: { type: frameType, schema: binary, example: 'TBF1…' },
  replies: {
    200: {
      description: 'One outcome for each payment of the frame, in the same order',
      content: { type: frameType, schema: binary, example: 'TBF1…' },
    },
  },
};

/**
 * Takes the frames of sellers that are not on the bus, and passes them to the enclave as they came: a frame is what the
 * enclave reads, and each payment in it is signed by its buyer. It counts as one call, however much is in it.
 */
export function addPaymentFrames(
  server: FastifyInstance,
  bus: FrameBus,
  { admit, maxFrames = defaultMaxFrames }: { admit: Admit; maxFrames?: number },
): void {
  const onRequest = gate(sendPayments as Operation<any, any>, admit);
  const frames = new PaymentFrames(bus);
  // A frame has its place from before its body is read until it is answered.
  const places = new BodyRoom(maxFrames);
  void server.register(async (route) => {
    takeFrames(route);
    const config = { style: 'bare', takesAnonymousBodies: true, places } as const;
    const options = { config, bodyLimit: maxFrameBytes, onRequest };
    route.post('/payments', options, (request, reply) => frames.pass(request, reply));
  });
}

function takeFrames(route: FastifyInstance): void {
  route.removeAllContentTypeParsers();
  // Thrown again for the server, which says of all other routes that they take less, and JSON.
  route.setErrorHandler((thrown) => {
    const { code } = asDomainError(thrown);
    if (code === 'PAYLOAD_TOO_LARGE')
      throw new DomainError(code, `The frame is larger than ${maxFrameBytes} bytes. Split it.`, {
        cause: thrown,
      });
    throw code === 'UNSUPPORTED_MEDIA_TYPE' && !(thrown instanceof DomainError) ? otherType() : thrown;
  });
  const asItCame = { parseAs: 'buffer', bodyLimit: maxFrameBytes } as const;
  route.addContentTypeParser(frameType, asItCame, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = headers;
    if (encoding.toLowerCase() === 'identity') done(null, body);
    else
      done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.'));
  });
  // Without a look at the body.
  route.addContentTypeParser('*', (_request, _payload, done) => done(otherType()));
}

const otherType = (): DomainError =>
  new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${frameType}.`);

class PaymentFrames {
  constructor(private readonly bus: FrameBus) {}

  async pass({ body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const frame = body as Buffer | undefined;
    // The enclave leaves unanswered what is none.
    if (!frame || !decodeFrame(frame))
      throw new DomainError(
        'VALIDATION_ERROR',
        'Invalid payment frame. Send at most 512 items as described in docs/nano-payments.md.',
      );
    const outcomes = await this.ask(frame);
    return reply.header('content-type', frameType).send(asBuffer(outcomes));
  }

  private async ask(frame: Buffer): Promise<Uint8Array> {
    try {
      return (await this.bus.request(paymentsSubject, frame, { timeout: timeoutMs })).data;
    } catch (cause) {
      const message =
        'The payment ledger did not answer, so the outcome is unknown. Send the same frame again: no payment is charged twice.';
      throw new DomainError('SERVICE_UNAVAILABLE', message, { cause });
    }
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
