import { Controller, Injectable, type Type } from '@nestjs/common';
import { healthApis, type HealthReply } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { readiness, type ReadinessChecks } from './management-server';

/** The readiness of the app, for its management port and for calls of the gateway. */
@Injectable()
export class Health {
  /** Empty until the app has started. */
  checks: ReadinessChecks = {};

  read(): Promise<HealthReply> {
    return readiness(this.checks);
  }
}

/** The controllers that answer readiness calls for an app; none for apps that answer no calls. */
export function healthHandlersOf(app: string): Type[] {
  const api = healthApis.find((one) => one.app === app);
  if (!api) return [];

  @Controller()
  @Handles(api)
  class HealthHandlers {
    constructor(private readonly health: Health) {}

    readHealth(): Promise<HealthReply> {
      return this.health.read();
    }
  }
  return [HealthHandlers];
}
