import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ServiceConfig, ServiceLogger, Stopping, stopTimesOf } from '@tollbridge/bootstrap';
import { loadConfig } from '@tollbridge/config';
import {
  BusClient,
  BusConnection,
  BusWatch,
  developmentIdentity,
  EventVerifier,
  type CallContext,
  type FirstAnswer,
  type Operation,
} from '@tollbridge/rpc';
import { Metrics, openAccessLog, type Logger } from '@tollbridge/observability';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Admission } from '../auth/admission';
import { AdmissionHook } from '../auth/admission-hook';
import { ClientAddressModule } from '../client-address/client-address.module';
import { settings, type GatewayConfig } from '../config';
import { BodyAdmission, type BodyBounds } from '../http/body-admission';
import { fastifyOf, GatewayAdapter, type HttpLimits } from '../http/gateway-adapter';
import { HttpModule } from '../http/http.module';
import { OperationsModule } from '../operations/operations.module';
import { ForwardingWarning } from '../rate-limit/forwarding-warning';
import { OperationLimits } from '../rate-limit/operation-limits';
import type { GatewayRoute } from '../routes/gateway-route';
import { operationRoutes } from '../routes/gateway-routes';
import { RoutesModule } from '../routes/routes.module';
import { samplesApi } from './sample.api';

export interface BusCall {
  operation: Operation;
  json: string;
  context: CallContext;
}

export const samplePublicUrl = 'https://gateway.example';

/** The fields with ids in every failure, for a test that compares a whole body. */
export const failureIds = (code: string) => ({
  request_id: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/) as string,
  documentation_url: `${samplePublicUrl}/docs/errors#${code}`,
});

export interface HarnessOptions extends Pick<ModuleMetadata, 'imports' | 'controllers' | 'providers'> {
  /** Routes in addition to the sample operations. */
  routes?: readonly GatewayRoute[];
  limits?: Partial<HttpLimits>;
  bodies?: Partial<BodyBounds>;
  config?: Partial<GatewayConfig>;
  /** Registers routes on Fastify when the modules are initialised. */
  register?: (server: FastifyInstance) => void;
  /** Replaces `BusClient.call`. The sample operations use `callBytes`. */
  call?: (operation: never, input: never, context: CallContext) => Promise<unknown>;
  /** Replaces the connection to the bus. */
  bus?: unknown;
  /** Replaces the watch of the connection, which reports a healthy one. */
  busWatch?: { isHealthy: boolean };
}

/**
 * The gateway's HTTP server as a Nest application, with the sample operations, a fake bus, and the modules under test.
 */
export class GatewayHarness {
  readonly calls: BusCall[] = [];
  readonly logged: Record<string, unknown>[] = [];
  readonly metrics = new Metrics('gateway');
  stopping!: Stopping;
  readonly logger: Logger = pino({}, { write: (line) => this.logged.push(JSON.parse(line)) });
  app!: NestFastifyApplication;
  /** The reply of the service as JSON text, or an error. */
  answer: (call: BusCall) => Promise<string> = async () => '{"id":"sample-1"}';
  /** The outcome of the first call with an idempotency key. */
  first: FirstAnswer | undefined;
  /** Returns the cursor of the next page for the input of the call. */
  nextCursorOf: (json: string) => string | undefined = () => undefined;
  /** Returns the limit that the service used for the input of the call. */
  limitOf: (json: string) => number | undefined = () => undefined;
  /** Called when the services must answer calls that end with their caller. */
  endWaitingCalls: () => void = () => undefined;
  /** Admits every request, unless a test replaces it. */
  admit: Admission['admit'] = () => undefined;

  static async open(options: HarnessOptions = {}): Promise<GatewayHarness> {
    const harness = new GatewayHarness();
    const adapter = new GatewayAdapter(options.limits);
    harness.app = await NestFactory.create<NestFastifyApplication>(harness.moduleOf(options), adapter, {
      bodyParser: false,
      logger: false,
      abortOnError: false,
    });
    await harness.app.init();
    return harness;
  }

  get server(): FastifyInstance {
    return this.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  }

  get bodies(): BodyAdmission {
    return this.app.get(BodyAdmission, { strict: false });
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  async listen(): Promise<number> {
    await this.app.listen(0, '127.0.0.1');
    return (this.server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Sends a request without a network, directly to the server's handler. */
  send(
    method: string,
    url: string,
    { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
  ) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: body };
    return this.server.inject({ method: method as 'GET', url, headers: { ...type, ...headers }, ...payload });
  }

  private moduleOf(options: HarnessOptions): DynamicModule {
    const { imports = [], controllers = [], providers = [], routes = [], bodies = {}, register } = options;
    const registration = {
      provide: 'registration',
      useFactory: (host: HttpAdapterHost) => ({ onModuleInit: () => register?.(fastifyOf(host)) }),
      inject: [HttpAdapterHost],
    };
    const admission = { admit: (...given: Parameters<Admission['admit']>) => this.admit(...given) };
    const writeAccess = openAccessLog('gateway', 'info', (line) => this.logged.push(JSON.parse(line)));
    return {
      module: HarnessModule,
      imports: [
        this.platformOf(options),
        RoutesModule.forRoot(() => [...operationRoutes(samplesApi), ...routes]),
        HttpModule.forRoot({ bodyBounds: bodies, writeAccess }),
        ClientAddressModule,
        OperationsModule,
        ...imports,
      ],
      controllers,
      providers: [
        { provide: Admission, useValue: admission },
        { provide: OperationLimits, useValue: { count: () => undefined } },
        ForwardingWarning,
        AdmissionHook,
        registration,
        ...providers,
      ],
    };
  }

  private platformOf({
    config = {},
    call,
    bus = {},
    busWatch = { isHealthy: true },
  }: HarnessOptions): DynamicModule {
    const env = {
      TOLLBRIDGE_ENV: 'sandbox',
      GATEWAY_NATS_URL: 'nats://127.0.0.1:1',
      GATEWAY_REDIS_URL: 'redis://127.0.0.1:1',
    };
    const defaults = { ...loadConfig(settings, env), GATEWAY_PUBLIC_URL: samplePublicUrl };
    this.stopping = new Stopping(stopTimesOf(config));
    const busClient = {
      call,
      endWaitingCalls: () => this.endWaitingCalls(),
      callBytes: (operation: Operation, input: Uint8Array, context: CallContext) =>
        this.callBytes(operation, input, context),
    };
    const providers = [
      { provide: ServiceConfig, useValue: { ...defaults, ...config } },
      { provide: ServiceLogger, useValue: this.logger },
      { provide: Metrics, useValue: this.metrics },
      { provide: BusClient, useValue: busClient },
      { provide: BusConnection, useValue: bus },
      { provide: BusWatch, useValue: busWatch },
      { provide: EventVerifier, useValue: new EventVerifier(developmentIdentity('gateway')) },
      { provide: Stopping, useValue: this.stopping },
    ];
    return { module: PlatformModule, global: true, providers, exports: providers };
  }

  private async callBytes(operation: Operation, input: Uint8Array, context: CallContext) {
    const call = { operation, json: Buffer.from(input).toString(), context };
    this.calls.push(call);
    return {
      bytes: Buffer.from(await this.answer(call)),
      first: this.first,
      page: { next: this.nextCursorOf(call.json), limit: this.limitOf(call.json) },
    };
  }
}

@Module({})
class HarnessModule {}

@Module({})
class PlatformModule {}
