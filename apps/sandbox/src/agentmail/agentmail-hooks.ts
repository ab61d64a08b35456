import type { Clock } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { standardHeaders } from '../hooks/hook-signatures';
import { isHookUrl, ProviderHooks, type HookEndpoint } from '../hooks/provider-hooks';
import { hookSecrets } from '../hooks/sandbox-secrets';
import { fieldsOf, type Fields } from '../mail/read-fields';
import { AgentmailRejection, notFound } from './agentmail-rejection';

export function agentmailHooks(clock: Clock, hooksUrl: string | undefined): ProviderHooks {
  const configured = hooksUrl ? { url: `${hooksUrl}/agentmail`, secret: hookSecrets.agentmail } : undefined;
  return new ProviderHooks({
    clock,
    sign: (secret, hook) => standardHeaders('svix', secret, hook),
    configured,
  });
}

/**
 * Sends an event to the registered webhooks.
 * @param content the only member besides the name of the event
 */
export function sendAgentmailEvent(hooks: ProviderHooks, event_type: string, content: object): void {
  hooks.send(event_type, { type: 'event', event_type, event_id: randomUUID(), ...content });
}

export function addWebhookRoutes(routes: FastifyInstance, hooks: ProviderHooks): void {
  routes.post('/v0/webhooks', ({ body }) => describe(register(hooks, fieldsOf(body))));
  routes.get('/v0/webhooks', () => {
    const listed = hooks.list().map(describe);
    return { count: listed.length, limit: listed.length, webhooks: listed };
  });
  routes.get<{ Params: { id: string } }>('/v0/webhooks/:id', ({ params }) => {
    const found = hooks.find(params.id);
    if (!found) throw notFound();
    return describe(found);
  });
  routes.delete<{ Params: { id: string } }>('/v0/webhooks/:id', async ({ params }, reply) => {
    if (!hooks.remove(params.id)) throw notFound();
    return reply.code(204).send();
  });
}

/** Registers a webhook. The same `client_id` returns the same webhook. */
function register(hooks: ProviderHooks, { url, event_types: types, client_id: key }: Fields): HookEndpoint {
  if (!isHookUrl(url)) throw AgentmailRejection.invalid(['url', 'must be a URL']);
  if (!Array.isArray(types) || types.length === 0)
    throw AgentmailRejection.invalid(['event_types', 'must be a list of types']);
  const made = hooks.register(url, types.map(String), typeof key === 'string' ? key : undefined);
  if (!made) throw AgentmailRejection.invalid(['url', 'is one too many']);
  return made;
}

function describe({ id, url, secret, events, createdAtMs }: HookEndpoint): object {
  const at = new Date(createdAtMs).toISOString();
  return {
    webhook_id: id,
    url,
    secret,
    event_types: events,
    enabled: true,
    created_at: at,
    updated_at: at,
  };
}
