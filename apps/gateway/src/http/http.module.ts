import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { openAccessLog } from '@tollbridge/observability';
import { ClientAddressModule } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { BodyAdmission, BodyBounds, bodyBoundsOf } from './body-admission';
import { ConnectionBound } from './connection-bound';
import { FailureFilter, FailureReplies } from './failure-replies';
import { GracefulStop } from './graceful-stop';
import { JsonBodies } from './json-bodies';
import { RepliesInProgress } from './replies-in-progress';
import { RequestHooks } from './request-hooks';
import { AccessLog, RequestLog } from './request-log';
import { UnreadableRequests } from './unreadable-requests';

export interface HttpModuleOptions {
  /** Overrides the limits of the configuration. */
  bodyBounds?: Partial<BodyBounds>;
  /** Replaces the access log on the standard output. */
  writeAccess?: ReturnType<typeof openAccessLog>;
}

/**
 * The parts that all routes share. The hooks of a request run in this order:
 * - `RequestHooks`: onRequest of the server
 * - admission: onRequest of the route, see `AuthModule`
 * - `BodyAdmission`: preParsing
 * - `JsonBodies`: the parser, then the handler
 */
@Module({})
export class HttpModule {
  static forRoot({ bodyBounds, writeAccess }: HttpModuleOptions = {}): DynamicModule {
    const bounds = {
      provide: BodyBounds,
      useFactory: (config: GatewayConfig) => ({ ...bodyBoundsOf(config), ...bodyBounds }),
      inject: [ServiceConfig],
    };
    const accessLog = { provide: AccessLog, useFactory: () => writeAccess ?? openAccessLog('gateway') };
    return {
      module: HttpModule,
      global: true,
      imports: [ClientAddressModule],
      providers: [
        bounds,
        accessLog,
        { provide: APP_FILTER, useClass: FailureFilter },
        BodyAdmission,
        ConnectionBound,
        FailureReplies,
        GracefulStop,
        JsonBodies,
        RepliesInProgress,
        RequestHooks,
        RequestLog,
        UnreadableRequests,
      ],
      exports: [BodyAdmission, FailureReplies, GracefulStop, RepliesInProgress],
    };
  }
}
