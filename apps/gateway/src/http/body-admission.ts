import { DomainError, makerOf } from '@tollbridge/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlockList, type Socket } from 'node:net';
import { clientAddress } from '../rate-limit/client-address';
import { BodyRoom, type BodySender, type RoomTaken } from './body-room';

export interface BodyBounds {
  /** Bytes of all bodies that are being read or answered. */
  maxBytes: number;
  /** Bodies that have not arrived yet. */
  maxArriving: number;
  /** Largest JSON body of an anonymous client. */
  maxAnonymousBytes: number;
  /** The gateway closes the connection of a body that takes longer. */
  timeoutMs: number;
  proxies: BlockList;
}

export const bodyBounds: BodyBounds = {
  maxBytes: 128 * 1024 * 1024,
  maxArriving: 2_000,
  maxAnonymousBytes: 64 * 1024,
  timeoutMs: 10_000,
  proxies: new BlockList(),
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Anonymous clients may send bodies as large as those of others. */
    takesAnonymousBodies?: boolean;
    /** What each body of this route takes too, until it is answered. */
    places?: BodyRoom;
  }
}

/**
 * Decides before a body is read whether there is room for it: its bytes are taken from what all bodies share until the
 * request is answered, and a place until the body has arrived.
 */
export class BodyAdmission {
  readonly bytes: BodyRoom;
  readonly arriving: BodyRoom;
  /** Bodies of unannounced length, which took as much as their route allows. */
  private readonly unannounced = new WeakMap<FastifyRequest, RoomTaken>();

  constructor(
    private readonly bounds: BodyBounds,
    private readonly onTimeout: (socket: Socket) => void,
  ) {
    this.bytes = new BodyRoom(bounds.maxBytes);
    this.arriving = new BodyRoom(bounds.maxArriving);
  }

  /** Runs after each route's own admission, which says who calls. */
  addTo(server: FastifyInstance): void {
    server.addHook('preParsing', (request, reply, _payload, done) => {
      try {
        if (hasBody(request)) this.admit(request, reply);
        done();
      } catch (error) {
        // Node reads and drops the rest, so that the client gets the reply; a body without an end is not read.
        if (request.headers['content-length'] === undefined) reply.header('connection', 'close');
        done(error as Error);
      }
    });
    server.addHook('preValidation', (request, _reply, done) => {
      // Its length is known now: what it did not need is for others.
      if (Buffer.isBuffer(request.body)) this.unannounced.get(request)?.shrinkTo(request.body.length);
      done();
    });
  }

  /** For a parser that has read a body without `content-length`. */
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
    // Refused by its length where it is parsed.
    if (announced > bodyLimit!) return;
    this.checkLength(request, announced);
    const sender = this.senderOf(request);
    const taken: (() => void)[] = [];
    const giveBack = (): void => taken.forEach((one) => one());
    try {
      if (config.places) taken.push(config.places.take(sender, 1).giveBack);
      const bytes = this.bytes.take(sender, announced || bodyLimit!);
      if (announced === 0) this.unannounced.set(request, bytes);
      taken.push(bytes.giveBack);
      taken.push(this.await(request, reply, sender));
    } catch (error) {
      giveBack();
      throw error;
    }
    // A client that hung up meanwhile emits no further close.
    if (reply.raw.destroyed) giveBack();
    else reply.raw.once('close', giveBack);
  }

  /** Takes a place until the body has arrived, and hangs up when that takes too long. */
  private await({ raw }: FastifyRequest, reply: FastifyReply, sender: BodySender): () => void {
    const { giveBack: leave } = this.arriving.take(sender, 1);
    const timer = setTimeout(() => {
      if (!reply.raw.headersSent) this.onTimeout(raw.socket);
    }, this.bounds.timeoutMs);
    const arrived = (): void => {
      clearTimeout(timer);
      leave();
    };
    raw.once('end', arrived);
    return arrived;
  }

  /** All keys of a merchant are one sender. A publishable key stands in web pages, so it is as good as none. */
  private senderOf(request: FastifyRequest): BodySender {
    const merchant = makerOf(request.call);
    if (merchant !== undefined) return { name: `merchant:${merchant}`, isAnonymous: false };
    const address = clientAddress(request.raw, this.bounds.proxies);
    return { name: `address:${address}`, isAnonymous: true };
  }
}

const isAnonymous = ({ call }: FastifyRequest): boolean => call.principal === 'public';

/** 0 where the length is not announced. */
function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** The gateway does not read the body of a GET. */
function hasBody(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0;
}
