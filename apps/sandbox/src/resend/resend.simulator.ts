import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { domainOf, mailDomains } from '../mail/domains';
import type { MailRepository, SentMail, StoredMail } from '../mail/mail.repository';
import { rejectDuringOutage } from '../mail/outages';
import type { PostOffice } from '../mail/post-office';
import { digestOf, fieldsOf, readAddress, readAddresses, type Fields } from '../mail/read-fields';
import { Outage } from '../simulators/outage';
import { secondsOf, type RequestRate } from '../simulators/request-rate';
import type { ServiceSimulator } from '../simulators/service-simulator';
import type { ProviderHooks } from '../hooks/provider-hooks';
import { addWebhookRoutes, resendHooks, sendReceivedEvent } from './resend-hooks';
import { ResendRejection } from './resend-rejection';

interface ResendParts {
  mails: MailRepository;
  office: PostOffice;
  clock: Clock;
  hooksUrl?: string | undefined;
  rate: RequestRate;
}

/** API key that the simulator accepts. */
export const resendKey = 're_sandbox_4f9a1c7e20';

const reservedForExamples = ['example.com', 'example.org', 'example.net'];
const maxRecipients = 50;
const maxBatch = 100;
const maxKeyLength = 256;

/** Simulates mail from a custom domain with the API of api.resend.com. */
export class ResendSimulator implements ServiceSimulator {
  readonly prefix = '/resend';
  readonly outage = new Outage();

  readonly hooks: ProviderHooks;

  constructor(private readonly parts: ResendParts) {
    this.hooks = resendHooks(parts.clock, parts.hooksUrl);
  }

  stop(): Promise<void> {
    return this.hooks.sender.stop();
  }

  /** Publishes an event for mail that arrived at its domain. */
  received(mail: StoredMail): void {
    sendReceivedEvent(this.hooks, mail);
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', rejectDuringOutage(this.outage));
    routes.addHook('onRequest', async ({ headers }) => checkHeaders(headers));
    routes.addHook('onRequest', async (_, reply) => countRequest(this.parts.rate, reply));
    routes.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
      const rejection =
        error instanceof ResendRejection
          ? error
          : (error.statusCode ?? 500) < 500
            ? new ResendRejection(422, 'validation_error', 'The request body is not valid.')
            : new ResendRejection(500, 'application_error', 'An unexpected error occurred.');
      const { statusCode, name, message } = rejection;
      return reply.code(statusCode).send({ statusCode, name, message });
    });
    routes.setNotFoundHandler(() => {
      throw new ResendRejection(404, 'not_found', 'The requested endpoint does not exist');
    });
    routes.post('/emails', async (request) => ({
      id: await this.send(fieldsOf(request.body), keyOf(request)),
    }));
    routes.post('/emails/batch', async (request) => {
      const { body } = request;
      if (!Array.isArray(body) || body.length === 0 || body.length > maxBatch)
        throw new ResendRejection(
          422,
          'validation_error',
          `The body must be a list of 1 to ${maxBatch} emails.`,
        );
      body.forEach((item) => readMail(fieldsOf(item)));
      const key = keyOf(request);
      const data: { id: string }[] = [];
      for (const [place, item] of body.entries())
        data.push({ id: await this.send(fieldsOf(item), key && `${key} ${place}`) });
      return { data };
    });
    routes.get<{ Params: { id: string } }>('/emails/:id', async ({ params }) => {
      const sent = await this.parts.mails.findSent('resend', params.id);
      if (!sent) throw new ResendRejection(404, 'not_found', 'Email not found');
      return describe(sent);
    });
    addWebhookRoutes(routes, this.hooks);
  }

  private async send(body: Fields, key: string | undefined): Promise<string> {
    const mail = readMail(body);
    const { from, to, cc, bcc } = mail;
    const digest = digestOf(body);
    const written = (list: { address: string }[]): string[] => list.map(({ address }) => address);
    const content = {
      from: body['from'],
      to: written(to),
      cc: written(cc),
      bcc: written(bcc),
      subject: mail.subject,
      text: mail.text ?? null,
      html: mail.html ?? null,
    };
    const record = { id: randomUUID(), content, digest, createdAtMs: this.parts.clock.now() };
    const { sent, isNew } = await this.parts.mails.claimSend('resend', key ?? null, record);
    if (!sent.digest.equals(digest))
      throw new ResendRejection(
        409,
        'invalid_idempotent_request',
        'This idempotency key has been used already with another request body.',
      );
    if (!isNew) return sent.id;
    const isDelivered = await this.parts.office.send({
      from,
      to,
      cc,
      bcc,
      subject: mail.subject,
      messageId: `<${sent.id}@${domainOf(from.address)}>`,
      ...(mail.text !== undefined && { text: mail.text }),
      ...(mail.html !== undefined && { html: mail.html }),
      ...(mail.replyTo.length > 0 && { replyTo: mail.replyTo }),
    });
    await this.parts.mails.recordEvent(sent.id, isDelivered ? 'delivered' : 'bounced');
    this.sendEvent('email.sent', sent);
    if (isDelivered) this.sendEvent('email.delivered', sent);
    else
      this.sendEvent('email.bounced', sent, {
        bounce: { message: 'Rejected', type: 'Permanent', subType: 'General' },
      });
    return sent.id;
  }

  private sendEvent(type: string, { id, content, createdAtMs }: SentMail, more: object = {}): void {
    const created_at = new Date(createdAtMs).toISOString();
    const { from, to, subject } = content;
    const data = { email_id: id, message_id: `<${id}>`, created_at, from, to, subject, ...more };
    this.hooks.send(type, { type, created_at: new Date(this.parts.clock.now()).toISOString(), data });
  }
}

/** Counts a request. The limit applies to the whole team, from any address. */
function countRequest(rate: RequestRate, reply: FastifyReply): void {
  const taken = rate.take('team');
  if (!taken) return;
  const { isAllowed, limit, remaining } = taken;
  void reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': secondsOf(taken),
  });
  if (isAllowed) return;
  void reply.header('retry-after', secondsOf(taken));
  throw new ResendRejection(
    429,
    'rate_limit_exceeded',
    `Too many requests. You can only make ${limit} requests per second.`,
  );
}

function checkHeaders(headers: FastifyRequest['headers']): void {
  if (!headers['user-agent']) throw new ResendRejection(403, 'validation_error', 'error code: 1010');
  const { authorization = '' } = headers;
  if (authorization === '') throw new ResendRejection(401, 'missing_api_key', 'Missing API Key');
  if (authorization !== `Bearer ${resendKey}`)
    throw new ResendRejection(403, 'invalid_api_key', 'API key is invalid');
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > maxKeyLength)
    throw new ResendRejection(400, 'invalid_idempotency_key', 'The key must have from 1 to 256 characters.');
  return key;
}

interface Mail extends Record<'to' | 'cc' | 'bcc' | 'replyTo', { name: string; address: string }[]> {
  from: { name: string; address: string };
  subject: string;
  text: string | undefined;
  html: string | undefined;
}

function readMail(body: Fields): Mail {
  for (const field of ['from', 'to', 'subject'])
    if (body[field] === undefined)
      throw new ResendRejection(422, 'missing_required_field', `Missing \`${field}\` field.`);
  const from = readAddress(body['from']);
  if (!from) throw new ResendRejection(422, 'invalid_from_address', 'Invalid `from` field.');
  const addressesOf = (field: string) => {
    const addresses = readAddresses(body[field]);
    if (!addresses || (field === 'to' && addresses.length === 0))
      throw new ResendRejection(
        422,
        'validation_error',
        `Invalid \`${field}\` field. It must be an email address.`,
      );
    return addresses;
  };
  const [to, cc, bcc, replyTo] = [
    addressesOf('to'),
    addressesOf('cc'),
    addressesOf('bcc'),
    addressesOf('reply_to'),
  ];
  if (to.length > maxRecipients)
    throw new ResendRejection(422, 'validation_error', `\`to\` must have at most ${maxRecipients} items.`);
  if (to.some(({ address }) => reservedForExamples.includes(domainOf(address))))
    throw new ResendRejection(
      422,
      'validation_error',
      'Invalid `to` field. Please use our testing email address instead of domains like `example.com`.',
    );
  const [subject, text, html] = [body['subject'], body['text'], body['html']];
  if (typeof subject !== 'string' || /[\r\n]/.test(subject))
    throw new ResendRejection(422, 'validation_error', 'Invalid `subject` field.');
  const isText = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === 'string';
  if (!isText(text) || !isText(html) || (text === undefined && html === undefined))
    throw new ResendRejection(422, 'validation_error', 'Missing or invalid `html` or `text` field.');
  if (!(mailDomains.resend as readonly string[]).includes(domainOf(from.address)))
    throw new ResendRejection(
      403,
      'validation_error',
      `The ${domainOf(from.address)} domain is not verified.`,
    );
  return { from, to, cc, bcc, replyTo, subject, text, html };
}

function describe({ id, content, lastEvent, createdAtMs }: SentMail) {
  return {
    object: 'email',
    id,
    ...content,
    reply_to: [],
    last_event: lastEvent,
    scheduled_at: null,
    created_at: new Date(createdAtMs).toISOString(),
  };
}
