import { PayoutPreview, payoutsApi, PayoutsReply } from '@tollbridge/contracts';
import { chains, findChain, sampleAddress, type Chain } from '@tollbridge/chains';
import { decode } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Contract, getAddress, HDNodeWallet, randomBytes, hexlify } from 'ethers';
import { v7 as uuid } from 'uuid';
import { PayoutsHarness } from './testing/payouts-harness';

const { previewPayout, submitPayout, getPayout, listPayouts } = payoutsApi.operations;
const usdc = 10n ** 6n;
let harness: PayoutsHarness;

beforeAll(async () => {
  harness = await PayoutsHarness.start();
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.asked = [];
  harness.reply = undefined;
  harness.instead = () => undefined;
});

const randomAddress = (): string => getAddress(hexlify(randomBytes(20)));
const wish = (changes: object = {}): Record<string, unknown> => ({
  wallet: harness.wallet,
  chain: 'base',
  token: 'USDC',
  recipients: [{ address: randomAddress(), amount: 12.5 }],
  ...changes,
});
const preview = (changes?: object): Promise<PayoutPreview> => harness.call(previewPayout, wish(changes));
/** Returns the messages of a validation error by field. */
const problems = async (changes: object): Promise<Record<string, string>> => {
  const { code, details } = await harness.failureOf(previewPayout, wish(changes));
  expect(code).toBe('VALIDATION_ERROR');
  return Object.fromEntries(
    (details as { field: string; message: string }[]).map(({ field, message }) => [field, message]),
  );
};
/** Returns an address of Solana. All of them have the same first and last characters. */
const lookAlike = (letter: string): string => `Hn7c${letter.repeat(36)}W7Qh`;
const counted = async (): Promise<string> => {
  const [row] = await harness.database.query<{ count: string }>('SELECT count(*) FROM service_api.payouts');
  return row!.count;
};

describe('Preview', () => {
  it('returns exact total, fee and gas, and stores nothing', async () => {
    const before = await counted();
    const recipients = [
      { address: randomAddress(), amount: 0.1 },
      { address: randomAddress(), amount: 0.2 },
      { address: randomAddress().toLowerCase(), amount: 1.000001 },
    ];
    expect(await preview({ recipients })).toEqual({
      wallet: harness.wallet,
      chain: 'eip155:8453',
      token: 'USDC',
      recipientCount: 3,
      totalAmount: 1.300001,
      totalAmountAtomic: '1300001',
      // The exact fee is 6500.005 atomic units, which is rounded up.
      fee: 0.006501,
      feeAtomic: '6501',
      estimatedGas: expect.stringMatching(/^[1-9][0-9]{4,5}$/),
      gasSource: 'simulated',
      warnings: [],
      warningCount: 0,
    });
    expect(await counted()).toBe(before);
  });

  it('estimates the gas that the transfers use', async () => {
    const recipients = [randomAddress(), randomAddress(), harness.chain.stranger.address].map((address) => ({
      address,
      amount: 3,
    }));
    const { estimatedGas } = await preview({ recipients });
    let used = 0n;
    for (const { address } of recipients) {
      const hash = await harness.chain.transfer(address, 3n * usdc, harness.chain.usdc.address);
      used += (await harness.chain.anvil.provider.getTransactionReceipt(hash))!.gasUsed;
    }
    expect(BigInt(estimatedGas)).toBe(used);
  });

  it('accepts the list as JSON text and the token by address', async () => {
    const recipients = [{ address: randomAddress(), amount: 2.5 }];
    const asList = await preview({ recipients });
    expect(await preview({ recipients: JSON.stringify(recipients) })).toEqual(asList);
    expect(await preview({ recipients, token: harness.chain.usdc.address, chain: 'eip155:8453' })).toEqual(
      asList,
    );
  });

  it('accepts native coins', async () => {
    const paid = await preview({
      token: 'ETH',
      recipients: [{ address: randomAddress(), amount: 0.000000001 }],
    });
    expect(paid).toMatchObject({
      totalAmountAtomic: '1000000000',
      feeAtomic: '5000000',
      estimatedGas: '21000',
    });
  });

  it('accepts 1,000 recipients with few requests to the node, and rejects 1,001 without any', async () => {
    const recipients = Array.from({ length: 1_000 }, () => ({ address: randomAddress(), amount: 0.000001 }));
    const paid = await preview({ recipients });
    // The fee of the total is 5 units. The fee of each transfer would be rounded up to 1 unit.
    expect(paid).toMatchObject({
      recipientCount: 1_000,
      totalAmountAtomic: '1000',
      feeAtomic: '5',
      gasSource: 'simulated',
    });
    // The gas that is assumed when a transfer cannot be simulated is close to this.
    const gasOfOne = Number(paid.estimatedGas) / 1_000;
    expect([gasOfOne > 55_000, gasOfOne < 65_000]).toEqual([true, true]);
    expect(harness.asked.filter(({ method }) => method === 'eth_simulateV1')).toHaveLength(10);
    harness.asked = [];
    expect(await problems({ recipients: [...recipients, { address: randomAddress(), amount: 1 }] })).toEqual({
      recipients: 'must have at most 1000 items',
    });
    expect(harness.asked).toEqual([]);
  });
});

describe('Validation without a request to the chain', () => {
  afterEach(() => expect(harness.asked).toEqual([]));

  it('returns all field errors', async () => {
    const [good] = [randomAddress()];
    const wrongChecksum = '0x70997970c51812dc3A010C7d01b50e0d17dc79C8';
    expect(
      await problems({
        wallet: 'me',
        recipients: [
          { address: good, amount: 0 },
          { address: '0x1234', amount: 1.0000001 },
          { address: `0x${'0'.repeat(40)}`, amount: -1 },
          { address: wrongChecksum, amount: '1' },
          { address: good.toLowerCase(), amount: 1e-30 },
          { address: harness.chain.usdc.address, amount: 1e21 },
          { amount: 0.30000000000000004, memo: 'x' },
          'invalid',
        ],
      }),
    ).toEqual({
      wallet: 'the address must be 0x and 40 hexadecimal digits',
      'recipients[0].amount': 'must be greater than 0',
      'recipients[1].address': 'the address must be 0x and 40 hexadecimal digits',
      'recipients[1].amount': 'must have at most 6 digits after the point, as USDC has',
      'recipients[2].address': expect.stringContaining('no key controls this address'),
      'recipients[2].amount': 'must be greater than 0',
      'recipients[3].address': expect.stringContaining('checksum'),
      'recipients[3].amount': 'must be a number',
      'recipients[4].address':
        'is the address of recipients[0] too; with allowDuplicates it is paid each time',
      'recipients[4].amount': 'must have at most 6 digits after the point, as USDC has',
      'recipients[5].address': expect.stringMatching(
        /^this is the USDC token contract of Base.* would be lost/,
      ),
      'recipients[5].amount': 'must be 1000000000000000 or less',
      'recipients[6].memo': 'is not a known field',
      'recipients[6].address': 'is missing',
      'recipients[6].amount': 'must have at most 15 digits, as many as a number holds exactly',
      'recipients[7]': 'must be an object',
    });
  });

  it.each([
    ['empty', [], 'must not be empty'],
    ['not a list', { address: 1 }, 'must be a list, or the JSON text of one'],
    ['invalid JSON', '[{"address"', 'must be a list, or the JSON text of one'],
    ['JSON that is not a list', '{}', 'must be a list, or the JSON text of one'],
    ['text within text', JSON.stringify(JSON.stringify([])), 'must be a list, or the JSON text of one'],
    ['an object with a repeated key', '[{"amount":1,"amount":2}]', 'must be a list, or the JSON text of one'],
    ['nested too deeply', '['.repeat(200_000), 'must be a list, or the JSON text of one'],
  ])('rejects a list that is %s', async (_case, recipients, message) => {
    expect(await problems({ recipients })).toEqual({ recipients: message });
  });

  it('rejects numbers that JSON parsing would change', async () => {
    const text = `[{"address":"${randomAddress()}","amount":9007199254740993},{"address":"${randomAddress()}","amount":1.00000000000000001}]`;
    expect(await problems({ recipients: text })).toEqual({
      'recipients[0].amount': 'must be a number',
      'recipients[1].amount': 'must be a number',
    });
  });

  it('rejects unknown chains and tokens', async () => {
    expect(await problems({ chain: 'tonn' })).toEqual({
      chain: '"tonn" is not a known chain (did you mean "ton"?); GET /api/v1/pay/chains lists the chains',
    });
    expect(await problems({ token: harness.chain.fakeUsdc.address, extra: 1 })).toEqual({
      token: 'must be a known token on Base; GET /api/v1/pay/chains lists the tokens',
      extra: 'is not a known field',
    });
  });

  it('rejects a wallet other than that of the key', async () => {
    const { stranger } = harness.chain;
    for (const operation of [previewPayout, submitPayout]) {
      const failure = await harness.failureOf(operation, wish(), stranger.address);
      expect(failure).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('Warnings', () => {
  const likeOf = (address: string): string =>
    getAddress(
      `${address.slice(0, 6)}${hexlify(randomBytes(16)).slice(2)}${address.slice(-4)}`.toLowerCase(),
    );

  it("report lookalikes, duplicates and the payer's own wallet", async () => {
    const first = randomAddress();
    const recipients = [first, likeOf(first), likeOf(harness.wallet), first, harness.wallet].map(
      (address) => ({
        address,
        amount: 1,
      }),
    );
    const { warnings, warningCount } = await preview({ recipients, allowDuplicates: true });
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['LOOK_ALIKE', 'recipients[1].address'],
      ['LOOK_ALIKE', 'recipients[2].address'],
      ['DUPLICATE', 'recipients[3].address'],
      ['OWN_WALLET', 'recipients[4].address'],
    ]);
    expect(warningCount).toBe(4);
    expect(warnings[0]!.message).toContain('recipients[0]');
    expect(warnings[1]!.message).toContain('your own wallet');
  });

  it('report a lookalike of an address paid before', async () => {
    const paid = randomAddress();
    await harness.call(submitPayout, wish({ recipients: [{ address: paid, amount: 1 }] }));
    expect(await preview({ recipients: [{ address: paid, amount: 1 }] })).toMatchObject({ warnings: [] });
    const { warnings } = await preview({ recipients: [{ address: likeOf(paid), amount: 1 }] });
    expect(warnings).toEqual([
      { code: 'LOOK_ALIKE', field: 'recipients[0].address', message: expect.stringContaining(paid) },
    ]);
  });

  it('report an insufficient balance, with assumed gas', async () => {
    const poor = HDNodeWallet.createRandom().address;
    const given = wish({ wallet: poor, recipients: [{ address: randomAddress(), amount: 1 }] });
    const answered = await harness.call(previewPayout, given, poor);
    expect(answered).toMatchObject({
      gasSource: 'assumed',
      estimatedGas: '65000',
      warnings: [{ code: 'INSUFFICIENT_BALANCE', field: 'wallet' }],
      warningCount: 1,
    });
  });

  it('report an uncovered fee', async () => {
    const owner = HDNodeWallet.createRandom().address;
    await harness.chain.transfer(owner, 100n * usdc, harness.chain.usdc.address);
    const given = wish({ wallet: owner, recipients: [{ address: randomAddress(), amount: 100 }] });
    expect(await harness.call(previewPayout, given, owner)).toMatchObject({
      gasSource: 'simulated',
      warnings: [{ code: 'INSUFFICIENT_BALANCE' }],
    });
  });

  it('report a recipient that the issuer blocks', async () => {
    const blocked = randomAddress();
    const deployer = harness.chain.anvil.wallet(0);
    const contract = new Contract(
      harness.chain.usdc.address,
      ['function blacklist(address account)'],
      deployer,
    );
    const { hash } = await contract.getFunction('blacklist').send(blocked);
    await harness.chain.mined(hash);
    const recipients = [randomAddress(), blocked].map((address) => ({ address, amount: 1 }));
    expect(await preview({ recipients })).toMatchObject({
      gasSource: 'assumed',
      warnings: [{ code: 'RECIPIENT_REFUSED', field: 'recipients[1].address' }],
    });
  });

  it('contain 100 entries at most, and a count of all', async () => {
    const address = randomAddress();
    const recipients = Array.from({ length: 150 }, () => ({ address, amount: 1 }));
    const { warnings, warningCount } = await preview({ recipients, allowDuplicates: true });
    expect([warnings.length, warningCount]).toEqual([100, 149]);
  });
});

describe('A node', () => {
  const unavailable = { code: 'UPSTREAM_UNAVAILABLE' };

  it.each<[string, PayoutsHarness['reply']]>([
    ['is down', { status: 503 }],
    ['answers garbage', { body: '<html>' }],
    ['closes during the reply', { half: '{"jsonrpc"' }],
    ['limits the rate', { status: 429, headers: { 'retry-after': '1' } }],
    ['never answers', { silent: true }],
  ])("causes 502 before the client's time-out when it %s", async (_case, reply) => {
    harness.reply = reply;
    const before = await counted();
    const startedMs = performance.now();
    for (const operation of [previewPayout, submitPayout])
      expect(await harness.failureOf(operation, wish())).toMatchObject(unavailable);
    expect(performance.now() - startedMs).toBeLessThan(18_000);
    expect(await counted()).toBe(before);
    harness.reply = undefined;
    // The node is unhealthy for a while before it is called again.
    await eventually(() => preview());
  });

  it('causes 502 when it returns invalid results', async () => {
    harness.instead = ({ method }) => (method === 'eth_simulateV1' ? { result: [{ calls: [] }] } : undefined);
    expect(await harness.failureOf(previewPayout, wish())).toMatchObject(unavailable);
    harness.instead = ({ method }) => (method === 'eth_call' ? { result: '0x' } : undefined);
    expect(await harness.failureOf(previewPayout, wish())).toMatchObject(unavailable);
  });

  it('gets one request per transfer when it does not support simulation', async () => {
    const recipients = [randomAddress(), randomAddress()].map((address) => ({ address, amount: 1 }));
    const simulated = await preview({ recipients });
    harness.instead = ({ method }) =>
      method === 'eth_simulateV1'
        ? { error: { code: -32601, message: 'the method eth_simulateV1 does not exist/is not available' } }
        : undefined;
    const estimated = await preview({ recipients });
    expect(estimated.gasSource).toBe('simulated');
    // An estimate is slightly above the gas that the call uses, because it includes headroom.
    const [used, needed] = [BigInt(simulated.estimatedGas), BigInt(estimated.estimatedGas)];
    expect(needed).toBeGreaterThanOrEqual(used);
    expect(needed).toBeLessThan((used * 13n) / 10n);
    expect(harness.asked.filter(({ method }) => method === 'eth_estimateGas')).toHaveLength(2);
  });
});

describe('Submission', () => {
  const unsent = { status: 'pending', transactionHash: null };

  it('stores a pending payout that only its owner can read', async () => {
    const recipients = [
      { address: randomAddress().toLowerCase(), amount: 0.1 },
      { address: randomAddress(), amount: 20 },
    ];
    const reply = await harness.call(submitPayout, wish({ recipients }));
    expect(reply).toMatchObject({
      wallet: harness.wallet,
      recipientCount: 2,
      totalAmount: 20.1,
      fee: 0.1005,
      status: 'pending',
      message: expect.stringContaining('not active'),
    });
    const stored = await harness.call(getPayout, { id: reply.payoutId });
    expect(stored).toEqual({
      ...reply,
      state: null,
      approveBefore: null,
      allowance: null,
      batches: [],
      recipients: [
        { address: getAddress(recipients[0]!.address), amount: 0.1, amountAtomic: '100000', ...unsent },
        { address: recipients[1]!.address, amount: 20, amountAtomic: '20000000', ...unsent },
      ],
    });
    const { address } = harness.chain.stranger;
    for (const [id, as] of [
      [reply.payoutId, address],
      [uuid(), harness.wallet],
      ['17', harness.wallet],
    ] as const)
      expect(await harness.failureOf(getPayout, { id }, as)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stores one payout per Idempotency-Key', async () => {
    const before = Number(await counted());
    const given = wish();
    const key = uuid();
    const submit = () => harness.call(submitPayout, given, harness.wallet, key);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, submit));
    const first = outcomes.find((it) => it.status === 'fulfilled')!;
    expect(await submit()).toEqual((first as PromiseFulfilledResult<unknown>).value);
    expect(Number(await counted())).toBe(before + 1);
  });

  it('reserves no budget', async () => {
    // The merchant app does not run in this test, so a reservation would fail.
    expect(await harness.call(submitPayout, wish())).toMatchObject({ status: 'pending' });
  });
});

describe('The list of payouts', () => {
  const list = (query: object = {}, as = harness.chain.stranger.address): Promise<PayoutsReply> =>
    harness.call(listPayouts, query, as);
  const submit = async (recipients: object[]): Promise<string> => {
    const wallet = harness.chain.stranger.address;
    return (await harness.call(submitPayout, wish({ wallet, recipients }), wallet)).payoutId;
  };
  const some = (count: number) =>
    Array.from({ length: count }, () => ({ address: randomAddress(), amount: 2 }));

  it('returns each payout of the wallet once, newest first, page by page', async () => {
    const made: string[] = [];
    for (const count of [1, 2, 3]) made.unshift(await submit(some(count)));
    const all = await list();
    expect(decode(PayoutsReply, all)).toMatchObject({ ok: true });
    expect(all.payouts.map(({ payoutId }) => payoutId)).toEqual(made);
    const { createdAt } = await harness.call(getPayout, { id: made[0] }, harness.chain.stranger.address);
    expect(all.payouts[0]).toEqual({
      payoutId: made[0],
      chain: 'eip155:8453',
      token: 'USDC',
      recipientCount: 3,
      totalAmountAtomic: '6000000',
      feeAtomic: '30000',
      state: null,
      approveBefore: null,
      createdAt,
    });
    expect(all.payouts.map(({ recipientCount }) => recipientCount)).toEqual([3, 2, 1]);
    const first = await list({ limit: 2 });
    expect([first.limit, first.payouts.length]).toEqual([2, 2]);
    const second = await list({ limit: 2, cursor: first.next_cursor });
    expect([second.payouts.map(({ payoutId }) => payoutId), second.next_cursor]).toEqual([[made[2]], null]);
    expect((await list({ state: 'awaiting_approval' })).payouts).toEqual([]);
  });

  it('returns only payouts of the wallet, and applies the maximum of 100 to a larger limit', async () => {
    expect(await list({ limit: 1_000 }, randomAddress())).toEqual({
      payouts: [],
      limit: 100,
      next_cursor: null,
    });
  });

  it('rejects an invalid state, limit and cursor', async () => {
    for (const query of [{ state: 'paid' }, { limit: 0 }, { cursor: 'x' }]) {
      const failure = await harness.failureOf(listPayouts, query);
      const details = [{ field: Object.keys(query)[0] }];
      expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details });
    }
  });
});

describe('A chain without a node', () => {
  const listed = chains.flatMap((chain) =>
    chain.id === 'eip155:8453' ? [] : chain.tokens.map(({ symbol }) => ({ chain, symbol })),
  );
  const wishOn = ({ id, family }: Chain, token: string): Record<string, unknown> => {
    const sample = sampleAddress(findChain(id)!);
    const wallet = family === 'evm' ? harness.wallet : sample;
    return wish({ chain: id, token, wallet, recipients: [{ address: sample, amount: 12.5 }] });
  };

  it.each(listed)('previews a payout of $symbol on $chain.id', async ({ chain, symbol }) => {
    const given = wishOn(chain, symbol);
    const reply = await harness.call(previewPayout, given);
    expect(decode(PayoutPreview, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({
      wallet: given['wallet'],
      chain: chain.id,
      token: symbol,
      recipientCount: 1,
      totalAmount: 12.5,
      fee: 0.0625,
      gasSource: 'assumed',
      estimatedGas: expect.stringMatching(/^[1-9][0-9]*$/),
    });
    expect(reply.warnings).toContainEqual(expect.objectContaining({ code: 'NOT_SIMULATED', field: 'chain' }));
    expect(harness.asked).toEqual([]);
  });

  it('stores a payout that is not sent, for keys of the paying wallet only', async () => {
    const solana = findChain('solana')!;
    const given = wishOn(solana, 'USDC');
    expect(await harness.failureOf(submitPayout, given)).toMatchObject({ code: 'FORBIDDEN' });
    const wallet = sampleAddress(solana);
    const reply = await harness.call(submitPayout, given, wallet);
    expect(reply).toMatchObject({
      wallet,
      status: 'pending',
      message: expect.stringContaining('not active'),
    });
    expect(await harness.call(getPayout, { id: reply.payoutId }, wallet)).toMatchObject({
      state: null,
      batches: [],
      recipients: [{ amount: 12.5, status: 'pending' }],
    });
  });

  it('does not show earlier recipients of another wallet', async () => {
    const solana = findChain('solana')!;
    const [paid, alike] = ['a', 'b'].map(lookAlike);
    const given = (address: string) => ({ ...wishOn(solana, 'USDC'), recipients: [{ address, amount: 1 }] });
    await harness.call(submitPayout, given(paid!), sampleAddress(solana));
    const codes = async (as: string) =>
      (await harness.call(previewPayout, given(alike!), as)).warnings.map(({ code }) => code);
    expect(await codes(sampleAddress(solana))).toContain('LOOK_ALIKE');
    expect(await codes(harness.wallet)).not.toContain('LOOK_ALIKE');
  });

  it('previews without CHAINS_FILE', async () => {
    await harness.stopApps();
    await harness.startApp({ CHAINS_FILE: '' });
    expect(await preview()).toMatchObject({ totalAmountAtomic: '12500000', gasSource: 'assumed' });
  });
});
