import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { domainOf, mailDomains } from '../mail/domains';
import { newMailId, type PostOffice } from '../mail/post-office';
import type { MailRepository } from '../mail/mail.repository';
import { Outage } from '../simulators/outage';
import { secondsOf, type RequestRate } from '../simulators/request-rate';
import { rejectDuringOutage } from '../mail/outages';
import type { ServiceSimulator } from '../simulators/service-simulator';
import type { MailtmAccount, MailtmAccounts } from './accounts.repository';
import { claimedId, digestOfPassword, isGenuine, tokenOf } from './tokens';
import {
  describeAccount,
  describeDetail,
  describeDomains,
  describeListed,
  describeRejection,
  MailtmRejection,
  type Violation,
} from './wire';

interface MailtmParts {
  accounts: MailtmAccounts;
  mails: MailRepository;
  office: PostOffice;
  clock: Clock;
  rate: RequestRate;
}

type Fields = Record<string, unknown>;
const addressForm = /^[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9])?@[a-z0-9.-]{1,190}$/;

/** Simulates disposable mailboxes with the API of api.mail.tm. */
export class MailtmSimulator implements ServiceSimulator {
  readonly prefix = '/mailtm';
  readonly outage = new Outage();

  constructor(private readonly parts: MailtmParts) {}

  /** SMTP server of all simulators. */
  get smtpUrl(): string {
    return this.parts.office.url;
  }

  start(): Promise<void> {
    return this.parts.office.start();
  }

  stop(): Promise<void> {
    return this.parts.office.stop();
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', rejectDuringOutage(this.outage));
    routes.addHook('onRequest', async ({ ip }, reply) => {
      const taken = this.parts.rate.take(ip);
      if (!taken || taken.isAllowed) return;
      void reply.header('retry-after', secondsOf(taken));
      throw new MailtmRejection(429, 'Too Many Requests');
    });
    routes.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, (_, body, done) => {
      try {
        done(null, JSON.parse(body as string));
      } catch {
        done(new MailtmRejection(400, 'Syntax error'));
      }
    });
    routes.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
      if (error instanceof MailtmRejection) return reply.code(error.status).send(describeRejection(error));
      const status = (error.statusCode ?? 500) < 500 ? 400 : 500;
      return reply.code(status).send(describeRejection(new MailtmRejection(status, 'An error occurred')));
    });
    routes.setNotFoundHandler((_, reply) =>
      reply.code(404).send(describeRejection(new MailtmRejection(404, 'Not Found'))),
    );
    this.addAccountRoutes(routes);
    this.addMessageRoutes(routes);
  }

  private addAccountRoutes(routes: FastifyInstance): void {
    routes.get('/domains', (request, reply) =>
      sendList(request, reply, {
        name: 'Domain',
        items: describeDomains(),
        total: mailDomains.mailtm.length,
      }),
    );
    routes.get<{ Params: { id: string } }>('/domains/:id', ({ params }) => {
      const found = describeDomains().find(({ id }) => id === params.id);
      if (!found) throw new MailtmRejection(404, 'Not Found');
      return found;
    });
    routes.post('/accounts', async ({ body }, reply) => {
      const account = await this.create(fieldsOf(body));
      return reply.code(201).send(describeAccount(account, 0));
    });
    routes.post('/token', async ({ body }) => {
      const { address, password } = fieldsOf(body);
      const found = await this.parts.accounts.withAddress(String(address).toLowerCase());
      const isRight =
        found &&
        typeof password === 'string' &&
        digestOfPassword(password, found.salt).equals(found.passwordDigest);
      if (!isRight) throw new MailtmRejection(401, 'Invalid credentials.');
      const token = tokenOf(found, this.parts.clock.now());
      return { token, '@id': `/accounts/${found.id}`, id: found.id };
    });
    routes.get('/me', async (request) => this.describe(await this.accountOf(request)));
    routes.get<{ Params: { id: string } }>('/accounts/:id', async (request) =>
      this.describe(await this.own(request, request.params.id)),
    );
    routes.delete<{ Params: { id: string } }>('/accounts/:id', async (request, reply) => {
      const { id, address } = await this.own(request, request.params.id);
      await this.parts.accounts.delete(id);
      await this.parts.mails.delete(address);
      return reply.code(204).send();
    });
  }

  private addMessageRoutes(routes: FastifyInstance): void {
    const { mails } = this.parts;
    routes.get<{ Querystring: Fields }>('/messages', async (request, reply) => {
      const account = await this.accountOf(request);
      const page = Math.max(1, Math.min(100, Number(request.query['page'] ?? 1) || 1));
      const { messages, total } = await mails.list(account.address, page);
      const items = messages.map((mail) => describeListed(mail, account.id));
      return sendList(request, reply, { name: 'Message', items, total });
    });
    routes.get<{ Params: { id: string } }>('/messages/:id', async (request) => {
      const { account, mail } = await this.mailOf(request, request.params.id);
      return describeDetail(mail, account.id);
    });
    routes.patch<{ Params: { id: string } }>('/messages/:id', async (request) => {
      const { account, mail } = await this.mailOf(request, request.params.id);
      const seen = fieldsOf(request.body)['seen'] === true;
      await mails.markSeen(account.address, mail.id, seen);
      return { seen };
    });
    routes.delete<{ Params: { id: string } }>('/messages/:id', async (request, reply) => {
      const { account, mail } = await this.mailOf(request, request.params.id);
      await mails.delete(account.address, mail.id);
      return reply.code(204).send();
    });
    routes.get<{ Params: { id: string } }>('/sources/:id', async (request) => {
      const { mail } = await this.mailOf(request, request.params.id);
      return { id: mail.id, downloadUrl: `/messages/${mail.id}/download`, data: mail.source };
    });
  }

  private async create({ address, password }: Fields): Promise<MailtmAccount> {
    const wanted = typeof address === 'string' ? address.toLowerCase() : '';
    const violations: Violation[] = [];
    if (!addressForm.test(wanted))
      violations.push({ propertyPath: 'address', message: 'This value is not a valid email address.' });
    else if (!(mailDomains.mailtm as readonly string[]).includes(domainOf(wanted)))
      violations.push({ propertyPath: 'address', message: `The domain "${domainOf(wanted)}" is not valid.` });
    if (typeof password !== 'string' || password === '')
      violations.push({ propertyPath: 'password', message: 'This value should not be blank.' });
    if (violations.length > 0) throw MailtmRejection.invalid(...violations);
    const salt = randomBytes(16);
    const passwordDigest = digestOfPassword(password as string, salt);
    const createdAtMs = this.parts.clock.now();
    const account = { id: newMailId(), address: wanted, salt, passwordDigest, createdAtMs };
    if (!(await this.parts.accounts.add(account)))
      throw MailtmRejection.invalid({ propertyPath: 'address', message: 'This value is already used.' });
    return account;
  }

  private async describe(account: MailtmAccount): Promise<object> {
    const { messages } = await this.parts.mails.list(account.address);
    return describeAccount(
      account,
      messages.reduce((sum, { content }) => sum + content.size, 0),
    );
  }

  private async accountOf({ headers }: FastifyRequest): Promise<MailtmAccount> {
    const token = (headers.authorization ?? '').replace(/^Bearer */i, '');
    // The SDK sends an empty token before the sign-in.
    if (token === '') throw new MailtmRejection(401, 'JWT Token not found');
    const id = claimedId(token);
    const account = id === undefined ? undefined : await this.parts.accounts.find(id);
    if (!account || !isGenuine(token, account)) throw new MailtmRejection(401, 'Invalid JWT Token');
    return account;
  }

  private async own(request: FastifyRequest, id: string): Promise<MailtmAccount> {
    const account = await this.accountOf(request);
    if (account.id !== id) throw new MailtmRejection(404, 'Not Found');
    return account;
  }

  private async mailOf(request: FastifyRequest, id: string) {
    const account = await this.accountOf(request);
    const mail = await this.parts.mails.find(account.address, id);
    if (!mail) throw new MailtmRejection(404, 'Not Found');
    return { account, mail };
  }
}

const fieldsOf = (body: unknown): Fields =>
  typeof body === 'object' && body !== null ? (body as Fields) : {};

/** Sends a plain list for `Accept: application/json`, otherwise a Hydra collection. */
function sendList(
  { headers, url }: FastifyRequest,
  reply: FastifyReply,
  { name, items, total }: { name: string; items: readonly object[]; total: number },
): FastifyReply {
  if (/^application\/json\b/.test(headers.accept ?? '')) return reply.send(items);
  const path = url.split('?', 1)[0]!.split('/').at(-1);
  return reply.header('content-type', 'application/ld+json; charset=utf-8').send(
    JSON.stringify({
      '@context': `/contexts/${name}`,
      '@id': `/${path}`,
      '@type': 'hydra:Collection',
      'hydra:totalItems': total,
      'hydra:member': items,
    }),
  );
}
