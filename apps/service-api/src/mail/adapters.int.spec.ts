import type { DomainError } from '@tollbridge/rpc';
import {
  closedUrl,
  startHttpServer,
  type HttpReply,
  type HttpServer,
  type SeenRequest,
} from '@tollbridge/testing';
import { accountAndWait } from './disposable/account-and-wait';
import { Agentmail } from './agents/agentmail.adapter';
import { Mailtm } from './disposable/mailtm.adapter';
import { Resend } from './sending/resend.adapter';

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(() => ({}));
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

// The short time-out is only for cases without a reply of the provider.
const [patientMs, shortMs] = [60_000, 500];
let timeoutMs = patientMs;
beforeEach(() => {
  timeoutMs = patientMs;
});
const token = 'a-token-of-these-tests';
const mailtm = (baseUrl = server.url): Mailtm => new Mailtm({ baseUrl, requestsPerSecond: 1_000, timeoutMs });
const agentmail = (baseUrl = server.url): Agentmail => new Agentmail({ baseUrl, apiKey: 'am_x', timeoutMs });
const resend = (baseUrl = server.url): Resend => new Resend({ baseUrl, apiKey: 're_x', timeoutMs });
const letter = { to: 'a@b.test', subject: 'x', text: 'x' };
const domains = [{ id: '1', domain: 'd.test', isActive: true, isPrivate: false }];

const operations: Record<string, (baseUrl?: string) => Promise<unknown>> = {
  domains: (baseUrl) => mailtm(baseUrl).domains(),
  account: (baseUrl) => mailtm(baseUrl).createAccount('name'),
  messages: (baseUrl) => mailtm(baseUrl).messages(token, 1),
  message: (baseUrl) => mailtm(baseUrl).message(token, 'id'),
  inbox: (baseUrl) => agentmail(baseUrl).createInbox({ username: 'a', displayName: 'A', clientId: 'c' }),
  'agent send': (baseUrl) => agentmail(baseUrl).send('a@b.test', letter, 'key'),
  send: (baseUrl) => resend(baseUrl).send({ ...letter, from: 'a@b.test' }, 'key'),
};
/** Operations that may have succeeded when the reply is lost. */
const changing = ['account', 'inbox', 'agent send', 'send'];

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: DomainError) => {
      // The error contains no text, key or address of the provider.
      expect(JSON.stringify([error.message, error.details])).not.toMatch(
        /secret words|127\.0\.0\.1|am_x|re_x|a-token/,
      );
      return error.code;
    },
  );

/** The list of domains is correct. Every later request gets the faulty reply. */
const misbehave = (reply: HttpReply) => (request: SeenRequest) =>
  request.path === '/domains' && misbehaving !== 'domains' ? { body: domains } : reply;
let misbehaving = '';

const lost: Record<string, HttpReply> = {
  'never answers': { silent: true },
  'answers text that is not JSON': { body: 'secret words <html>' },
  'answers the JSON of something else': { body: { secret: 'words' } },
  'answers 500': { status: 500, body: { message: 'secret words' } },
  'answers 502 as a gateway does': { status: 502, body: '<html>secret words' },
  'closes in the middle': { half: '{"id":"1"' },
  'stops in the middle': { begun: '{"id":' },
};

describe.each(Object.keys(operations))('The operation %s', (name) => {
  beforeEach(() => {
    misbehaving = name;
  });
  // Counts one request: an operation that may have succeeded is not repeated.
  const asked = (): number =>
    server.requests.filter(({ path }) => name === 'domains' || path !== '/domains').length;

  it.each(Object.entries(lost))('fails without a repeat when the provider %s', async (_behaviour, reply) => {
    server.answer = misbehave(reply);
    if ('silent' in reply || 'begun' in reply) timeoutMs = shortMs;
    const begunMs = performance.now();
    expect(await codeOf(operations[name]!())).toBe(
      changing.includes(name) ? 'OUTCOME_UNKNOWN' : 'UPSTREAM_UNAVAILABLE',
    );
    // Less than the default time-outs of the adapters, so the configured time-out applies.
    expect(performance.now() - begunMs).toBeLessThan(10_000);
    expect(asked()).toBe(1);
  });

  it('fails with UPSTREAM_UNAVAILABLE after 429 and after a rejected connection', async () => {
    server.answer = misbehave({ status: 429, headers: { 'retry-after': '7' }, body: 'secret words' });
    expect(await codeOf(operations[name]!())).toBe('UPSTREAM_UNAVAILABLE');
    expect(asked()).toBe(1);
    expect(await codeOf(operations[name]!(await closedUrl()))).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('A rejection by the provider', () => {
  const replyWith = (status: number, body: unknown, headers = {}): void => {
    misbehaving = '';
    server.answer = misbehave({ status, body, headers });
  };

  it.each([
    [409, { name: 'invalid_idempotent_request' }, 'OUTCOME_UNKNOWN'],
    [409, { name: 'concurrent_idempotent_requests' }, 'OUTCOME_UNKNOWN'],
    [422, { name: 'validation_error', message: 'secret words' }, 'PURCHASE_REFUSED'],
    [451, { name: 'security_error' }, 'PURCHASE_REFUSED'],
    [401, { name: 'restricted_api_key' }, 'UPSTREAM_UNAVAILABLE'],
    [403, { name: 'validation_error', message: 'secret words' }, 'UPSTREAM_UNAVAILABLE'],
    [404, 'secret words', 'UPSTREAM_UNAVAILABLE'],
  ])('converts the rejection of a mail: %s %j becomes %s', async (status, body, code) => {
    replyWith(status, body);
    expect(await codeOf(operations['send']!())).toBe(code);
  });

  it.each([
    [403, { name: 'MessageRejectedError', message: 'secret words' }, 'PURCHASE_REFUSED'],
    [400, { name: 'ValidationError' }, 'PURCHASE_REFUSED'],
    [404, { name: 'NotFoundError' }, 'NOT_FOUND'],
    [409, { name: 'ConflictError' }, 'OUTCOME_UNKNOWN'],
    [403, { name: 'ForbiddenError' }, 'UPSTREAM_UNAVAILABLE'],
  ])('converts the rejection of a mail from an inbox: %s %j becomes %s', async (status, body, code) => {
    replyWith(status, body);
    expect(await codeOf(operations['agent send']!())).toBe(code);
  });

  it.each([
    [403, { name: 'IsTakenError' }],
    [409, {}],
    [422, { code: 'is_taken' }],
  ])('becomes CONFLICT when the inbox name is in use: %s %j', async (status, body) => {
    replyWith(status, body);
    expect(await codeOf(operations['inbox']!())).toBe('CONFLICT');
  });

  it('becomes UNAUTHORIZED for an invalid token, and NOT_FOUND for an unknown message', async () => {
    replyWith(401, { code: 401, message: 'Expired JWT Token' });
    expect(await codeOf(operations['messages']!())).toBe('UNAUTHORIZED');
    replyWith(404, {});
    expect(await codeOf(operations['message']!())).toBe('NOT_FOUND');
  });
});

describe('Account', () => {
  it('creates the account in an active public domain', async () => {
    let current = [
      { ...domains[0], isPrivate: true },
      { ...domains[0], domain: 'old.test' },
    ];
    server.answer = ({ path, body }) => {
      if (path === '/domains') return { body: { 'hydra:member': current } };
      if (path === '/token') return { body: { token, id: '1' } };
      const { address } = JSON.parse(body) as { address: string };
      if (address.endsWith('@new.test')) return { status: 201, body: { id: '1', address } };
      return { status: 422, body: { detail: 'address: The domain is not valid.', violations: [] } };
    };
    const provider = mailtm();
    expect(await codeOf(provider.createAccount('x'))).toBe('UPSTREAM_UNAVAILABLE');
    current = [{ ...domains[0], domain: 'new.test' }];
    expect(await provider.createAccount('x')).toMatchObject({ address: 'x@new.test', token });
  });

  it('retries the request for its token', async () => {
    let rejections = 2;
    server.answer = ({ path, body }) => {
      if (path === '/domains') return { body: domains };
      if (path === '/token') return rejections-- > 0 ? { status: 429 } : { body: { token } };
      return { status: 201, body: { id: '1', address: (JSON.parse(body) as { address: string }).address } };
    };
    expect(await mailtm().createAccount('x')).toMatchObject({ address: 'x@d.test', token });
    expect(server.requests.filter(({ path }) => path === '/accounts')).toHaveLength(1);
  });

  it('retries after 429, malformed replies and time-outs while it is polled', async () => {
    const troubles: HttpReply[] = [
      { status: 429, headers: { 'retry-after': '1' } },
      { body: 'x' },
      { silent: true },
    ];
    const detail = {
      id: 'm1',
      from: { address: 'a@b.test', name: '' },
      to: null,
      subject: 'Hi',
      createdAt: '2026-11-22T12:00:00+00:00',
      text: 'Your code is 482913',
      html: null,
    };
    server.answer = ({ path, body }) => {
      if (path === '/domains') return { body: domains };
      if (path === '/token') return { body: { token } };
      if (path === '/accounts')
        return { status: 201, body: { id: '1', address: (JSON.parse(body) as { address: string }).address } };
      if (path === '/messages/m1') return { body: detail };
      return troubles.shift() ?? { body: [{ ...detail, id: 'm2' }, detail] };
    };
    const wish = { username: undefined, timeoutMs: 60_000 };
    // A request without a reply lasts until this time-out. The other requests must finish within it.
    timeoutMs = 2_500;
    const reply = await accountAndWait(mailtm(), wish, new AbortController().signal);
    expect(reply).toMatchObject({ code: '482913', timeout: false, message: { id: 'm1', subject: 'Hi' } });
    expect(server.requests.filter(({ path }) => path === '/messages')).toHaveLength(4);
  });
});

it('limits the size of received mail', async () => {
  const created = { createdAt: '2026-11-22T12:00:00Z', id: 'm' };
  const long = 'x'.repeat(400_000);
  server.answer = () => ({
    body: {
      ...created,
      subject: long,
      text: `\0${long}`,
      html: [long, 7, '\ud83d'],
      from: 'x',
      to: Array(500).fill({}),
    },
  });
  const message = await mailtm().message(token, 'm');
  expect(message).toMatchObject({ truncated: true, from: { address: '', name: '' } });
  expect([message.subject.length, message.text.length, message.html!.length, message.to.length]).toEqual([
    1_000, 49_999, 150_000, 100,
  ]);
  server.answer = () => ({ body: { ...created, id: '../x y' } });
  expect(await codeOf(mailtm().message(token, 'm'))).toBe('UPSTREAM_UNAVAILABLE');
});

describe('Received mail', () => {
  // The maximum size of a NATS message is one megabyte.
  const mostBytes = 1_000_000;
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const party = (character: string) => ({ address: `${character}@x`, name: character.repeat(128) });
  const letterOf = (id: string, character: string) => ({
    id,
    from: party(character),
    to: Array.from({ length: 100 }, () => party(character)),
    subject: character.repeat(2_000),
    intro: character.repeat(2_000),
    size: 1,
    createdAt: '2026-11-22T12:00:00Z',
  });

  it.each([
    ['wide letters', '漢'],
    ['characters that JSON escapes', '"'],
    ['control characters', '\u0001'],
  ])('fits into a reply: %s', async (_case, character) => {
    const generous = new Mailtm({ baseUrl: server.url, requestsPerSecond: 1_000 });
    server.answer = () => ({ body: Array.from({ length: 30 }, (_, at) => letterOf(`m${at}`, character)) });
    const listed = await generous.messages(token, 1);
    expect(listed).toHaveLength(30);
    expect(listed[0]!.to.length).toBeGreaterThan(0);
    expect(bytesOf(listed)).toBeLessThan(mostBytes);
    const [text, html] = [`a\tb\r\n${character.repeat(60_000)}`, [character.repeat(160_000)]];
    server.answer = () => ({ body: { ...letterOf('m1', character), text, html } });
    const read = await generous.message(token, 'm1');
    expect(bytesOf(read)).toBeLessThan(mostBytes);
    expect(read.text.startsWith('a\tb\r\n')).toBe(true);
  });
});
