import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  hookHeaders,
  hookLimitBytes,
  hookProviderForm,
  hookTokenForm,
  maxHookHeaderLength,
  providerHooksApi,
} from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fastifyOf } from '../http/gateway-adapter';
import { patternOf } from '../routes/route-table';
import { providerHookRoutes } from './provider-hooks.routes';

const { receiveHook } = providerHooksApi.operations;

interface PathFields {
  provider: string;
  token?: string;
}

/**
 * Forwards webhooks of providers unchanged. service-api verifies their signatures, which cover these bytes. A separate
 * Fastify plugin, because it accepts bodies of every media type.
 */
@Injectable()
export class ProviderHooksRoute implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly bus: BusClient,
  ) {}

  onModuleInit(): void {
    void fastifyOf(this.host).register(async (server) => {
      server.removeAllContentTypeParsers();
      const parsing = { parseAs: 'buffer', bodyLimit: hookLimitBytes } as const;
      server.addContentTypeParser('*', parsing, (_request, body, done) => done(null, body));
      // Providers have no API key.
      const options = { config: { takesAnonymousBodies: true }, bodyLimit: hookLimitBytes };
      for (const { declaration } of providerHookRoutes)
        server.post(patternOf(declaration.path), options, (request, reply) => this.forward(request, reply));
    });
  }

  private async forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { provider, token } = request.params as PathFields;
    const isValid = hookProviderForm.test(provider) && (token === undefined || hookTokenForm.test(token));
    if (!isValid) throw notConfigured();
    const body = ((request.body as Buffer | undefined) ?? Buffer.alloc(0)).toString('base64');
    const headers = signatureHeadersOf(request);
    try {
      const input = { provider, body, ...(headers && { headers }), ...(token !== undefined && { token }) };
      return await reply.send(await this.bus.call(receiveHook, input, request.call));
    } catch (error) {
      // A malformed webhook has no valid signature.
      if (error instanceof DomainError && error.code === 'VALIDATION_ERROR')
        throw new DomainError('UNAUTHORIZED', undefined, { cause: error });
      throw error;
    }
  }
}

function signatureHeadersOf({ headers }: FastifyRequest): Record<string, string> | undefined {
  const present = hookHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= maxHookHeaderLength ? [[name, value] as const] : [];
  });
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

const notConfigured = (): DomainError =>
  new DomainError('NOT_FOUND', 'No webhook endpoint is configured for this provider. Check the URL.');
