import type { Clock } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import { standardHeaders } from '../hooks/hook-signatures';
import { isHookUrl, ProviderHooks, type HookEndpoint } from '../hooks/provider-hooks';
import { hookSecrets } from '../hooks/sandbox-secrets';
import type { StoredMail } from '../mail/mail.repository';
import { fieldsOf } from '../mail/read-fields';
import { ResendRejection } from './resend-rejection';

export function resendHooks(clock: Clock, hooksUrl: string | undefined): ProviderHooks {
  const configured = hooksUrl ? { url: `${hooksUrl}/resend`, secret: hookSecrets.resend } : undefined;
  return new ProviderHooks({
    clock,
    sign: (secret, hook) => standardHeaders('svix', secret, hook),
    configured,
  });
}

export function addWebhookRoutes(routes: FastifyInstance, hooks: ProviderHooks): void {
  takeEmptyBodies(routes);
  routes.post('/webhooks', ({ body }) => {
    const { endpoint, events } = fieldsOf(body);
    if (!isHookUrl(endpoint) || !Array.isArray(events) || events.length === 0)
      throw new ResendRejection(422, 'validation_error', 'The endpoint must be a URL, and events a list.');
    const made = hooks.register(endpoint, events.map(String));
    if (!made) throw new ResendRejection(422, 'validation_error', 'Too many webhooks.');
    return { object: 'webhook', id: made.id, signing_secret: made.secret };
  });
  routes.get('/webhooks', () => ({ object: 'list', has_more: false, data: hooks.list().map(describe) }));
  routes.get<{ Params: { id: string } }>('/webhooks/:id', ({ params }) => {
    const found = hooks.find(params.id);
    if (!found) throw notFound();
    return { object: 'webhook', ...describe(found), signing_secret: found.secret };
  });
  routes.delete<{ Params: { id: string } }>('/webhooks/:id', ({ params: { id } }) => {
    if (!hooks.remove(id)) throw notFound();
    return { object: 'webhook', id, deleted: true };
  });
}

/** Accepts an empty JSON body, because the SDK sends a content type even without a body. */
function takeEmptyBodies(routes: FastifyInstance): void {
  routes.removeContentTypeParser('application/json');
  routes.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string));
    } catch {
      done(new ResendRejection(422, 'validation_error', 'The request body is not valid.'));
    }
  });
}

/** Sends received mail without its text, which clients fetch by id. */
export function sendReceivedEvent(
  hooks: ProviderHooks,
  { id, mailbox, content, receivedAtMs }: StoredMail,
): void {
  const created_at = new Date(receivedAtMs).toISOString();
  const written = (list: { address: string }[]): string[] => list.map(({ address }) => address);
  hooks.send('email.received', {
    type: 'email.received',
    created_at,
    data: {
      email_id: id,
      created_at,
      from: content.from.address,
      to: written(content.to),
      cc: written(content.cc),
      bcc: [],
      received_for: [mailbox],
      message_id: content.messageId,
      subject: content.subject,
      attachments: [],
    },
  });
}

const notFound = (): ResendRejection => new ResendRejection(404, 'not_found', 'Webhook not found');

const describe = ({ id, url, events, createdAtMs }: HookEndpoint): object => ({
  id,
  endpoint: url,
  events,
  status: 'enabled',
  created_at: new Date(createdAtMs).toISOString(),
});
