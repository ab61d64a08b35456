import { webhookTypes } from '../generated/webhook-types';
import { FakeApi } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';
import { recipes } from './recipes';
import { reorganise } from './reorganise';

it('there is a cause for each type of webhook', () => {
  const types = Object.keys(webhookTypes).filter((type) => type !== 'webhook.test');
  expect(Object.keys(recipes).sort()).toEqual(types.sort());
});

it('the list says what happens for each type', async () => {
  const terminal = new FakeTerminal();
  expect(await terminal.run('trigger --list --json')).toBe(0);
  const rows = JSON.parse(terminal.stdout) as { type: string; trigger: string }[];
  expect(rows.find(({ type }) => type === 'webhook.test')!.trigger).toBe('sends a test message');
  expect(rows.filter(({ trigger }) => trigger === 'sends the example')).toEqual([]);
});

it('a reorganisation keeps every transaction, in its order', async () => {
  const answers: Record<string, unknown> = {
    eth_getTransactionByHash: { blockNumber: '0x5' },
    eth_blockNumber: '0x7',
    anvil_reorg: null,
  };
  const transactions: Record<string, string[]> = { '0x5': ['0xa', '0xb'], '0x6': [], '0x7': ['0xc'] };
  const node = await FakeApi.start(({ body }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: string[] };
    if (method === 'eth_getBlockByNumber')
      return { body: { result: { transactions: transactions[params[0]!] } } };
    if (method === 'eth_getRawTransactionByHash') return { body: { result: `${params[0]}00` } };
    return { body: { result: answers[method] } };
  });
  try {
    await reorganise({ rpcUrl: node.url }, '0xb');
    const [last] = node.requests.map(({ body }) => JSON.parse(body)).slice(-1);
    const raw = ['0xa00', '0xb00', '0xc00'].map((bytes) => [bytes, 2]);
    expect([last.method, last.params]).toEqual(['anvil_reorg', [3, raw]]);
  } finally {
    await node.close();
  }
});
