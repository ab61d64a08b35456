import type { FastifyInstance, FastifyReply } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { HookSender } from '../hooks/hook-sender';
import { twilioHeaders } from '../hooks/hook-signatures';
import { isHookUrl } from '../hooks/provider-hooks';
import { Outage } from '../simulators/outage';
import { observeOutage, readForms } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { lostTo, rejectedFrom, rejectedTo, type TwilioError } from './magic-numbers';
import { endedAfterMs, endOf, Messages, sendingAfterMs, sentAfterMs, type Message } from './messages';

export const twilioAccount = {
  sid: 'AC5a11d0c5a11d0c5a11d0c5a11d0c5a11',
  token: 'sandbox-twilio-auth-token-0123456789',
  from: '+15005550006',
} as const;

const maxBody = 1_600;
const phoneForm = /^\+[1-9][0-9]{6,14}$/;

type Form = Readonly<Record<string, string>>;
type Params = { account: string; sid: string };

/** Simulates Programmable Messaging: forms, basic authentication, Twilio's error codes, and states over time. */
export class TwilioSimulator implements ServiceSimulator {
  readonly prefix = '/twilio';
  readonly outage = new Outage();
  readonly messages: Messages;
  /** Number of send requests, including rejected requests. */
  sendsAsked = 0;
  readonly hooks: HookSender;

  constructor({ clock }: Pick<ServiceSimulatorParts, 'clock'>) {
    this.messages = new Messages(clock);
    this.hooks = new HookSender({ clock });
  }

  stop(): Promise<void> {
    return this.hooks.stop();
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    readForms(routes);
    routes.addHook('preHandler', async (request, reply) => {
      const { account } = request.params as Params;
      if (!isAccount(request.headers.authorization) || account !== twilioAccount.sid)
        await sendRejection(reply, { code: 20003, status: 401, message: 'Authenticate' });
    });
    const base = '/2010-04-01/Accounts/:account';
    routes.post<{ Params: Params; Body: Form | undefined }>(`${base}/Messages.json`, ({ body }, reply) =>
      this.send(body ?? {}, reply),
    );
    routes.get<{ Querystring: Form }>(`${base}/Messages.json`, ({ query }) => this.list(query));
    routes.get<{ Params: Params }>(`${base}/Messages/:sid.json`, ({ params }, reply) => {
      const message = this.messages.find(params.sid);
      return message ? this.shown(message) : sendRejection(reply, notFound);
    });
  }

  private send(form: Form, reply: FastifyReply): FastifyReply {
    this.sendsAsked++;
    const rejection = toRejection(form);
    if (rejection) return sendRejection(reply, rejection);
    const { To: to = '', Body: body = '', From: from, MessagingServiceSid: service } = form;
    const message = this.messages.add({
      to,
      body,
      from: from ?? null,
      messagingServiceSid: service ?? null,
    });
    if (form['StatusCallback']) this.sendStatusEvents(message, form['StatusCallback']);
    if (to !== lostTo) return reply.code(201).send(this.shown(message));
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }

  /** Sends a status event when the message enters each later state. */
  private sendStatusEvents(message: Message, url: string): void {
    const { sid, to, from, createdAtMs } = message;
    const states = [
      ['sending', sendingAfterMs],
      ['sent', sentAfterMs],
      [endOf(to), endedAfterMs],
    ] as const;
    for (const [status, afterMs] of states) {
      const form = {
        MessageSid: sid,
        SmsSid: sid,
        MessageStatus: status,
        SmsStatus: status,
        To: to,
        From: from ?? '',
        AccountSid: twilioAccount.sid,
        ApiVersion: '2010-04-01',
        ...(status === 'undelivered' && { ErrorCode: '30003' }),
      };
      const hook = {
        url,
        contentType: 'application/x-www-form-urlencoded',
        body: String(new URLSearchParams(form)),
        headersAt: () => twilioHeaders(twilioAccount.token, url, form),
      };
      this.hooks.send(hook, createdAtMs + afterMs);
    }
  }

  private list({ To: to, From: from, DateSent: day, PageSize: size = '50', Page: page = '0' }: Form): object {
    const all = this.messages.all().filter((message) => {
      const sentOn = new Date(message.createdAtMs).toISOString().slice(0, 10);
      return (!to || message.to === to) && (!from || message.from === from) && (!day || sentOn === day);
    });
    const [perPage, at] = [Math.min(Number(size) || 50, 1_000), Number(page) || 0];
    const start = at * perPage;
    const shown = all.slice(start, start + perPage);
    const uri = (number: number): string => {
      const query = { ...(to && { To: to }), ...(from && { From: from }), ...(day && { DateSent: day }) };
      const paging = { PageSize: String(perPage), Page: String(number) };
      return `${uriOf('Messages')}?${new URLSearchParams({ ...query, ...paging })}`;
    };
    return {
      messages: shown.map((it) => this.shown(it)),
      page: at,
      page_size: perPage,
      start,
      end: Math.max(start + shown.length - 1, 0),
      uri: uri(at),
      first_page_uri: uri(0),
      next_page_uri: start + perPage < all.length ? uri(at + 1) : null,
      previous_page_uri: at > 0 ? uri(at - 1) : null,
    };
  }

  private shown(message: Message): object {
    const { sid, to, from, body, messagingServiceSid, createdAtMs } = message;
    const status = this.messages.statusOf(message);
    const created = new Date(createdAtMs).toUTCString().replace('GMT', '+0000');
    const isSent = status !== 'queued' && status !== 'sending';
    return {
      sid,
      to,
      from,
      body,
      status,
      account_sid: twilioAccount.sid,
      api_version: '2010-04-01',
      date_created: created,
      date_updated: created,
      date_sent: isSent ? created : null,
      direction: 'outbound-api',
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: 'USD',
      error_code: status === 'undelivered' ? 30003 : null,
      error_message: null,
      messaging_service_sid: messagingServiceSid,
      uri: uriOf(`Messages/${sid}`),
      subresource_uris: { media: uriOf(`Messages/${sid}/Media`) },
    };
  }
}

const uriOf = (path: string): string => `/2010-04-01/Accounts/${twilioAccount.sid}/${path}.json`;

const notFound: TwilioError = {
  code: 20404,
  status: 404,
  message: 'The requested resource was not found',
};

function toRejection(form: Form): TwilioError | undefined {
  const { To: to, Body: body, From: from, MessagingServiceSid: service } = form;
  if (!to) return { code: 21604, status: 400, message: "A 'To' phone number is required." };
  if (!body) return { code: 21602, status: 400, message: 'Message body is required.' };
  if (!from && !service) return { code: 21603, status: 400, message: "A 'From' phone number is required." };
  if ([...body].length > maxBody)
    return {
      code: 21617,
      status: 400,
      message: 'The concatenated message body exceeds the 1600 character limit',
    };
  const { StatusCallback: callback } = form;
  if (callback && !isHookUrl(callback))
    return { code: 21609, status: 400, message: `The StatusCallback URL ${callback} is not a valid URL.` };
  const rejected = rejectedTo.get(to) ?? rejectedFrom.get(from ?? '');
  if (rejected) return rejected;
  return phoneForm.test(to) ? undefined : rejectedTo.get('+15005550001');
}

function sendRejection(reply: FastifyReply, { code, status, message }: TwilioError): FastifyReply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  if (status === 429) void reply.header('retry-after', '1');
  return reply.code(status).send({ code, message, more_info, status });
}

function isAccount(authorization = ''): boolean {
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${twilioAccount.sid}:${twilioAccount.token}`).toString('base64')}`,
  );
  const given = Buffer.from(authorization);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
