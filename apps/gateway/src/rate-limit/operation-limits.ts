import { Inject, Injectable } from '@nestjs/common';
import { keyIdOf } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { clientAddress } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';
import type { AdmissionRule } from '../routes/admission-rule';
import { RateLimiter } from './rate-limiter';

/** The limit of a single route (`callsPerMinute`), in addition to the limit of all calls of a client. */
@Injectable()
export class OperationLimits {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
  ) {}

  /** Undefined when the call is not counted. Calls with a key have only the limit of their plan. */
  count(rule: AdmissionRule, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { callsPerMinute: perMinute, subject } = rule;
    if (perMinute === undefined || keyIdOf(request.call) !== undefined) return undefined;
    const bucket = `address:${clientAddress(request.raw, this.proxies)}:${subject}`;
    return this.limiter.count(rule, reply, {
      policy: 'operation',
      bucket,
      rate: { perMinute, burst: perMinute },
    });
  }
}
