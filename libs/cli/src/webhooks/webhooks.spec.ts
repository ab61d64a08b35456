import { verifyWebhook } from '@tollbridge/sdk';
import { FakeApi, type FakeReply } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';
import { sendOnce } from './forward-message';
import { signedHeaders } from './sign-message';

// `Buffer` accepts some of these secrets, but the SDK rejects all of them.
const badSecrets = ['bad', '', 'whsec_', 'whsec_a', 'whsec_aaa==', 'whsec_é'];
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The part of the API that `listen` uses, with messages that a test adds. */
class Messages {
  /** Messages in the order of their commits. */
  readonly list: { id: string; type: string }[] = [];
  url: string | null = null;
  onPoll: () => void = () => undefined;
  /** Requests that fail once, in this order, as during a restart of a gateway. */
  failures: ('details' | 'list')[] = [];
  /** Status of every reply, if set. */
  status: number | undefined;

  readonly answer = ({ method, path }: { method: string; path: string }): FakeReply => {
    if (this.status) return failed(this.status, 'UNAUTHORIZED');
    const [, id] = /^\/api\/webhooks\/(msg_\w+)$/.exec(path) ?? [];
    const kind = id ? 'details' : 'list';
    const isStarted = this.list.length > 0;
    if (method === 'GET' && isStarted && this.failures[0] === kind) {
      this.failures.shift();
      return failed(500, 'INTERNAL_ERROR');
    }
    if (method === 'POST') return { body: { until: '2026-11-20T12:00:00Z', url: this.url } };
    if (id)
      return { body: { id, payload: { type: this.list.find((each) => each.id === id)!.type, data: {} } } };
    this.onPoll();
    const webhooks = [...this.list].sort((one, other) => other.id.localeCompare(one.id));
    return { body: { webhooks, count: webhooks.length, limit: 100, next_cursor: null } };
  };

  add(number: number, type = 'order.settled'): void {
    this.list.push({ id: `msg_${String(number).padStart(32, '0')}`, type });
  }
}

const failed = (status: number, code: string): FakeReply => ({
  status,
  body: { error: 'It failed.', code, request_id: 'req_1' },
});

let messages: Messages;
let api: FakeApi;
let receiver: FakeApi;
let statuses: number[];
beforeEach(async () => {
  messages = new Messages();
  statuses = [];
  api = await FakeApi.start((request) => messages.answer(request));
  receiver = await FakeApi.start(() => ({ status: statuses.shift() ?? 200 }));
});
afterEach(() => Promise.all([api.close(), receiver.close()]));

const listen = async (line: string) => {
  const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_x' });
  const code = await terminal.run(`listen ${line}`);
  return { code, terminal };
};
const arrivedIds = () =>
  receiver.requests.map(({ headers }) => Number(String(headers['webhook-id']).slice(4)));

describe('listen', () => {
  it('forwards new messages, signed with the secret that it prints', async () => {
    messages.add(1);
    let polls = 0;
    messages.onPoll = () => void (++polls === 2 && [2, 3].forEach((number) => messages.add(number)));
    const { code, terminal } = await listen(`--forward-to ${receiver.url}/hook --count 2`);
    expect(code).toBe(0);
    expect(arrivedIds()).toEqual([2, 3]);
    const printed = /Signing secret: (whsec_\S+)/.exec(terminal.stdout)![1]!;
    for (const { body, headers, path } of receiver.requests) {
      expect(path).toBe('/hook');
      expect(await verifyWebhook(body, headers, printed)).toMatchObject({ type: 'order.settled' });
    }
  });

  it('forwards a message that was committed after later ones', async () => {
    let polls = 0;
    messages.onPoll = () => {
      if (++polls === 2) messages.add(9);
      if (polls === 3) messages.add(8);
    };
    await listen(`--forward-to ${receiver.url} --count 2`);
    expect(arrivedIds()).toEqual([9, 8]);
  });

  it('retries a rejected message, and prints each attempt', async () => {
    statuses = [500];
    let polls = 0;
    messages.onPoll = () => void (++polls === 2 && messages.add(1));
    const { code, terminal } = await listen(`--forward-to ${receiver.url} --count 1`);
    expect([code, arrivedIds()]).toEqual([0, [1, 1]]);
    expect(terminal.stdout).toMatch(/the receiver answered 500, again in 1 s\n.*200 in \d+ ms/);
  });

  it('accepts only the wanted types, and prints them as JSON', async () => {
    let polls = 0;
    messages.onPoll = () => {
      if (++polls !== 2) return;
      messages.add(1, 'order.settled');
      messages.add(2, 'paylink.paid');
      messages.add(3, 'payout.updated');
    };
    const { terminal } = await listen("--print-json --events 'paylink.*,payout.updated' --count 2");
    expect(terminal.outLines.map((line) => JSON.parse(line).type)).toEqual([
      'paylink.paid',
      'payout.updated',
    ]);
    expect(receiver.requests).toEqual([]);
  });

  it('continues after a failure without losing a message', async () => {
    let polls = 0;
    messages.onPoll = () => {
      if (++polls === 2) messages.add(1);
    };
    messages.failures = ['details', 'list'];
    const { code, terminal } = await listen(`--forward-to ${receiver.url} --count 1`);
    expect([code, arrivedIds()]).toEqual([0, [1]]);
    expect(terminal.stderr).toContain('Trying again');
    expect(messages.failures).toEqual([]);
  });

  it('ends when the key is rejected', async () => {
    messages.status = 401;
    expect((await listen('--print-json')).code).toBe(3);
  });

  it('ends when it is interrupted', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_x' });
    messages.onPoll = () => terminal.controller.abort();
    expect(await terminal.run('listen --print-json')).toBe(130);
  });

  it('exits with 130 when it is interrupted while a message is forwarded', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_x' });
    let polls = 0;
    messages.onPoll = () => void (++polls === 2 && messages.add(1));
    const slow = await FakeApi.start(() => (terminal.controller.abort(), {}));
    try {
      expect(await terminal.run(`listen --forward-to ${slow.url}`)).toBe(130);
    } finally {
      await slow.close();
    }
  });

  it.each(badSecrets)('rejects the secret %j before anything is sent', async (bad) => {
    const { code, terminal } = await listen(`--forward-to ${receiver.url} --secret '${bad}'`);
    expect([code, terminal.stderr]).toEqual([2, expect.stringContaining('--secret must be whsec_')]);
    const other = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_WEBHOOK_SECRET: bad || 'x' });
    expect(await other.run(`listen --forward-to ${receiver.url}`)).toBe(2);
    expect(other.stderr).toContain('TOLLBRIDGE_WEBHOOK_SECRET must be whsec_');
    expect(api.requests).toEqual([]);
  });

  it('reports that the webhookUrl also receives the messages', async () => {
    messages.url = 'https://shop.example/hook';
    let polls = 0;
    messages.onPoll = () => void (++polls === 2 && messages.add(1));
    const { terminal } = await listen(`--forward-to ${receiver.url} --count 1 --secret ${secret}`);
    expect(terminal.stdout).toContain('https://shop.example/hook');
    await verifyWebhook(receiver.requests[0]!.body, receiver.requests[0]!.headers, secret);
  });
});

describe('logs tail', () => {
  it('exits with 130 when it is interrupted while it waits', async () => {
    const logged = await FakeApi.start(({ path }) => ({
      body: path.startsWith('/api/webhooks') ? { webhooks: [], next_cursor: null } : [],
    }));
    try {
      const terminal = new FakeTerminal({ TOLLBRIDGE_URL: logged.url });
      terminal.sleep = async () => terminal.controller.abort();
      expect(await terminal.run('logs tail')).toBe(130);
    } finally {
      await logged.close();
    }
  });

  it('prints only new and changed records', async () => {
    let polls = 0;
    const rows = (status: string, id = 't1') => ({
      id,
      status,
      updated_at: '2026-11-20T12:00:00Z',
      amount: '1',
    });
    const logged = await FakeApi.start(({ path }) => {
      if (path.startsWith('/api/webhooks')) return { body: { webhooks: [], next_cursor: null } };
      const changed = [rows('completed'), rows('pending', 't2')];
      return { body: ++polls === 1 ? [rows('pending')] : changed };
    });
    try {
      const terminal = new FakeTerminal({ TOLLBRIDGE_URL: logged.url });
      expect(await terminal.run('logs tail --json --count 2')).toBe(0);
      const printed = terminal.outLines.map((line) => JSON.parse(line) as { id: string; status: string });
      expect(printed.map(({ id, status }) => [id, status])).toEqual([
        ['t1', 'completed'],
        ['t2', 'pending'],
      ]);
    } finally {
      await logged.close();
    }
  });
});

describe('events replay --forward-to', () => {
  it('sends one message from this machine', async () => {
    messages.add(5);
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_WEBHOOK_SECRET: secret });
    expect(await terminal.run(`events replay ${messages.list[0]!.id} --forward-to ${receiver.url}`)).toBe(0);
    const [{ body, headers }] = receiver.requests as [(typeof receiver.requests)[number]];
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id: messages.list[0]!.id });
    statuses = [404];
    expect(await terminal.run(`events replay ${messages.list[0]!.id} --forward-to ${receiver.url}`)).toBe(1);
  });
});

describe('events replay', () => {
  it('rejects an invalid secret, and a secret that it would not use, before it sends a request', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url });
    const id = `msg_${'0'.repeat(32)}`;
    expect(await terminal.run(`events replay ${id} --forward-to ${receiver.url} --secret bad`)).toBe(2);
    expect(terminal.stderr).toContain('--secret must be whsec_');
    expect(await terminal.run(`events replay ${id} --secret ${secret}`)).toBe(2);
    expect(terminal.stderr).toContain('--secret needs --forward-to');
    expect(api.requests).toEqual([]);
  });
});

describe('sendOnce', () => {
  it.each([
    ['http://127.0.0.1:1/', 'fetch blocks this port: use another port'],
    ['http://absent.invalid/', /not reached \((ENOTFOUND|EAI_AGAIN)\)/],
  ])('reports why %s could not be reached', async (url, reason) => {
    const { signal } = new AbortController();
    const message = { id: 'msg_1', type: 'order.settled', payload: {} };
    expect((await sendOnce(message, { url, secret, signal })).error).toMatch(reason);
  });
});

describe('signedHeaders', () => {
  it('signs like the example of Standard Webhooks', () => {
    // The example from the specification.
    const headers = signedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      1_614_265_330_000,
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('rejects a malformed secret', () => {
    expect(() => signedHeaders('msg_1', '{}', 'secret', 0)).toThrow('whsec_');
  });

  it.each([secret, 'whsec_YQ', 'whsec_YQ=='])(
    'signs with %j a message that the SDK accepts',
    async (given) => {
      const now = Date.now();
      const headers = signedHeaders('msg_1', '{"type":"x"}', given, now);
      expect(await verifyWebhook('{"type":"x"}', headers, given)).toMatchObject({ id: 'msg_1' });
    },
  );

  it.each(badSecrets.filter((bad) => bad.startsWith('whsec_')))('rejects %j like the SDK', async (bad) => {
    expect(() => signedHeaders('msg_1', '{}', bad, 0)).toThrow('whsec_');
    const headers = signedHeaders('msg_1', '{}', secret, Date.now());
    await expect(verifyWebhook('{}', headers, bad)).rejects.toThrow(TypeError);
  });
});
