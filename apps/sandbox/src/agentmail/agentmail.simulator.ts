import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { domainOf, mailDomains } from '../mail/domains';
import type { MailRepository, StoredMail } from '../mail/mail.repository';
import { rejectDuringOutage } from '../mail/outages';
import { newMailId, type PostOffice } from '../mail/post-office';
import { digestOf, fieldsOf, readAddress, readAddresses, type Fields } from '../mail/read-fields';
import { Outage } from '../simulators/outage';
import { secondsOf, type RequestRate } from '../simulators/request-rate';
import type { ServiceSimulator } from '../simulators/service-simulator';
import type { ProviderHooks } from '../hooks/provider-hooks';
import { addWebhookRoutes, agentmailHooks, sendAgentmailEvent } from './agentmail-hooks';
import { AgentmailRejection, notFound } from './agentmail-rejection';
import type { Inbox, InboxesRepository } from './inboxes.repository';

interface AgentmailParts {
  inboxes: InboxesRepository;
  mails: MailRepository;
  office: PostOffice;
  clock: Clock;
  hooksUrl?: string | undefined;
  rate: RequestRate;
}

/** API key that the simulator accepts. */
export const agentmailKey = 'am_sandbox_7c1e0f9b2d';

const [domain] = mailDomains.agentmail;
const pod = '1b3f6a52-0c5e-4f0a-9d0a-0b7c6a3a2d11';
const usernameForm = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const maxListed = 100;

/** Simulates agent inboxes with the API of api.agentmail.to. */
export class AgentmailSimulator implements ServiceSimulator {
  readonly prefix = '/agentmail';
  readonly outage = new Outage();

  readonly hooks: ProviderHooks;

  constructor(private readonly parts: AgentmailParts) {
    this.hooks = agentmailHooks(parts.clock, parts.hooksUrl);
  }

  stop(): Promise<void> {
    return this.hooks.sender.stop();
  }

  /** Publishes an event for mail to one of the simulator's inboxes. */
  received(mail: StoredMail): void {
    const message = describeMessage(mail, mail.mailbox);
    const { inbox_id, thread_id, labels, timestamp, from, to, subject, preview, size } = message;
    const thread = {
      inbox_id,
      thread_id,
      labels,
      timestamp,
      subject,
      preview,
      size,
      senders: [from],
      recipients: to,
      last_message_id: message.message_id,
      message_count: 1,
      created_at: timestamp,
      updated_at: timestamp,
    };
    sendAgentmailEvent(this.hooks, 'message.received', { message, thread });
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', rejectDuringOutage(this.outage));
    routes.addHook('onRequest', async ({ headers }) => {
      if (headers.authorization !== `Bearer ${agentmailKey}`)
        throw new AgentmailRejection(403, 'ForbiddenError', 'forbidden', 'The API key is not valid.');
    });
    routes.addHook('onRequest', async (_, reply) => {
      const taken = this.parts.rate.take('account');
      if (!taken || taken.isAllowed) return;
      void reply.header('retry-after', secondsOf(taken));
      throw new AgentmailRejection(429, 'RateLimitError', 'rate_limited', 'Too many requests.');
    });
    routes.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
      const isBad = (error.statusCode ?? 500) < 500;
      const rejection =
        error instanceof AgentmailRejection
          ? error
          : new AgentmailRejection(
              isBad ? 400 : 500,
              isBad ? 'ValidationError' : 'ServerError',
              'error',
              'Error',
            );
      const { status, name, code, message, errors } = rejection;
      return reply.code(status).send({ name, code, message, ...(errors && { errors }) });
    });
    routes.setNotFoundHandler(() => {
      throw notFound();
    });
    this.addInboxRoutes(routes);
    this.addMessageRoutes(routes);
    addWebhookRoutes(routes, this.hooks);
  }

  private addInboxRoutes(routes: FastifyInstance): void {
    const { inboxes, mails } = this.parts;
    routes.post('/v0/inboxes', async ({ body }) => describeInbox(await this.create(fieldsOf(body))));
    routes.get('/v0/inboxes', async () => {
      const listed = (await inboxes.list(maxListed)).map(describeInbox);
      return { count: listed.length, limit: maxListed, inboxes: listed };
    });
    routes.get<{ Params: { id: string } }>('/v0/inboxes/:id', async ({ params }) =>
      describeInbox(await this.inboxOf(params.id)),
    );
    routes.delete<{ Params: { id: string } }>('/v0/inboxes/:id', async ({ params }, reply) => {
      const { inboxId } = await this.inboxOf(params.id);
      await inboxes.delete(inboxId);
      await mails.delete(inboxId);
      return reply.code(202).send();
    });
  }

  private addMessageRoutes(routes: FastifyInstance): void {
    const { mails } = this.parts;
    routes.post<{ Params: { id: string } }>('/v0/inboxes/:id/messages/send', async (request) =>
      this.send(await this.inboxOf(request.params.id), request),
    );
    routes.get<{ Params: { id: string } }>('/v0/inboxes/:id/messages', async ({ params }) => {
      const { inboxId } = await this.inboxOf(params.id);
      const { messages, total } = await mails.list(inboxId);
      return { count: total, messages: messages.map((mail) => describeMessage(mail, inboxId)) };
    });
    routes.get<{ Params: { id: string; message: string } }>(
      '/v0/inboxes/:id/messages/:message',
      async ({ params }) => {
        const { inboxId } = await this.inboxOf(params.id);
        const { messages } = await mails.list(inboxId);
        const mail = messages.find(({ content }) => content.messageId === params.message);
        if (!mail) throw notFound();
        return describeMessage(mail, inboxId);
      },
    );
  }

  private async create(body: Fields): Promise<Inbox> {
    const { username = newMailId(), domain: wanted = domain, display_name, client_id, metadata } = body;
    const isText = (value: unknown) =>
      value === undefined || (typeof value === 'string' && value.length <= 256);
    if (typeof username !== 'string' || !usernameForm.test(username))
      throw AgentmailRejection.invalid(['username', 'must hold lower-case letters, digits, dots and dashes']);
    if (wanted !== domain) throw AgentmailRejection.invalid(['domain', 'is not a verified domain']);
    if (!isText(display_name) || !isText(client_id))
      throw AgentmailRejection.invalid(['display_name', 'must be a string']);
    const inbox: Inbox = {
      inboxId: `${username}@${domain}`,
      displayName: (display_name as string | undefined) ?? null,
      clientId: (client_id as string | undefined) ?? null,
      metadata: metadata === undefined ? null : (fieldsOf(metadata) as Record<string, unknown>),
      createdAtMs: this.parts.clock.now(),
    };
    if (await this.parts.inboxes.add(inbox)) return inbox;
    const former = inbox.clientId === null ? undefined : await this.parts.inboxes.ofClient(inbox.clientId);
    if (former) return former;
    throw new AgentmailRejection(403, 'IsTakenError', 'is_taken', 'The inbox is taken.');
  }

  private async send(inbox: Inbox, { body, headers }: FastifyRequest): Promise<object> {
    const fields = fieldsOf(body);
    const [to, cc, bcc] = [fields['to'], fields['cc'], fields['bcc']].map(readAddresses);
    if (!to || to.length === 0 || !cc || !bcc)
      throw AgentmailRejection.invalid(['to', 'must be addresses of e-mail']);
    if (to.some(({ address }) => domainOf(address) === 'example.com'))
      throw new AgentmailRejection(
        403,
        'MessageRejectedError',
        'message_rejected',
        'The recipient is blocked.',
      );
    const key = headers['idempotency-key'];
    const messageId = `<${randomUUID()}@${domain}>`;
    const digest = digestOf(body);
    const content = { messageId, threadId: randomUUID() };
    const call = key === undefined ? null : `${inbox.inboxId} ${String(key)}`;
    const mail = { id: messageId, content, digest, createdAtMs: this.parts.clock.now() };
    const { sent, isNew } = await this.parts.mails.claimSend('agentmail', call, mail);
    if (!sent.digest.equals(digest))
      throw new AgentmailRejection(409, 'ConflictError', 'conflict', 'The key was used for another message.');
    const answer = { message_id: sent.content['messageId'], thread_id: sent.content['threadId'] };
    if (!isNew) return answer;
    const isDelivered = await this.parts.office.send({
      from: { name: inbox.displayName ?? '', address: inbox.inboxId },
      to,
      cc,
      bcc,
      messageId,
      subject: textOf(fields['subject']),
      text: textOf(fields['text']),
      ...(fields['html'] !== undefined && { html: textOf(fields['html']) }),
      ...(readAddress(fields['reply_to']) && { replyTo: readAddress(fields['reply_to'])!.address }),
    });
    await this.parts.mails.recordEvent(sent.id, isDelivered ? 'delivered' : 'bounced');
    this.sent(inbox, answer, { recipients: [...to, ...cc, ...bcc].map((it) => it.address), isDelivered });
    return answer;
  }

  private sent(
    { inboxId: inbox_id }: Inbox,
    answer: object,
    { recipients, isDelivered }: { recipients: string[]; isDelivered: boolean },
  ): void {
    const event = { inbox_id, ...answer, timestamp: new Date(this.parts.clock.now()).toISOString() };
    sendAgentmailEvent(this.hooks, 'message.sent', { send: { ...event, recipients } });
    if (isDelivered)
      return sendAgentmailEvent(this.hooks, 'message.delivered', { delivery: { ...event, recipients } });
    const bounced = recipients.map((address) => ({ address, status: 'bounced' }));
    const bounce = { ...event, type: 'Permanent', sub_type: 'General', recipients: bounced };
    sendAgentmailEvent(this.hooks, 'message.bounced', { bounce });
  }

  private async inboxOf(id: string): Promise<Inbox> {
    const inbox = await this.parts.inboxes.find(id.toLowerCase());
    if (!inbox || domainOf(inbox.inboxId) !== domain) throw notFound();
    return inbox;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function describeInbox({ inboxId, displayName, clientId, metadata, createdAtMs }: Inbox) {
  const at = new Date(createdAtMs).toISOString();
  return {
    pod_id: pod,
    inbox_id: inboxId,
    email: inboxId,
    created_at: at,
    updated_at: at,
    ...(displayName !== null && { display_name: displayName }),
    ...(clientId !== null && { client_id: clientId }),
    ...(metadata !== null && { metadata }),
  };
}

function describeMessage({ id, content, receivedAtMs }: StoredMail, inboxId: string) {
  const { from, to, cc, subject, text, html, size, messageId } = content;
  const at = new Date(receivedAtMs).toISOString();
  const written = (it: { name: string; address: string }) =>
    it.name ? `${it.name} <${it.address}>` : it.address;
  return {
    inbox_id: inboxId,
    thread_id: id,
    message_id: messageId,
    labels: ['received', 'unread'],
    timestamp: at,
    from: written(from),
    to: to.map(written),
    cc: cc.map(written),
    size,
    subject,
    preview: text.slice(0, 120),
    text,
    extracted_text: text,
    created_at: at,
    updated_at: at,
    ...(html !== null && { html, extracted_html: html }),
  };
}
