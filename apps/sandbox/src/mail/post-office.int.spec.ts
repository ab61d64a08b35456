import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { agentmailKey } from '../agentmail/agentmail.simulator';
import { startMailHarness, type MailHarness } from '../testing/mail-harness';

let harness: MailHarness;

beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness?.close());

/** Sends SMTP commands line by line. Returns the last reply to each. */
async function talk(...lines: string[]): Promise<string[]> {
  const { hostname, port } = new URL(harness.smtpUrl);
  const socket = connect(Number(port), hostname);
  const replies: string[] = [];
  const reader = createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await reader.next();
      if (done) return 'closed';
      if (/^\d{3} /.test(value as string)) return value as string;
    }
  };
  await next();
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    replies.push(await next());
  }
  socket.end();
  if (!socket.closed) await once(socket, 'close');
  return replies;
}

async function newMailbox(name: string): Promise<{ address: string; list(page?: number): Promise<any[]> }> {
  const address = `${name}@quickbox.test`;
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify({ address, password: 'x' });
  await fetch(`${harness.mailtm}/accounts`, { method: 'POST', headers: json, body });
  const { token } = (await (
    await fetch(`${harness.mailtm}/token`, { method: 'POST', headers: json, body })
  ).json()) as any;
  const headers = { ...json, authorization: `Bearer ${token}` };
  return {
    address,
    list: async (page = 1) =>
      (await (await fetch(`${harness.mailtm}/messages?page=${page}`, { headers })).json()) as any[],
  };
}

it('accepts addresses in any case, and delivers to each of several mailboxes once', async () => {
  const [one, other] = [await newMailbox('one'), await newMailbox('other')];

  await harness.send({
    from: 'a@example.com',
    to: [one.address.toUpperCase(), other.address],
    cc: one.address,
    subject: 'Both',
    text: 'x',
  });

  expect(await one.list()).toMatchObject([{ subject: 'Both' }]);
  expect(await other.list()).toMatchObject([{ subject: 'Both' }]);
});

it('does not relay to other domains, and rejects unknown mailboxes', async () => {
  expect(
    await talk('HELO x', 'MAIL FROM:<a@b.test>', 'RCPT TO:<a@example.com>', 'RCPT TO:<no@quickbox.test>'),
  ).toEqual([
    expect.stringMatching(/^250/),
    expect.stringMatching(/^250/),
    expect.stringMatching(/^550 5\.7\.1/),
    expect.stringMatching(/^550 5\.1\.1/),
  ]);
});

it('accepts at most 50 recipients', async () => {
  const recipients = Array.from({ length: 51 }, (_, at) => `RCPT TO:<r${at}@tollbridge.test>`);
  const replies = await talk('HELO x', 'MAIL FROM:<a@b.test>', ...recipients);
  expect(replies.slice(2, 52).every((reply) => reply.startsWith('250'))).toBe(true);
  expect(replies[52]).toMatch(/^452 4\.5\.3/);
});

it('rejects mail above a megabyte, with and without a declared size', async () => {
  const { address, list } = await newMailbox('large');
  expect(await talk('EHLO x', 'MAIL FROM:<a@b.test> SIZE=2000000')).toEqual([
    expect.stringMatching(/^250/),
    expect.stringMatching(/^552/),
  ]);
  const sent = talk(
    'HELO x',
    'MAIL FROM:<a@b.test>',
    `RCPT TO:<${address}>`,
    'DATA',
    `Subject: x\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(1_100)}.`,
  );
  expect((await sent).at(-1)).toMatch(/^552/);
  expect(await list()).toEqual([]);
});

it('stores only the newest hundred messages of a mailbox', async () => {
  const { address, list } = await newMailbox('busy');
  const mail = (at: number) => [
    'MAIL FROM:<a@b.test>',
    `RCPT TO:<${address}>`,
    'DATA',
    `Subject: ${at}\r\n\r\nx\r\n.`,
  ];
  await talk('HELO x', ...Array.from({ length: 105 }, (_, at) => mail(at)).flat());
  const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(page)));
  expect(pages[0]![0].subject).toBe('104');
  expect(pages.map(({ length }) => length)).toEqual([30, 30, 30, 10, 0]);
});

it('accepts malformed mail', async () => {
  const { address, list } = await newMailbox('odd');
  for (const source of [
    '',
    'no headers',
    'Subject: =?utf-8?B?%%%?=\r\n\r\n\0',
    'From: <>\r\nTo: ,,\r\n\r\nx',
  ])
    expect(
      (await talk('HELO x', 'MAIL FROM:<>', `RCPT TO:<${address}>`, 'DATA', `${source}\r\n.`)).at(-1),
    ).toMatch(/^250/);
  expect(await list()).toHaveLength(4);
});

it('reads no file or URL in a message', async () => {
  const { address } = await newMailbox('curious');
  const headers = { authorization: `Bearer ${agentmailKey}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${harness.agentmail}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('/v0/inboxes', { username: 'sly' });
  const to = { address, path: '/etc/hostname' };
  const reply = await post('/v0/inboxes/sly%40agentmail.test/messages/send', {
    to,
    subject: { path: '/etc/hostname' },
  });
  expect(reply.status).toBe(400);
});

it.each([
  ['down', 503],
  ['slow', undefined],
] as const)('does not accept mail while it is %s', async (mode, status) => {
  const { outage } = harness.simulators['mailtm']!;
  outage.mode = mode;
  const leaving = mode === 'slow' ? { signal: AbortSignal.timeout(300) } : {};
  const reply = fetch(`${harness.mailtm}/domains`, leaving);
  expect(await reply.then((it) => it.status).catch(() => undefined)).toBe(status);
  outage.mode = 'up';
});
