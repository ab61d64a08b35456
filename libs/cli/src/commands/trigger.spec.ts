import { FakeApi, type FakeReply } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';

const merchant = { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
const accounts = ['payer', 'fee_receiver'].map((role) => ({ role, address: `0x${'22'.repeat(20)}` }));
const rejected: FakeReply = {
  status: 403,
  body: { error: 'No.', code: 'FORBIDDEN', request_id: 'req_1' },
};

let url: string | null;
/** Message ids for consecutive polls. The last list also applies to all later polls. */
let lists: string[][];
let mayRead: boolean;
let test: FakeReply;
let api: FakeApi;
beforeEach(async () => {
  [url, lists, mayRead] = [null, [[]], true];
  api = await FakeApi.start(({ path, method }) => {
    if (path === '/sandbox') return { body: { merchant, accounts, chains: [] } };
    if (path === '/api/webhooks/test') return test;
    if (method === 'POST') return { body: { order_id: 'o1' } };
    if (!mayRead) return rejected;
    if (path === '/api/webhooks/endpoint') return { body: { url } };
    const ids = lists.length > 1 ? lists.shift()! : lists[0]!;
    return { body: { webhooks: ids.map((id) => ({ id })), next_cursor: null } };
  });
});
afterEach(() => api.close());

async function trigger(line: string) {
  const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_x' });
  expect(await terminal.run(`trigger ${line}`)).toBe(0);
  return { out: terminal.stdout, note: terminal.stderr };
}

describe('trigger', () => {
  it('prints the next step when no message was created', async () => {
    lists = [['msg_before']];
    const { out, note } = await trigger('order.created');
    expect(out).toBe('order.created: order o1 was created');
    expect(note).toMatch(/No message of type order\.created yet\..* set webhookUrl .* run tollbridge listen/);
  });

  it.each([
    [
      'a listener receives the message a moment later',
      () => (lists = [['msg_1'], ['msg_1'], ['msg_2', 'msg_1']]),
    ],
    ['the settings have a webhookUrl', () => (url = 'https://shop.example/hook')],
    ['the key lacks the read permission', () => (mayRead = false)],
  ])('adds no hint when %s', async (_case, given) => {
    given();
    expect((await trigger('order.created')).note).toBe('');
  });

  it('does not claim a running listener when a test message was recorded', async () => {
    const error = 'Recorded for listeners: no webhookUrl.';
    test = { body: { id: 'msg_1', delivered: false, status: null, error, ms: 0 } };
    expect((await trigger('webhook.test')).out).toBe(
      'webhook.test: msg_1 was recorded, not sent: there is no webhookUrl, and only a running tollbridge listen receives it',
    );
  });
});
