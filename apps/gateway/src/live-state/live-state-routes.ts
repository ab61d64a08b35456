import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { streamHeartbeatSeconds } from '@tollbridge/contracts';
import { Metrics } from '@tollbridge/observability';
import { decode, DomainError, uuidOf } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList, Socket } from 'node:net';
import { clientAddress } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { fastifyOf } from '../http/gateway-adapter';
import { GracefulStop } from '../http/graceful-stop';
import { RepliesInProgress } from '../http/replies-in-progress';
import { queryReader } from '../operations/input-readers';
import type { OwnRoute } from '../routes/gateway-route';
import { patternOf } from '../routes/route-table';
import { BeatWheel } from './beat-wheel';
import { EventStream, type StreamHooks } from './event-stream';
import { Feeds } from './feeds';
import { followOrder, followPayment, type FollowQuery } from './live-state.routes';
import { liveOrder, livePayment, type LiveResource } from './resource';
import { StreamSlots } from './stream-slots';

const heartbeatMs = streamHeartbeatSeconds * 1_000;

/** Streams the state of orders and payments as server-sent events. */
@Injectable()
export class LiveStateRoutes implements OnModuleInit, OnModuleDestroy {
  private readonly streams = new Set<EventStream>();
  private readonly wheel = new BeatWheel<EventStream>(heartbeatMs);
  private readonly slots: StreamSlots;
  private readonly messages;
  private readonly slowReaders;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly feeds: Feeds,
    private readonly stopping: GracefulStop,
    private readonly replies: RepliesInProgress,
    metrics: Metrics,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
    @Inject(ServiceConfig)
    config: Pick<GatewayConfig, 'GATEWAY_MAX_EVENT_STREAMS' | 'GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS'>,
  ) {
    this.slots = new StreamSlots({
      maxStreams: config.GATEWAY_MAX_EVENT_STREAMS,
      maxPerAddress: config.GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS,
    });
    metrics.gauge('tollbridge_gateway_event_streams', 'Open streams of server-sent events', [], (gauge) =>
      gauge.set(this.streams.size),
    );
    this.messages = metrics.counter(
      'tollbridge_gateway_event_stream_messages_total',
      'States of orders and payments sent to event streams',
      ['event'],
    );
    this.slowReaders = metrics.counter(
      'tollbridge_gateway_event_streams_slow_total',
      'Event streams that ended because their clients read too slowly',
    );
  }

  onModuleInit(): void {
    this.register(followOrder, liveOrder);
    this.register(followPayment, livePayment);
  }

  /** Ends the streams, because closing the server waits for their connections. */
  onModuleDestroy(): void {
    for (const stream of this.streams) stream.stop();
  }

  private register({ declaration }: OwnRoute, resource: LiveResource): void {
    const inputOf = queryReader(declaration);
    const messages = this.messages.labels(resource.name);
    const hooks: StreamHooks = {
      isAlone: (request) => this.replies.count(request.raw.socket) === 1,
      onOpened: (stream, socket) => this.add(stream, socket),
      onClosed: (stream) => this.remove(stream),
      onMessage: () => messages.inc(),
      onSlowReader: () => this.slowReaders.inc(),
    };
    // Not a controller, because Nest always adds a HEAD route, which would open a stream.
    fastifyOf(this.host).get(patternOf(declaration.path), { exposeHeadRoute: false }, (request, reply) => {
      const read = decode<FollowQuery>(declaration.input, JSON.parse(inputOf(request).toString()));
      if (!read.ok) throw DomainError.invalid(read.errors);
      this.follow(resource, read.value, request, reply, hooks);
    });
  }

  /** The stream answers the request when the state is read. */
  private follow(
    resource: LiveResource,
    { id, last_event_id: clientHas }: FollowQuery,
    request: FastifyRequest,
    reply: FastifyReply,
    hooks: StreamHooks,
  ): void {
    if (this.stopping.isStopping)
      throw new DomainError('SERVICE_UNAVAILABLE', undefined, { retryAfterSeconds: 1 });
    const { raw } = reply;
    // A client that disconnected during admission emits no further close event.
    if (raw.destroyed) return void reply.hijack();
    const address = clientAddress(request.raw, this.proxies);
    this.slots.take(address);
    const stream = new EventStream(reply, address, clientHas, hooks);
    // Emitted after a failure, and when the stream has detached the connection from the request.
    raw.once('close', () => {
      if (!stream.isOpen) this.remove(stream);
    });
    stream.feed = this.feeds.join(resource, uuidOf(id) ?? id, stream);
  }

  private add(stream: EventStream, socket: Socket): void {
    this.replies.goesOn(socket);
    stream.slot = this.wheel.join(stream);
    this.streams.add(stream);
    // The process began to stop while the state was read.
    if (this.stopping.isStopping) stream.stop();
  }

  private remove(stream: EventStream): void {
    this.slots.release(stream.address);
    if (stream.feed) this.feeds.leave(stream.feed, stream);
    if (this.streams.delete(stream)) this.wheel.leave(stream, stream.slot!);
  }
}
