import {
  hookHeaders,
  hookLimitBytes,
  hookProviderForm,
  hookTokenForm,
  maxHookHeaderLength,
  ProviderHook,
  providerHooksApi,
  ProviderHookTaken,
} from '@tollbridge/contracts';
import { DomainError, feature, operation, type BusClient, type Operation } from '@tollbridge/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';

// All of one provider's come from a few addresses; a shop with ten purchases a second has less.
const hooksPerMinute = 1_000;

/** What these routes are counted as. They are in no document: nobody but providers calls them. */
const { takeHook } = feature('gateway', 'hooks', 'Hooks', {
  takeHook: operation({
    ...{ method: 'POST', path: '/hooks/{provider}', summary: 'Take a webhook of a provider' },
    ...{ input: ProviderHook, output: ProviderHookTaken, errors: ['UNAUTHORIZED', 'NOT_FOUND'] },
    ...{ auth: 'public', callsPerMinute: hooksPerMinute },
  }),
}).operations;

const { receiveHook } = providerHooksApi.operations;

type Params = { provider: string; token?: string };

/**
 * Takes webhooks of providers and passes them on as they came: the service knows their secrets. The answer says that one is
 * genuine (200), is not (401), or that nobody takes such (404).
 */
export function addHookRoutes(
  server: FastifyInstance,
  bus: Pick<BusClient, 'call'>,
  { admit }: { admit: Admit },
): void {
  const onRequest = gate(takeHook as Operation<any, any>, admit);
  const handler = (request: FastifyRequest, reply: FastifyReply) => pass(bus, request, reply);
  void server.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    // Signatures are over these very bytes, whatever type they are said to have.
    const asItCame = { parseAs: 'buffer', bodyLimit: hookLimitBytes } as const;
    hooks.addContentTypeParser('*', asItCame, (_request, body, done) => done(null, body));
    // Providers have no key; the service checks their signatures.
    const config = { style: 'bare', takesAnonymousBodies: true } as const;
    const options = { config, bodyLimit: hookLimitBytes, onRequest };
    hooks.post('/hooks/:provider', options, handler);
    hooks.post('/hooks/:provider/:token', options, handler);
  });
}

async function pass(
  bus: Pick<BusClient, 'call'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { provider, token } = request.params as Params;
  const isOne = hookProviderForm.test(provider) && (token === undefined || hookTokenForm.test(token));
  if (!isOne) throw notTaken();
  const body = ((request.body as Buffer | undefined) ?? Buffer.alloc(0)).toString('base64');
  const headers = signaturesOf(request);
  try {
    const input = { provider, body, ...(headers && { headers }), ...(token !== undefined && { token }) };
    return await reply.send(await bus.call(receiveHook, input, request.call));
  } catch (error) {
    // Nothing that is signed is malformed.
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR')
      throw new DomainError('UNAUTHORIZED', undefined, { cause: error });
    throw error;
  }
}

function signaturesOf({ headers }: FastifyRequest): Record<string, string> | undefined {
  const present = hookHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= maxHookHeaderLength ? [[name, value] as const] : [];
  });
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

const notTaken = (): DomainError =>
  new DomainError('NOT_FOUND', 'No webhook endpoint is configured for this provider. Check the URL.');
