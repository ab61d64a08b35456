import { gainIndex, type MinedTransfers } from '@tollbridge/chain-port';
import { findChain, type DirectChain } from '@tollbridge/chains';
import { canonicalMoveType } from '@tollbridge/onchain/sui';
import {
  account,
  balanceChange,
  digestOf,
  otherPackageId,
  packageId,
  paidEvent,
  ScriptedNode,
  transactionJson,
  usdc,
} from '../testing/scripted-node';
import { SuiPaymentAdapter } from './sui-payment.adapter';

const txHash = digestOf('transaction');
const receiver = account('receiver');
const sui = canonicalMoveType('0x2::sui::SUI');
const whole = { hasNextPage: false, endCursor: null };
let chain: ScriptedNode;
let adapter: SuiPaymentAdapter;

beforeEach(() => {
  chain = new ScriptedNode();
  const described = {
    ...findChain('sui')!,
    payContract: packageId,
    formerPayContracts: [],
    payRegistry: { id: account('registry'), version: 7 },
    startHeight: 0,
  } as unknown as DirectChain;
  adapter = new SuiPaymentAdapter(described, { ask: (work) => work(chain.node) });
});

const read = async (seenIn: { height: number; hash: string } | null = null, token: string | null = usdc) => {
  const [found] = await adapter.readTransfers([{ txHash, token: { address: token }, receiver, seenIn }]);
  return found!;
};
const put = (changes: object[], rest: Parameters<typeof transactionJson>[2] = {}) =>
  chain.transactions.set(
    txHash,
    transactionJson(chain, txHash, {
      ...rest,
      effects: { balanceChanges: { nodes: changes, pageInfo: whole }, ...rest?.effects },
    }),
  );

const fake = `${account('fake')}::usdc::USDC`;

describe('SuiTransferReader', () => {
  it('returns the amount that the receiver gained', async () => {
    put([balanceChange(account('payer'), usdc, '-7'), balanceChange(receiver, usdc, '7')]);
    expect(await read()).toEqual({
      kind: 'mined',
      block: { height: 50, hash: digestOf('checkpoint 50'), timeMs: 50_000 },
      confirmations: 51,
      isSuccessful: true,
      transfers: [{ txHash, logIndex: gainIndex(receiver, usdc), from: account('payer'), amountAtomic: 7n }],
      otherTransfers: [],
      paysOrder: false,
      reference: null,
    });
  });

  it.each([
    ['to another account', [balanceChange(account('other'), usdc, '7')], []],
    [
      'of another token',
      [balanceChange(receiver, sui, '7')],
      [{ from: account('payer'), amountAtomic: 7n, tokenAddress: null }],
    ],
    [
      'of a token with the same name',
      [balanceChange(receiver, fake, '7')],
      [{ amountAtomic: 7n, tokenAddress: fake }],
    ],
    ['away from the receiver', [balanceChange(receiver, usdc, '-7')], []],
  ])('returns no transfer %s', async (_name, changes, otherTransfers) => {
    put(changes);
    expect(await read()).toMatchObject({ transfers: [], otherTransfers });
  });

  it('assigns a different index to each receiver and token of one transaction', async () => {
    const other = account('other');
    const gains = [receiver, other].flatMap((owner) => [
      balanceChange(owner, usdc, '7'),
      balanceChange(owner, sui, '8'),
    ]);
    put(gains);
    const wanted = [receiver, other].flatMap((to) =>
      [usdc, null].map((address) => ({ txHash, token: { address }, receiver: to, seenIn: null })),
    );
    const reads = (await adapter.readTransfers(wanted)) as MinedTransfers[];
    const transfers = reads.flatMap((it) => it.transfers);
    expect(transfers.map(({ amountAtomic }) => amountAtomic)).toEqual([7n, 8n, 7n, 8n]);
    expect(new Set(transfers.map(({ logIndex }) => logIndex)).size).toBe(4);
  });

  it('returns coins that an account other than the sender lost in a programmable transaction', async () => {
    put([balanceChange(account('vault'), sui, '-7'), balanceChange(receiver, sui, '7')]);
    expect(await read(null, null)).toMatchObject({
      transfers: [{ from: account('payer'), amountAtomic: 7n }],
    });
  });

  it('returns no transfer for coins that an account sends to itself', async () => {
    put([balanceChange(receiver, usdc, '7')], { sender: receiver });
    expect(await read()).toMatchObject({ transfers: [], otherTransfers: [] });
  });

  it('returns no transfer in a failed transaction', async () => {
    put([balanceChange(receiver, usdc, '7')], { status: 'FAILURE' });
    expect(await read()).toMatchObject({ isSuccessful: false, transfers: [] });
  });

  it('returns a transaction without a checkpoint, with the time of the chain', async () => {
    expect(await read()).toEqual({ kind: 'unmined', chainTimeMs: 100_000 });
    put([balanceChange(receiver, usdc, '7')], { effects: { checkpoint: null } });
    expect(await read()).toEqual({ kind: 'unmined', chainTimeMs: 100_000 });
  });

  it.each([
    ['lacks a transaction that was seen', () => undefined],
    ['lags behind the transaction', () => put([], { height: 101 })],
    ['returns it in another checkpoint', () => put([], { height: 49 })],
  ])('returns unavailable if the node %s', async (_name, prepare) => {
    prepare();
    expect(await read({ height: 50, hash: digestOf('checkpoint 50') })).toEqual({ kind: 'unavailable' });
  });

  it.each([
    ['another transaction', (it: any) => (it.digest = digestOf('other'))],
    ['no status', (it: any) => delete it.effects.status],
    ['an invalid status', (it: any) => (it.effects.status = true)],
    ['an invalid sender', (it: any) => (it.sender.address = '0x1')],
    ['an amount as a number', (it: any) => (it.effects.balanceChanges.nodes[0].amount = 7)],
    ['an amount with a fraction', (it: any) => (it.effects.balanceChanges.nodes[0].amount = '7.5')],
    ['an amount of 100 digits', (it: any) => (it.effects.balanceChanges.nodes[0].amount = '9'.repeat(100))],
    ['no type', (it: any) => (it.effects.balanceChanges.nodes[0].coinType.repr = null)],
    ['no page', (it: any) => delete it.effects.events],
  ])('rejects an answer with %s', async (_name, spoil) => {
    put([balanceChange(receiver, usdc, '7')]);
    spoil(chain.transactions.get(txHash));
    await expect(read()).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });

  it.each([packageId, otherPackageId])('recognises a payment to package %s', async (by) => {
    const { type, bcs } = paidEvent(50, txHash, undefined, by);
    put([], {
      effects: { events: { nodes: [{ contents: { type: { repr: type }, bcs } }], pageInfo: whole } },
    });
    expect((await read()) as MinedTransfers).toMatchObject({ paysOrder: true });
  });
});

describe('transactions of third parties', () => {
  const huge = `${account('fake')}::usdc::USDC<${'vector<'.repeat(2_000)}u8${'>'.repeat(2_000)}>`;

  it('parses types that are longer and deeper than ours', async () => {
    const events = { nodes: [{ contents: { type: { repr: huge } } }], pageInfo: whole };
    put([balanceChange(receiver, huge, '7'), balanceChange(receiver, usdc, '5')], { effects: { events } });
    expect(await read()).toMatchObject({
      transfers: [{ amountAtomic: 5n }],
      otherTransfers: [{ amountAtomic: 7n }],
      paysOrder: false,
    });
  });

  it('returns a transaction without a sender, such as a transaction of the network itself', async () => {
    put([balanceChange(receiver, usdc, '7')]);
    chain.transactions.get(txHash)!['sender'] = null;
    expect(await read()).toMatchObject({ transfers: [{ from: `0x${'0'.repeat(64)}` }] });
  });

  it('reads transactions one by one if they are too large together', async () => {
    put([balanceChange(receiver, usdc, '7')]);
    const other = digestOf('other transaction');
    chain.transactions.set(other, transactionJson(chain, other));
    chain.nextHeads = [100, 100, 90];
    chain.spoil = (data) =>
      (data['multiGetTransactions'] as unknown[]).length > 1 ? { padding: 'x'.repeat(2 ** 24) } : data;
    const wanted = [txHash, other].map((hash) => ({
      txHash: hash,
      token: { address: usdc },
      receiver,
      seenIn: null,
    }));
    expect(await adapter.readTransfers(wanted)).toMatchObject([
      { kind: 'mined', confirmations: 41, transfers: [{ amountAtomic: 7n }] },
      { kind: 'mined', transfers: [] },
    ]);
  });

  it('returns frozen coins, which have no owner', async () => {
    const frozen = { ...balanceChange(receiver, usdc, '7'), owner: null };
    put([frozen, balanceChange(receiver, usdc, '5')]);
    expect(await read()).toMatchObject({ transfers: [{ amountAtomic: 5n }], otherTransfers: [] });
  });

  it('reads more balance changes than one page', async () => {
    const effects = {
      balanceChanges: {
        nodes: [balanceChange(receiver, usdc, '7')],
        pageInfo: { hasNextPage: true, endCursor: '1' },
      },
    };
    put([], { effects });
    const rest = { nodes: [balanceChange(receiver, sui, '1')], pageInfo: whole };
    chain.spoil = (data) =>
      data['multiGetTransactions'] ? data : { ...data, transaction: { effects: { balanceChanges: rest } } };
    expect(await read()).toMatchObject({
      transfers: [{ amountAtomic: 7n }],
      otherTransfers: [{ amountAtomic: 1n, tokenAddress: null }],
    });
  });

  it('returns unavailable if the pages of balance changes never end', async () => {
    const endless = { nodes: [], pageInfo: { hasNextPage: true, endCursor: '1' } };
    put([], { effects: { balanceChanges: endless } });
    chain.spoil = (data) =>
      data['multiGetTransactions']
        ? data
        : { ...data, transaction: { effects: { balanceChanges: endless } } };
    expect(await read()).toEqual({ kind: 'unavailable' });
    expect(chain.requests).toBeLessThan(60);
  });
});

describe('readReport', () => {
  const report = () => adapter.readReport(txHash, { contractAddress: packageId });
  const pay = (by = packageId) => {
    const event = paidEvent(50, txHash, undefined, by);
    const node = { contents: { type: { repr: event.type }, bcs: event.bcs } };
    put([], { effects: { events: { nodes: [node], pageInfo: whole } } });
    return event;
  };

  it('returns the same payment index as nextUpdate', async () => {
    chain.events = [paidEvent(50, digestOf('earlier')), pay()];
    const found = await report();
    const update = await adapter.nextUpdate([], 64);
    expect(found).toMatchObject({ state: 'succeeded', paysOtherContract: false });
    if (found.state !== 'succeeded' || update.kind !== 'advance') throw new Error('expected payments');
    expect(found.payments).toEqual([update.payments[1]]);
  });

  it('waits while the node has the transaction but not its events', async () => {
    pay();
    await expect(report()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('recognises a payment to another package', async () => {
    pay(otherPackageId);
    expect(await report()).toMatchObject({ state: 'succeeded', payments: [], paysOtherContract: true });
  });

  it('distinguishes failed, pending and unknown transactions', async () => {
    expect(await report()).toEqual({ state: 'notFound' });
    put([], { effects: { checkpoint: null } });
    expect(await report()).toEqual({ state: 'pending' });
    put([], { status: 'FAILURE' });
    expect(await report()).toEqual({ state: 'failed', height: 50 });
  });
});

describe('walletCall', () => {
  const order = {
    id: '018f3b2c-7d4e-7a11-9c55-00d1e2f30415',
    token: { ...findChain('sui')!.tokens[1]!, address: usdc },
    merchantAddress: account('merchant'),
    merchantAmountAtomic: 97n,
    feeReceiver: account('platform'),
    feeAmountAtomic: 3n,
    expiresAtMs: 1_800_000_000_000,
  };
  const coin = (amount: number) => {
    const address = account(`coin ${amount}`);
    const bytes = Buffer.alloc(40);
    bytes.write(address.slice(2), 'hex');
    bytes.writeBigUInt64LE(BigInt(amount), 32);
    const type = { repr: `0x2::coin::Coin<${usdc}>` };
    return {
      address,
      version: 3,
      digest: digestOf('coin'),
      owner: { __typename: 'AddressOwner' },
      contents: { type, bcs: bytes.toString('base64') },
    };
  };

  it('returns null while the coins of the payer do not cover the order', async () => {
    chain.coins = [coin(60), coin(39)];
    expect(await adapter.walletCall(order, account('payer'))).toBeNull();
    chain.coins = [coin(60), coin(40)];
    expect(await adapter.walletCall(order, account('payer'))).toMatchObject({ family: 'sui' });
  });

  it('skips coins that consensus sequences, because a transaction with them would be invalid', async () => {
    chain.coins = [{ ...coin(200), owner: { __typename: 'ConsensusAddressOwner' } }, coin(99)];
    expect(await adapter.walletCall(order, account('payer'))).toBeNull();
  });

  it('transfers from coins that cover the amount, and from the gas coin for SUI', async () => {
    const transfer = {
      token: order.token,
      receiver: account('deposit'),
      amountAtomic: 100n,
      memo: null,
      expiresAtMs: 1,
    };
    chain.coins = [coin(60), coin(39)];
    expect(await adapter.transferCall(transfer, account('payer'))).toBeNull();
    chain.coins = [coin(60), coin(40)];
    expect(await adapter.transferCall(transfer, account('payer'))).toMatchObject({ family: 'sui' });
    const { requests } = chain;
    const inSui = { ...transfer, token: findChain('sui')!.tokens[0]! };
    expect(await adapter.transferCall(inSui, account('payer'))).toMatchObject({ family: 'sui' });
    expect(chain.requests).toBe(requests);
  });

  it('fails for a transfer that would lose its memo', async () => {
    const transfer = {
      token: order.token,
      receiver: account('deposit'),
      amountAtomic: 1n,
      memo: '4711',
      expiresAtMs: 1,
    };
    await expect(adapter.transferCall(transfer, account('payer'))).rejects.toThrow('no memo');
  });

  it('sends no request for an order in SUI', async () => {
    const inSui = { ...order, token: findChain('sui')!.tokens[0]! };
    expect(await adapter.walletCall(inSui, account('payer'))).toMatchObject({ family: 'sui' });
    expect(chain.requests).toBe(0);
  });

  it.each([
    ['of another type', (it: any) => (it.contents.type.repr = '0x2::coin::Coin<0x2::sui::SUI>')],
    ['with another id inside', (it: any) => (it.address = account('other'))],
    ['that is longer than a coin', (it: any) => (it.contents.bcs = Buffer.alloc(41).toString('base64'))],
  ])('rejects an answer with an object %s', async (_name, spoil) => {
    const spoilt = coin(100);
    spoil(spoilt);
    chain.coins = [spoilt];
    await expect(adapter.walletCall(order, account('payer'))).rejects.toMatchObject({ kind: 'badReply' });
  });
});
