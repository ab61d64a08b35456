import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError, makerOf } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { clientAddress } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { CapacityPool, type BodySender, type Reservation } from './capacity-pool';
import { fastifyOf } from './gateway-adapter';
import { requestTimeout, UnreadableRequests } from './unreadable-requests';

export interface BodyBounds {
  /** The maximum total size of all bodies that are being read or processed. */
  maxBytes: number;
  /** The maximum number of bodies that have not arrived completely. */
  maxArriving: number;
  /** The maximum JSON body of an anonymous client. */
  maxAnonymousBytes: number;
  /** After this time, the gateway closes the connection of a body that has not arrived. */
  timeoutMs: number;
}

/** Injection token of `BodyBounds`. */
export const BodyBounds = Symbol('BodyBounds');

export const bodyBoundsOf = (config: GatewayConfig): BodyBounds => ({
  maxBytes: config.GATEWAY_BODY_MEMORY_MB * 1024 * 1024,
  maxArriving: 2_000,
  maxAnonymousBytes: config.GATEWAY_ANONYMOUS_BODY_KB * 1024,
  timeoutMs: config.GATEWAY_BODY_TIMEOUT_SECONDS * 1_000,
});

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether anonymous clients may send bodies as large as other clients. */
    takesAnonymousBodies?: boolean;
    /** An additional pool. Each request of this route uses 1 unit of it until it is answered. */
    requestPool?: CapacityPool;
  }
}

/**
 * Decides whether there is capacity for a body before it is read. The bytes stay reserved until the request is
 * answered. The slot for an arriving body is released when the body has arrived.
 */
@Injectable()
export class BodyAdmission implements OnModuleInit {
  readonly bytes: CapacityPool;
  readonly arriving: CapacityPool;
  /** Reservations of the route's maximum size for bodies without an announced length. */
  private readonly unannounced = new WeakMap<FastifyRequest, Reservation>();

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(BodyBounds) private readonly bounds: BodyBounds,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
    private readonly unreadable: UnreadableRequests,
  ) {
    this.bytes = new CapacityPool(bounds.maxBytes);
    this.arriving = new CapacityPool(bounds.maxArriving);
  }

  onModuleInit(): void {
    const server = fastifyOf(this.host);
    // preParsing runs after every onRequest hook, so admission has authenticated the client.
    server.addHook('preParsing', (request, reply, _payload, done) => {
      try {
        if (hasBody(request)) this.admit(request, reply);
        done();
      } catch (error) {
        // Node reads and discards the rest of the body, so that the client gets the reply. A body without a known
        // length is not read.
        if (request.headers['content-length'] === undefined) reply.header('connection', 'close');
        done(error as Error);
      }
    });
    server.addHook('preValidation', (request, _reply, done) => {
      // The length is known now, so the rest of the reservation is released.
      if (Buffer.isBuffer(request.body)) this.unannounced.get(request)?.shrinkTo(request.body.length);
      done();
    });
  }

  /** Checks the length of a body that a parser has read without `content-length`. */
  checkLength(request: FastifyRequest, length: number): void {
    const { maxAnonymousBytes } = this.bounds;
    if (length <= maxAnonymousBytes || !isAnonymous(request)) return;
    if (!request.routeOptions.config.takesAnonymousBodies)
      throw new DomainError(
        'PAYLOAD_TOO_LARGE',
        `The body of an unauthenticated request must not be larger than ${maxAnonymousBytes / 1024} KiB. Send an API key or a wallet, or a smaller body.`,
      );
  }

  private admit(request: FastifyRequest, reply: FastifyReply): void {
    const { config, bodyLimit } = request.routeOptions;
    const announced = lengthOf(request);
    // The parser rejects this body by its length.
    if (announced > bodyLimit!) return;
    this.checkLength(request, announced);
    const sender = this.senderOf(request);
    const reserved: (() => void)[] = [];
    const release = (): void => reserved.forEach((releaseOne) => releaseOne());
    try {
      if (config.requestPool) reserved.push(config.requestPool.reserve(sender, 1).release);
      const bytes = this.bytes.reserve(sender, announced || bodyLimit!);
      if (announced === 0) this.unannounced.set(request, bytes);
      reserved.push(bytes.release);
      reserved.push(this.awaitBody(request, reply, sender));
    } catch (error) {
      release();
      throw error;
    }
    // A client that has disconnected emits no further close event.
    if (reply.raw.destroyed) release();
    else reply.raw.once('close', release);
  }

  /** Counts the body as arriving until it is complete, and closes the connection when that takes too long. */
  private awaitBody({ raw }: FastifyRequest, reply: FastifyReply, sender: BodySender): () => void {
    const { release } = this.arriving.reserve(sender, 1);
    const timer = setTimeout(() => {
      if (!reply.raw.headersSent) this.unreadable.onClientError(requestTimeout(), raw.socket);
    }, this.bounds.timeoutMs);
    const arrived = (): void => {
      clearTimeout(timer);
      release();
    };
    raw.once('end', arrived);
    return arrived;
  }

  /** All keys of a merchant are one sender. A publishable key is public, so its sender counts as anonymous. */
  private senderOf(request: FastifyRequest): BodySender {
    const merchant = makerOf(request.call);
    if (merchant !== undefined) return { name: `merchant:${merchant}`, isAnonymous: false };
    const address = clientAddress(request.raw, this.proxies);
    return { name: `address:${address}`, isAnonymous: true };
  }
}

const isAnonymous = ({ call }: FastifyRequest): boolean => call.principal === 'public';

/** 0 when the length is not announced. */
function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** The gateway does not read the body of a GET. */
function hasBody(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0;
}
