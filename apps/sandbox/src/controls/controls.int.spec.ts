import {
  AnyCaller,
  clockAdvancedSubject,
  clockAheadApi,
  demoPayerApi,
  sandboxApi,
  sandboxClockApi,
  sandboxControlsApi,
} from '@tollbridge/contracts';
import { BusClient, BusConnection, DomainError, type BusOperation } from '@tollbridge/rpc';
import { chains } from '@tollbridge/chains';
import { EuropeanCentralBank, OpenExchangeRates, type RateSource } from '@tollbridge/rates';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  eventually,
  freshDatabase,
  missingCases,
  startAnvil,
  startNats,
  type Anvil,
  type FreshDatabase,
  type NatsServer,
  testConnections,
} from '@tollbridge/testing';
import { jettonWalletOf, sandboxEnclaveWallet, TonAccountReader } from '@tollbridge/ton';
import { Contract } from 'ethers';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateAddress } from '../oneclick/deposit-address';
import { openExchangeRatesAppId } from '../rates/open-exchange-rates.simulator';
import { Simulators } from '../simulators/simulators';
import { start } from '../start';
import { deployLocalChains } from '../deployment/deploy-chains';
import { solverOf, writePrivateFile, type LocalDeployment } from '../deployment/local-deployment';
import { migrateSandbox } from '../simulators/open-simulators';

const {
  depositToLedger,
  setPrice,
  setExchangeRate,
  passDeadline,
  setOutage,
  fundTonAccount,
  depositToNanopay,
} = sandboxControlsApi.operations;
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-sandbox-'));
let nats: NatsServer;
let anvil: Anvil;
let database: FreshDatabase;
let harness: LocalDeployment;
let app: RunningService;
let bus: BusConnection;
let client: BusClient;
let oneclick: string;
let ton: TonAccountReader;

beforeAll(async () => {
  process.env['LOG_LEVEL'] ??= 'silent';
  [nats, anvil, database] = await Promise.all([
    startNats(),
    startAnvil({ chainId: 8453 }),
    freshDatabase('sandbox', migrateSandbox),
  ]);
  const stateFile = join(folder, 'world.json');
  harness = await deployLocalChains([{ chainId: 8453, rpcUrl: anvil.url }], undefined);
  writePrivateFile(stateFile, harness);
  app = await start({
    TOLLBRIDGE_ENV: 'sandbox',
    SANDBOX_NATS_URL: nats.url,
    SANDBOX_MANAGEMENT_PORT_NUMBER: '0',
    SANDBOX_DATABASE_URL: database.runtimeUrl,
    SANDBOX_DATABASE_CONNECTIONS: testConnections,
    SANDBOX_EVM_NODES: `8453=${anvil.url}`,
    SANDBOX_WORLD_FILE: stateFile,
    SANDBOX_SIMULATORS_PORT_NUMBER: '0',
    SANDBOX_EXPOSED: 'on',
    SANDBOX_SIMULATORS_PUBLIC_URL: 'http://simulators.example',
  });
  bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
  client = new BusClient(bus, new AnyCaller());
  const { address } = app.context.get(Simulators, { strict: false });
  oneclick = `${address}/oneclick`;
  ton = new TonAccountReader({ url: `${address}/toncenter/api/v2/jsonRPC` });
});
afterAll(async () => {
  client?.close();
  await bus?.close();
  await app?.close();
  await Promise.all([nats?.remove(), anvil?.stop(), database?.drop()]);
  rmSync(folder, { recursive: true });
});

async function failureOf(operation: BusOperation<any, any>, input: unknown): Promise<DomainError> {
  const outcome: unknown = await client.call(operation, input).catch((error: unknown) => error);
  if (outcome instanceof DomainError) return outcome;
  throw new Error(`${operation.name} was not rejected but returned ${JSON.stringify(outcome)}`);
}

async function assetId(blockchain: string, symbol: string): Promise<string> {
  const tokens = (await (await fetch(`${oneclick}/v0/tokens`)).json()) as any[];
  return tokens.find((it) => it.blockchain === blockchain && it.symbol === symbol).assetId;
}

const bitcoin = chains.find(({ id }) => id === 'btc')!;
const merchant = '0x1111111111111111111111111111111111111111';

/** Returns a committed quote for 20 USDC on the local chain. */
async function quote(blockchain: string, symbol: string, refundTo: string): Promise<any> {
  const body = {
    dry: false,
    swapType: 'EXACT_OUTPUT',
    slippageTolerance: 100,
    originAsset: await assetId(blockchain, symbol),
    depositType: 'ORIGIN_CHAIN',
    destinationAsset: await assetId('base', 'USDC'),
    amount: '20000000',
    refundTo,
    refundType: 'ORIGIN_CHAIN',
    recipient: merchant,
    recipientType: 'DESTINATION_CHAIN',
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const reply = await fetch(`${oneclick}/v0/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { quote: unknown }).quote;
}

const statusOf = async (address: string): Promise<any> =>
  (await fetch(`${oneclick}/v0/status?depositAddress=${address}`)).json();

const fromBitcoin = () => quote('btc', 'BTC', generateAddress(bitcoin));

describe('POST /sandbox/deposit', () => {
  it('200: pays a quote on a chain without a node, and the recipient receives real tokens', async () => {
    const { depositAddress, amountIn } = await fromBitcoin();

    const { tx_hash } = await client.call(depositToLedger, {
      deposit_address: depositAddress,
      amount: amountIn,
    });

    await eventually(async () => {
      const { status, swapDetails } = await statusOf(depositAddress);
      expect(status).toBe('SUCCESS');
      expect(swapDetails.originChainTxHashes[0].hash).toBe(tx_hash);
    });
    const usdc = harness.chains[0]!.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const abi = ['function balanceOf(address account) view returns (uint256)'];
    const balanceOf = new Contract(usdc.address!, abi, anvil.provider).getFunction('balanceOf');
    expect(await balanceOf.staticCall(merchant)).toBe(20_000_000n);
  });

  it('404 NOT_FOUND: rejects an address without a quote, and a wrong memo', async () => {
    const { depositAddress } = await fromBitcoin();
    for (const input of [
      { deposit_address: generateAddress(bitcoin), amount: '1' },
      { deposit_address: depositAddress, deposit_memo: '7', amount: '1' },
    ])
      expect(await failureOf(depositToLedger, input)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('409 CONFLICT: rejects an address on a local node', async () => {
    const { depositAddress } = await quote('base', 'ETH', merchant);

    const failure = await failureOf(depositToLedger, { deposit_address: depositAddress, amount: '1' });

    expect(failure).toMatchObject({ code: 'CONFLICT', status: 409 });
  });

  it('400 VALIDATION_ERROR: rejects a missing amount', async () => {
    const failure = await failureOf(depositToLedger, { deposit_address: 'somewhere', amount: '0' });
    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'amount' }] });
  });
});

describe('POST /sandbox/prices', () => {
  it('200: sets the price of a token', async () => {
    expect(await client.call(setPrice, { symbol: 'DOGE', usd: '0.5' })).toEqual({
      symbol: 'DOGE',
      usd: '0.5',
    });

    const tokens = (await (await fetch(`${oneclick}/v0/tokens`)).json()) as any[];
    expect(tokens.find(({ symbol }) => symbol === 'DOGE').price).toBe(0.5);
  });

  it('404 NOT_FOUND: rejects an unknown symbol', async () => {
    expect(await failureOf(setPrice, { symbol: 'NOPE', usd: '1' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['0', '0.000', '-1', '1e3', 'one'])('400 VALIDATION_ERROR: rejects a price of %s', async (usd) => {
    const failure = await failureOf(setPrice, { symbol: 'ETH', usd });
    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'usd' }] });
  });
});

describe('POST /sandbox/rates', () => {
  const ratesOf = async (source: 'ecb' | 'openexchangerates') => {
    const base = oneclick.replace('oneclick', source);
    const rates: RateSource =
      source === 'ecb'
        ? new EuropeanCentralBank(base)
        : new OpenExchangeRates({ baseUrl: base, appId: openExchangeRatesAppId });
    const readings = await rates.read(AbortSignal.timeout(10_000));
    return new Map(readings.map(({ currency, perUsd, atMs }) => [currency, { perUsd, atMs }]));
  };

  it('200: sets the rate of a currency at every source', async () => {
    expect(await client.call(setExchangeRate, { currency: 'JPY', per_usd: '160' })).toEqual({
      currency: 'JPY',
      per_usd: '160',
    });

    expect((await ratesOf('openexchangerates')).get('JPY')!.perUsd).toBe('160');
    expect((await ratesOf('ecb')).get('JPY')!.perUsd).toMatch(/^(159\.99|160)/);
  });

  it('200: sets the rate at one source, with a time in the past', async () => {
    await client.call(setExchangeRate, {
      currency: 'CHF',
      per_usd: '0.5',
      source: 'openexchangerates',
      frozen_at: '2026-11-20T12:00:00Z',
    });

    const [first, second] = [await ratesOf('openexchangerates'), await ratesOf('ecb')];
    expect(first.get('CHF')).toEqual({ perUsd: '0.5', atMs: Date.UTC(2026, 10, 20, 12) });
    expect(first.get('EUR')!.atMs).toBe(Date.UTC(2026, 10, 20, 12));
    expect(second.get('CHF')!.perUsd).toMatch(/^(0\.79|0\.8)/);

    await client.call(setExchangeRate, { currency: 'CHF', per_usd: '0.8' });
    const [current] = [...(await ratesOf('openexchangerates')).values()];
    expect(Date.now() - current!.atMs).toBeLessThan(60 * 60_000);
  });

  it.each([
    { currency: 'USD', per_usd: '1' },
    { currency: 'QQQ', per_usd: '1' },
    { currency: 'KWD', per_usd: '0.3', source: 'ecb' },
  ])('404 NOT_FOUND: rejects a currency that the source does not publish: %p', async (input) => {
    expect(await failureOf(setExchangeRate, input)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['per_usd', '0'],
    ['per_usd', '0.000'],
    ['per_usd', '-1'],
    ['per_usd', '1e3'],
    ['currency', 'euro'],
    ['source', 'nowhere'],
    ['frozen_at', 'yesterday'],
  ])('400 VALIDATION_ERROR: rejects %s %s', async (field, value) => {
    const input = { currency: 'EUR', per_usd: '0.92', [field]: value };
    expect(await failureOf(setExchangeRate, input)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field }],
    });
  });
});

describe('POST /sandbox/oneclick/deadline', () => {
  it('200: refunds an insufficient deposit immediately', async () => {
    const { depositAddress, minAmountIn } = await fromBitcoin();
    const amount = String(BigInt(minAmountIn) - 1n);
    await client.call(depositToLedger, { deposit_address: depositAddress, amount });
    await eventually(async () => expect((await statusOf(depositAddress)).status).toBe('INCOMPLETE_DEPOSIT'));

    const { deadline } = await client.call(passDeadline, { deposit_address: depositAddress });

    // The original deadline was in one hour.
    expect(Math.abs(Date.parse(deadline) - Date.now())).toBeLessThan(60_000);
    await eventually(async () => expect((await statusOf(depositAddress)).status).toBe('REFUNDED'));
  });

  it('404 NOT_FOUND: rejects an address without a quote', async () => {
    const failure = await failureOf(passDeadline, { deposit_address: 'nowhere' });
    expect(failure).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('400 VALIDATION_ERROR: rejects a missing address', async () => {
    expect(await failureOf(passDeadline, {})).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('POST /sandbox/oneclick/outage', () => {
  it('200: takes the provider down and up again', async () => {
    expect(await client.call(setOutage, { mode: 'down' })).toEqual({ mode: 'down' });
    expect((await fetch(`${oneclick}/v0/tokens`)).status).toBe(503);

    await client.call(setOutage, { mode: 'up' });

    expect((await fetch(`${oneclick}/v0/tokens`)).status).toBe(200);
  });

  it.each(['across', 'lifi'] as const)('200: takes %s down, but no other provider', async (provider) => {
    const list = `${oneclick.replace('oneclick', '')}${{ across: 'across/swap', lifi: 'lifi/v1' }[provider]}/chains`;
    await client.call(setOutage, { mode: 'down', provider });
    expect((await fetch(list)).status).toBe(503);
    expect((await fetch(`${oneclick}/v0/tokens`)).status).toBe(200);

    await client.call(setOutage, { mode: 'up', provider });

    const chains: any = await (await fetch(list)).json();
    expect(chains.chains ?? chains).toHaveLength(1);
  });

  it.each(['ecb', 'openexchangerates'] as const)('200: takes the rates of %s down', async (provider) => {
    const path = { ecb: 'stats/eurofxref/eurofxref-daily.xml', openexchangerates: 'api/currencies.json' };
    const url = `${oneclick.replace('oneclick', provider)}/${path[provider]}`;
    await client.call(setOutage, { mode: 'down', provider });
    expect((await fetch(url)).status).toBe(503);

    await client.call(setOutage, { mode: 'up', provider });

    expect((await fetch(url)).status).toBe(200);
  });

  it('400 VALIDATION_ERROR: rejects an unknown mode', async () => {
    expect(await failureOf(setOutage, { mode: 'sideways' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

const tonAccount = () => `0:${randomBytes(32).toString('hex')}`;

describe('POST /sandbox/ton/faucet', () => {
  it('200: sends coins, jettons, or both', async () => {
    const address = tonAccount();
    const first = await client.call(fundTonAccount, { address, ton: '2000000000' });
    expect(await ton.getBalance(address)).toBeGreaterThan(1_999_999_000n);
    const owner = { owner: address, master: first.usdt_master };
    expect(await jettonWalletOf(ton, owner)).toMatchObject({ isDeployed: false });

    await client.call(fundTonAccount, { address, usdt: '7000000' });
    await client.call(fundTonAccount, { address, ton: '1', usdt: '1' });

    expect(await jettonWalletOf(ton, owner)).toMatchObject({ balanceAtomic: 7_000_001n });
  });

  it('400 VALIDATION_ERROR: rejects a missing gift, too large a gift, and a missing account', async () => {
    const address = tonAccount();
    const cases: [object, string][] = [
      [{ address }, 'ton'],
      [{ address, ton: String(10n ** 15n + 1n) }, 'ton'],
      [{ address, usdt: String(10n ** 15n + 1n) }, 'usdt'],
      [{ address: `-1${address.slice(1)}`, ton: '1' }, 'address'],
      [{ address: merchant, ton: '1' }, 'address'],
    ];
    for (const [input, field] of cases)
      expect(await failureOf(fundTonAccount, input)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field }],
      });
  });
});

describe('POST /sandbox/nanopay/deposit', () => {
  it('200: pays USDT to the deposit account and notifies it', async () => {
    const address = tonAccount();

    const reply = await client.call(depositToNanopay, { address, amount: '1500000' });

    expect(reply).toMatchObject({ address, deposit_address: await sandboxEnclaveWallet().address() });
    const { transactions } = await ton.getTransactions(reply.deposit_address, 0n, 100);
    expect(transactions.at(-1)!.hash).toBe(reply.tx_hash);
  });

  it('400 VALIDATION_ERROR: rejects a missing account and a missing amount', async () => {
    for (const [input, ...fields] of [
      [{ address: 'somewhere', amount: '1' }, 'address'],
      [{ address: tonAccount(), amount: '0' }, 'amount'],
      [{ address: 'somewhere', amount: String(10n ** 15n + 1n) }, 'address', 'amount'],
    ] as const)
      expect(await failureOf(depositToNanopay, input)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: fields.map((field) => ({ field })),
      });
  });
});

describe('Local deployment', () => {
  it('lists the URLs of the simulators', async () => {
    const reply = await client.call(sandboxApi.operations.describe, {});

    expect(reply.simulators).toEqual({
      oneclick: 'http://simulators.example/oneclick',
      defillama: 'http://simulators.example/defillama',
      ecb: 'http://simulators.example/ecb',
      openexchangerates: 'http://simulators.example/openexchangerates',
      across: 'http://simulators.example/across',
      lifi: 'http://simulators.example/lifi/v1',
      toncenter: 'http://simulators.example/toncenter/api/v2/jsonRPC',
      solana: 'http://simulators.example/solana',
      tron: 'http://simulators.example/tron',
      sui: 'http://simulators.example/sui/graphql',
    });
  });

  it('adds contracts that an earlier version did not deploy, and leaves the existing ones', async () => {
    const [chain] = harness.chains;
    const earlier = {
      ...harness,
      accounts: harness.accounts.filter(({ role }) => role !== 'solver'),
      chains: [{ ...chain!, tokens: chain!.tokens.filter(({ symbol }) => symbol !== 'WETH') }],
    } as unknown as LocalDeployment;

    const upgraded = await deployLocalChains([{ chainId: 8453, rpcUrl: anvil.url }], earlier);

    expect(upgraded.merchant).toEqual(harness.merchant);
    const [before, after] = [earlier, upgraded].map((it) => it.chains[0]!.tokens);
    expect(after!.slice(0, -1)).toEqual(before);
    expect(after!.at(-1)).toMatchObject({ symbol: 'WETH', decimals: 18 });
    expect(solverOf(upgraded).address).toBe(solverOf(harness).address);
  });

  it('changes nothing when the contracts are deployed again', async () => {
    const height = await anvil.height();

    expect(await deployLocalChains([{ chainId: 8453, rpcUrl: anvil.url }], harness)).toEqual(harness);

    expect(await anvil.height()).toBe(height);
  });
});

describe(demoPayerApi.operations.sendCalls.summary, () => {
  const { sendCalls } = demoPayerApi.operations;
  const to = '0x1111111111111111111111111111111111111112';
  const coins = (value: string) => ({ to, data: '0x', value });

  it('OK: sends each transaction in its order', async () => {
    const chain = 'eip155:8453';
    const sends = [1, 2].map(() => client.call(sendCalls, { chain, calls: [coins('2'), coins('3')] }));
    const replies = await Promise.all(sends);
    expect(new Set(replies.map(({ tx_hash }) => tx_hash)).size).toBe(2);
    expect(await anvil.provider.getBalance(to)).toBe(10n);
  });

  it('CONFLICT: the chain rejects a transaction', async () => {
    const { address } = harness.chains[0]!.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const calls = [{ to: address!, data: '0xdeadbeef', value: '0' }];
    expect((await failureOf(sendCalls, { chain: 'eip155:8453', calls })).code).toBe('CONFLICT');
  });

  it('NOT_FOUND: the chain has no local node', async () => {
    expect((await failureOf(sendCalls, { chain: 'eip155:1', calls: [coins('1')] })).code).toBe('NOT_FOUND');
  });
});

const { readClock, advanceClock } = sandboxClockApi.operations;
const minuteMs = 60_000;
const aheadMs = async () => (await client.call(clockAheadApi.operations.clockAhead, {})).ahead_ms;
const blockTimeMs = async () => {
  const block = (await anvil.send('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
  return Number(block.timestamp) * 1_000;
};

describe('GET /sandbox/clock', () => {
  it('200: returns the real time at first', async () => {
    const { now, ahead_ms } = await client.call(readClock, {});
    expect(ahead_ms).toBe(0);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(minuteMs);
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    expect((await failureOf(readClock, { at: 1 })).code).toBe('VALIDATION_ERROR');
  });
});

// Runs last, because the time can only advance.
describe('POST /sandbox/clock', () => {
  it('200: advances the clock of the chain, the simulators and the subscribed apps', async () => {
    let messages = 0;
    const listening = bus.nats.subscribe(clockAdvancedSubject, { callback: () => messages++ });
    await bus.nats.flush();
    const block = Number(await anvil.send('eth_blockNumber', []));
    const { now, ahead_ms } = await client.call(advanceClock, { by: '40m' });
    expect([ahead_ms, await aheadMs()]).toEqual([40 * minuteMs, 40 * minuteMs]);
    expect(Math.abs(Date.parse(now) - Date.now() - 40 * minuteMs)).toBeLessThan(minuteMs);
    expect(Math.abs((await blockTimeMs()) - Date.parse(now))).toBeLessThan(minuteMs);
    expect(Number(await anvil.send('eth_blockNumber', []))).toBe(block + 128);
    expect(Math.abs(app.clock.now() - Date.parse(now))).toBeLessThan(minuteMs);
    await eventually(() => expect(messages).toBe(1));
    listening.unsubscribe();
    // The sandbox receives its own message, and does not count it as a rejected call.
    const { text } = await app.metrics.exposition();
    expect(text).not.toMatch(/^tollbridge_calls_rejected_total.* [1-9]/m);
  });

  it('200: adds the advances of ten concurrent requests', async () => {
    const before = await aheadMs();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.call(advanceClock, { by: '30s' })),
    );
    expect(await aheadMs()).toBe(before + 5 * minuteMs);
    expect(Math.max(...replies.map(({ ahead_ms }) => ahead_ms))).toBe(before + 5 * minuteMs);
    expect(Math.abs((await blockTimeMs()) - app.clock.now())).toBeLessThan(2 * minuteMs);
  });

  it.each(['0m', '-5m', '40', 'm', '1.5h', '367d', '9999999h'])(
    '400 VALIDATION_ERROR: rejects %s',
    async (by) => {
      expect((await failureOf(advanceClock, { by })).code).toBe('VALIDATION_ERROR');
    },
  );

  it('400 VALIDATION_ERROR: rejects a clock that would be ahead by more than ten years', async () => {
    for (let year = 0; year < 9; year++) await client.call(advanceClock, { by: '366d' });
    const error = await failureOf(advanceClock, { by: '366d' });
    expect([error.code, await aheadMs()]).toEqual([
      'VALIDATION_ERROR',
      9 * 366 * 24 * 60 * minuteMs + 45 * minuteMs,
    ]);
  });
});

it('covers each operation and each declared error', () => {
  const operations = [sandboxControlsApi, sandboxClockApi].flatMap((api) => Object.values(api.operations));
  expect(missingCases(operations, readFileSync(__filename, 'utf8'))).toEqual([]);
});
