import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { logFields } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { asDomainError, failureText } from '../http/replies';

/** The fields of a failure in the format of the API. */
export interface FailureFields {
  code: string;
  error: string;
}

/** Formats failures without a route like failures of the API. Causes are only logged. */
@Injectable()
export class McpFailures {
  constructor(
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  describe(thrown: unknown, { call }: FastifyRequest): FailureFields {
    const failure = asDomainError(thrown);
    if (failure.code === 'INTERNAL_ERROR')
      this.logger.error({ ...logFields(call), err: failure }, 'MCP call failed');
    const context = { requestId: call.requestId, publicUrl: this.config.GATEWAY_PUBLIC_URL };
    return JSON.parse(failureText('bare', failure, context)) as FailureFields;
  }
}
