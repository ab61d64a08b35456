import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { fastifyOf } from '../http/gateway-adapter';
import { ForwardingWarning } from '../rate-limit/forwarding-warning';
import { OperationLimits } from '../rate-limit/operation-limits';
import type { AdmissionRule } from '../routes/admission-rule';
import { RouteTable } from '../routes/route-table';
import { Admission } from './admission';

/**
 * Admits each request of an admitted route in an onRequest hook of the route. The hook runs after the onRequest hooks
 * of the server and before the body is read. A Nest guard would run after the body is read.
 */
@Injectable()
export class AdmissionHook {
  constructor(
    host: HttpAdapterHost,
    table: RouteTable,
    private readonly admission: Admission,
    private readonly operationLimits: OperationLimits,
    private readonly forwardingWarning: ForwardingWarning,
  ) {
    // Registered in the constructor, because Nest registers the routes of controllers before onModuleInit.
    fastifyOf(host).addHook('onRoute', (options) => {
      const route = table.find(String(options.method), options.url);
      if (!route || (route.kind === 'own' && !route.isAdmitted)) return;
      options.onRequest = [options.onRequest ?? [], this.hookOf(route.declaration)].flat();
    });
  }

  /** Most requests are admitted synchronously. Only requests that have to wait cost a promise. */
  private hookOf(rule: AdmissionRule): onRequestHookHandler {
    return (request, reply, done) => {
      try {
        this.forwardingWarning.check(request.raw);
        const admitted = this.admit(rule, request, reply);
        if (admitted) admitted.then(() => done(), done);
        else done();
      } catch (error) {
        done(error as Error);
      }
    };
  }

  private admit(rule: AdmissionRule, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const admitted = this.admission.admit(rule, request, reply);
    if (rule.callsPerMinute === undefined) return admitted;
    return Promise.resolve(admitted).then(() => this.operationLimits.count(rule, request, reply));
  }
}
