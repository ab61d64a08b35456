import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusConnection, DomainError } from '@tollbridge/rpc';
import { decodeFrame, maxFrameBytes, maxFrameItems, paymentsSubject } from '@tollbridge/nanopay-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { CapacityPool } from '../http/capacity-pool';
import { fastifyOf } from '../http/gateway-adapter';
import { asDomainError } from '../http/replies';
import { frameType, sendPaymentFrame } from './payment-frames.routes';

const timeoutMs = 5_000;

/**
 * Forwards payment frames of sellers that are not on the bus, unchanged, to the payment ledger service. A separate
 * Fastify plugin, because no other route accepts this media type.
 */
@Injectable()
export class PaymentFramesRoute implements OnModuleInit {
  private readonly requestPool: CapacityPool;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly bus: BusConnection,
    @Inject(ServiceConfig) config: Pick<GatewayConfig, 'GATEWAY_MAX_PAYMENT_FRAMES'>,
  ) {
    this.requestPool = new CapacityPool(config.GATEWAY_MAX_PAYMENT_FRAMES);
  }

  onModuleInit(): void {
    void fastifyOf(this.host).register(async (server) => {
      acceptFrames(server);
      const config = { takesAnonymousBodies: true, requestPool: this.requestPool };
      const options = { config, bodyLimit: maxFrameBytes };
      server.post(sendPaymentFrame.declaration.path, options, (request, reply) => this.send(request, reply));
    });
  }

  private async send({ body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const frame = body as Buffer | undefined;
    // The ledger service does not answer an invalid frame.
    if (!frame || !decodeFrame(frame))
      throw new DomainError(
        'VALIDATION_ERROR',
        `Invalid payment frame. Send at most ${maxFrameItems} items as described in docs/nano-payments.md.`,
      );
    const outcomes = await this.forward(frame);
    return reply.header('content-type', frameType).send(asBuffer(outcomes));
  }

  private async forward(frame: Buffer): Promise<Uint8Array> {
    try {
      return (await this.bus.request(paymentsSubject, frame, { timeoutMs })).data;
    } catch (cause) {
      const message =
        'The payment ledger did not answer, so the outcome is unknown. Send the same frame again: no payment is charged twice.';
      throw new DomainError('SERVICE_UNAVAILABLE', message, { cause });
    }
  }
}

function acceptFrames(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // Rethrown to the error handler of the server, with messages for this route.
  server.setErrorHandler((thrown) => {
    const { code } = asDomainError(thrown);
    if (code === 'PAYLOAD_TOO_LARGE')
      throw new DomainError(code, `The frame is larger than ${maxFrameBytes} bytes. Split it.`, {
        cause: thrown,
      });
    throw code === 'UNSUPPORTED_MEDIA_TYPE' && !(thrown instanceof DomainError) ? otherType() : thrown;
  });
  const options = { parseAs: 'buffer', bodyLimit: maxFrameBytes } as const;
  server.addContentTypeParser(frameType, options, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = headers;
    if (encoding.toLowerCase() === 'identity') done(null, body);
    else
      done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.'));
  });
  // Rejects the request without reading its body.
  server.addContentTypeParser('*', (_request, _payload, done) => done(otherType()));
}

const otherType = (): DomainError =>
  new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${frameType}.`);

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
