import type { BusClient, CallContext, FirstAnswer, Operation } from '@tollbridge/rpc';
import { Metrics, openAccessLog, type Logger } from '@tollbridge/observability';
import type { FastifyInstance } from 'fastify';
import { BlockList } from 'node:net';
import pino from 'pino';
import type { Admit } from '../http/admission';
import { bodyBounds, type BodyBounds } from '../http/body-admission';
import { addOperationRoutes } from '../http/operation-routes';
import { httpLimits, PublicServer, type HttpLimits } from '../http/server';
import { idempotencyKeys } from '../idempotency/idempotency-key';
import { samplesApi } from './sample.api';

export interface BusCall {
  operation: Operation;
  json: string;
  context: CallContext;
}

export const samplePublicUrl = 'https://gateway.example';

/** What each failure says besides, for a test that compares a whole body. */
export const failureIds = (code: string) => ({
  request_id: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/) as string,
  documentation_url: `${samplePublicUrl}/docs/errors#${code}`,
});

/** The public server with the sample operations, in front of a bus that the test plays. */
export class SampleFront {
  readonly calls: BusCall[] = [];
  readonly logged: Record<string, unknown>[] = [];
  readonly metrics = new Metrics('gateway');
  readonly logger: Logger;
  readonly front: PublicServer;
  /** What the service answers: JSON as it is, or an error. */
  answer: (call: BusCall) => Promise<string> = async () => '{"id":"sample-1"}';
  /** How a call with an idempotency key was answered. */
  first: FirstAnswer | undefined;
  /** The cursor of the next page, by the input of the call. */
  nextCursorOf: (json: string) => string | undefined = () => undefined;
  /** The limit that the service used, by the input of the call. */
  limitOf: (json: string) => number | undefined = () => undefined;
  /** Who is let in: everybody, unless a test says otherwise. */
  admit: Admit = () => undefined;

  constructor(limits: Partial<HttpLimits> = {}, bodies: Partial<BodyBounds> = {}) {
    const logger = (this.logger = pino({}, { write: (line) => this.logged.push(JSON.parse(line)) }));
    const writeAccess = openAccessLog('gateway', 'info', (line) => this.logged.push(JSON.parse(line)));
    const { metrics } = this;
    this.front = new PublicServer(
      { logger, writeAccess, metrics, publicUrl: samplePublicUrl },
      { ...httpLimits, ...limits },
      { ...bodyBounds, ...bodies },
    );
    const callBytes = (async (operation: Operation, bytes: Uint8Array, context: CallContext) => {
      const call = { operation, json: Buffer.from(bytes).toString(), context };
      this.calls.push(call);
      return {
        bytes: Buffer.from(await this.answer(call)),
        first: this.first,
        page: { next: this.nextCursorOf(call.json), limit: this.limitOf(call.json) },
      };
    }) as BusClient['callBytes'];
    const admit: Admit = (...request) => this.admit(...request);
    addOperationRoutes(this.server, [samplesApi], { callBytes }, admit, idempotencyKeys(new BlockList()));
  }

  get server(): FastifyInstance {
    return this.front.fastify;
  }

  /** Sends without a network: the request goes straight to the server's handler. */
  send(
    method: string,
    url: string,
    { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
  ) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: body };
    return this.server.inject({ method: method as 'GET', url, headers: { ...type, ...headers }, ...payload });
  }
}
