import { webhookTypes } from '../generated/api';
import { FakeApi } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';
import { recipes } from './recipes';
import { reorganise } from './reorganise';

it('every webhook type has a recipe', () => {
  const types = Object.keys(webhookTypes).filter((type) => type !== 'webhook.test');
  expect(Object.keys(recipes).sort()).toEqual(types.sort());
});

it('the list shows the effect of trigger for each type', async () => {
  const terminal = new FakeTerminal();
  expect(await terminal.run('trigger --list --json')).toBe(0);
  const rows = JSON.parse(terminal.stdout) as { type: string; trigger: string }[];
  expect(rows.find(({ type }) => type === 'webhook.test')!.trigger).toBe('sends a test message');
  expect(rows.filter(({ trigger }) => trigger === 'sends the example')).toEqual([]);
});

it('a reorganisation keeps the time of the chain and all transactions in order, also those of a concurrent block', async () => {
  const heads = ['0x7', '0x8', '0x8', '0x8'];
  // Timestamps of the blocks that are read. The last two are the chain's clock before and after.
  const times = [...Array<string>(7).fill('0x1'), '0x64', '0x5a'];
  const transactions: Record<string, string[]> = {
    '0x5': ['0xa', '0xb'],
    '0x6': [],
    '0x7': ['0xc'],
    '0x8': ['0xd'],
  };
  const node = await FakeApi.start(({ body }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: string[] };
    const answers: Record<string, () => unknown> = {
      eth_blockNumber: () => heads.shift(),
      eth_getTransactionByHash: () => ({ blockNumber: '0x5' }),
      eth_getBlockByNumber: () => ({ transactions: transactions[params[0]!], timestamp: times.shift() }),
      eth_getRawTransactionByHash: () => `${params[0]}00`,
    };
    return { body: { result: answers[method]?.() ?? null } };
  });
  try {
    await reorganise({ rpcUrl: node.url }, '0xb');
    const calls = node.requests.map(({ body }) => JSON.parse(body) as { method: string; params: unknown[] });
    const changes = calls
      .filter(({ method }) => !method.startsWith('eth_'))
      .map(({ method, params }) => [method, ...params]);
    const raw = ['0xa00', '0xb00', '0xc00', '0xd00'].map((bytes) => [bytes, 3]);
    expect(changes).toEqual([
      ['evm_setAutomine', false],
      ['anvil_reorg', 4, raw],
      ['evm_increaseTime', 10],
      ['evm_setAutomine', true],
      ['evm_mine'],
    ]);
  } finally {
    await node.close();
  }
});

it('a chain that grows with disabled mining is not reorganised', async () => {
  let head = 7;
  const methods: string[] = [];
  const node = await FakeApi.start(({ body }) => {
    const { method } = JSON.parse(body) as { method: string };
    methods.push(method);
    const answers: Record<string, () => unknown> = {
      eth_blockNumber: () => `0x${(head++).toString(16)}`,
      eth_getTransactionByHash: () => ({ blockNumber: '0x7' }),
      eth_getBlockByNumber: () => ({ transactions: [] }),
    };
    return { body: { result: answers[method]?.() ?? null } };
  });
  try {
    await expect(reorganise({ rpcUrl: node.url }, '0xb')).rejects.toThrow('still grows');
    expect(methods).not.toContain('anvil_reorg');
    expect(methods.slice(-2)).toEqual(['evm_setAutomine', 'evm_mine']);
  } finally {
    await node.close();
  }
});
