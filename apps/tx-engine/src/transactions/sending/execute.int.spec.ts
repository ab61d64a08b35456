import { transactionsApi, type BuiltSet, type ExecutedSet } from '@tollbridge/contracts';
import type { DomainError, FieldError } from '@tollbridge/rpc';
import { mined } from '@tollbridge/onchain';
import { eventually } from '@tollbridge/testing';
import {
  concat,
  Contract,
  encodeRlp,
  HDNodeWallet,
  recoverAddress,
  Signature,
  SigningKey,
  toBeHex,
  Transaction,
  Wallet,
} from 'ethers';
import { NodeTap } from '../../testing/node-tap';
import { signAll, TxEngine, type SwapInput } from '../../testing/tx-engine';

let harness: TxEngine;
let tap: NodeTap;
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };

beforeAll(async () => {
  harness = await TxEngine.start({
    clock,
    rpcUrls: async ({ anvil }) => [(tap = await NodeTap.to(anvil.url)).url],
  });
});
afterAll(async () => {
  await harness?.close();
  await tap?.close();
});
beforeEach(async () => {
  aheadMs = Math.max(0, (await harness.chain.anvil.time()) * 1_000 - Date.now());
  tap.asked.length = 0;
});
afterEach(async () => {
  tap.passThrough();
  await harness.chain.anvil.setAutomine(true);
});

const usd = 10n ** 6n;
const ether = 10n ** 18n;
const execute = transactionsApi.operations.executeTransactions;
const swapUsdt: SwapInput = { from: 'USDT', to: 'USDC', amount: 100n * usd };
const sends = () => tap.count('eth_sendRawTransaction');
const nonceOf = ({ address }: { address: string }) =>
  harness.chain.anvil.provider.getTransactionCount(address, 'pending');

async function ready(amount = 100n * usd): Promise<{ user: HDNodeWallet; set: BuiltSet }> {
  const user = await harness.newUser({ USDT: amount });
  return { user, set: await harness.built({ ...swapUsdt, amount }, user) };
}

const rejection = (set: BuiltSet, signatures: string[], more: object = {}): Promise<DomainError> =>
  harness.failureOf(execute, { transactionId: set.transactionId, signatures, ...more });

/** Returns the transaction to sign at this index. */
function unsigned(set: BuiltSet, at: number, changes: object = {}): Transaction {
  const { chainId, to, data, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = set.transactions[at]!;
  const fees = { type: 2, maxFeePerGas, maxPriorityFeePerGas };
  return Transaction.from({ chainId, to, data, value, nonce, gasLimit: gas, ...fees, ...changes });
}
const bare = (user: HDNodeWallet, transaction: Transaction): Signature =>
  user.signingKey.sign(transaction.unsignedHash);
/** Returns a valid first signature, and a second one of a changed transaction. */
const changed =
  (changes: object) =>
  async (user: HDNodeWallet, set: BuiltSet): Promise<string[]> => {
    const [first] = await signAll(set, user);
    return [first!, await user.signTransaction(unsigned(set, 1, changes))];
  };
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('invalid signatures', () => {
  type Wrong = (user: HDNodeWallet, set: BuiltSet) => Promise<string[]>;
  it.each<[string, Wrong, number | null]>([
    ['too few', async (user, set) => (await signAll(set, user)).slice(1), null],
    ['too many', async (user, set) => [...(await signAll(set, user)), '0x00'], null],
    ['none', () => Promise.resolve([]), null],
    ['in another order', async (user, set) => (await signAll(set, user)).reverse(), 0],
    [
      'of another signer',
      async (user, set) => [
        (await signAll(set, user))[0]!,
        (await signAll(set, Wallet.createRandom() as HDNodeWallet))[1]!,
      ],
      1,
    ],
    [
      'with a high s',
      async (user, set) => {
        const { r, s, v } = bare(user, unsigned(set, 1));
        const high = concat([r, toBeHex(order - BigInt(s), 32), toBeHex(v === 27 ? 28 : 27, 1)]);
        return [(await signAll(set, user))[0]!, high];
      },
      1,
    ],
    [
      'in the compact form',
      async (user, set) => [(await signAll(set, user))[0]!, bare(user, unsigned(set, 1)).compactSerialized],
      1,
    ],
    ['of zeros', async (user, set) => [(await signAll(set, user))[0]!, `0x${'0'.repeat(128)}1b`], 1],
    ['not hexadecimal', async (user, set) => [(await signAll(set, user))[0]!, '0xzz'], 1],
    ['empty', async (user, set) => [(await signAll(set, user))[0]!, ''], 1],
    [
      'on another hash, as of a message',
      async (user, set) => [
        (await signAll(set, user))[0]!,
        await user.signMessage(Buffer.from(unsigned(set, 1).unsignedHash.slice(2), 'hex')),
      ],
      1,
    ],
    [
      'absent in a whole transaction',
      async (user, set) => [(await signAll(set, user))[0]!, unsigned(set, 1).unsignedSerialized],
      1,
    ],
    ['over another receiver', changed({ to: `0x${'12'.repeat(20)}` }), 1],
    ['over another value', changed({ value: 1n }), 1],
    ['over another chain', changed({ chainId: 1 }), 1],
    ['over another nonce', changed({ nonce: 99 }), 1],
    ['over other data', changed({ data: '0x' }), 1],
    ['over a higher gas limit', changed({ gasLimit: 9_000_000n }), 1],
    ['over a lower fee', changed({ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }), 1],
    [
      'over an access list',
      changed({ accessList: [{ address: `0x${'12'.repeat(20)}`, storageKeys: [] }] }),
      1,
    ],
    [
      'with something behind the transaction',
      async (user, set) => {
        const [first, second] = await signAll(set, user);
        return [first!, `${second}${encodeRlp('0x01').slice(2)}`];
      },
      1,
    ],
  ])('%s cause no broadcast and no change', async (_, wrong, index) => {
    const { user, set } = await ready();
    for (const broadcast of [false, true]) {
      const failure = await rejection(set, await wrong(user, set), { broadcast });
      expect(failure.code).toBe('INVALID_SIGNATURE');
      const [first] = failure.details as FieldError[];
      expect(first).toEqual({
        field: index === null ? 'signatures' : `signatures[${index}]`,
        message: expect.any(String),
      });
      expect(failure.details).toHaveLength(index === 0 ? 2 : 1);
    }
    expect(sends()).toBe(0);
    expect(await nonceOf(user)).toBe(0);
    const status = await harness.status(set.transactionId, true);
    expect(status).toMatchObject({ status: 'built', details: { sent: [] } });
    // The set is unchanged.
    await harness.executed(set, user);
    await harness.mining(set.transactionId, { status: 'completed' });
  });

  it('accepts valid signatures as 65 bytes and as whole transactions in one set', async () => {
    const { user, set } = await ready();
    const [first] = await signAll(set, user);
    await harness.execute(set.transactionId, [first!, bare(user, unsigned(set, 1)).serialized]);
    await harness.mining(set.transactionId, { status: 'completed' });
  });
});

describe('repeated execution of a set', () => {
  it('broadcasts once and returns equal replies, concurrently and later', async () => {
    const { user, set } = await ready();
    await harness.chain.anvil.setAutomine(false);
    const signatures = await signAll(set, user);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => harness.execute(set.transactionId, signatures)),
    );
    const shape = ({ transactions }: ExecutedSet) => transactions.map(({ hash, type }) => ({ hash, type }));
    for (const answer of answers) {
      expect(shape(answer)).toEqual(shape(answers[0]!));
      expect(['submitting', 'submitted']).toContain(answer.status);
    }
    expect(answers.filter(({ status }) => status === 'submitted').length).toBeGreaterThan(0);
    expect(sends()).toBe(1);
    await harness.chain.anvil.setAutomine(true);
    await harness.chain.anvil.mine();
    await harness.mining(set.transactionId, { status: 'completed' });
    const later = await Promise.all([1, 2, 3].map(() => harness.execute(set.transactionId, signatures)));
    for (const answer of later) expect(answer).toMatchObject({ status: 'completed' });
    expect(sends()).toBe(2);
    expect(await harness.balance('USDC', user.address)).toBe(BigInt(set.outputAmount));
  });

  it('returns NOT_FOUND to another owner', async () => {
    const { user, set } = await ready();
    const signatures = await signAll(set, user);
    const stranger = harness.chain.stranger.address;
    const shown = ({ code, message, details }: DomainError) => JSON.stringify({ code, message, details });
    const foreign = await harness.failureOf(
      execute,
      { transactionId: set.transactionId, signatures },
      stranger,
    );
    const { transactionStatus } = transactionsApi.operations;
    const foreignStatus = await harness.failureOf(
      transactionStatus,
      { transactionId: set.transactionId },
      stranger,
    );
    for (const transactionId of ['01a1fc65-fa91-720c-b2ed-d23682b492f5', 'x', `${set.transactionId} `]) {
      expect(shown(await harness.failureOf(execute, { transactionId, signatures }))).toBe(shown(foreign));
      expect(shown(await harness.failureOf(transactionStatus, { transactionId }))).toBe(shown(foreignStatus));
    }
    expect(foreign.code).toBe('NOT_FOUND');
    expect(sends()).toBe(0);
  });

  it('rejects other signatures of the signer after the broadcast', async () => {
    const { user, set } = await ready();
    const own = await signAll(set, user);
    // Signs the same transaction with another random number, as a hardware wallet may do.
    const other = [own[0]!, otherSignature(user, unsigned(set, 1))];
    expect(other[1]).not.toBe(own[1]);
    await harness.execute(set.transactionId, own);
    expect(await rejection(set, other)).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'other_signatures' },
    });
    const done = await harness.mining(set.transactionId, { status: 'completed' });
    expect(await rejection(set, other)).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'other_signatures' },
    });
    expect(done.timeline.at(-1)!.txHash).toBe(Transaction.from(own[1]!).hash);
  });
});

describe('signatures stored without a broadcast', () => {
  it('reach the node only with the second call', async () => {
    const { user, set } = await ready();
    const signatures = await signAll(set, user);
    const replies = await Promise.all(
      [1, 2, 3].map(() => harness.execute(set.transactionId, signatures, false)),
    );
    for (const answer of replies) expect(answer.status).toBe('built');
    expect(sends()).toBe(0);
    expect((await harness.execute(set.transactionId, signatures)).status).toBe('submitted');
    await harness.mining(set.transactionId, { status: 'completed' });
  });

  it('can be replaced until they are broadcast', async () => {
    const { user, set } = await ready();
    const own = await signAll(set, user);
    const other = [own[0]!, otherSignature(user, unsigned(set, 1))];
    await harness.execute(set.transactionId, own, false);
    await harness.execute(set.transactionId, other, false);
    await harness.execute(set.transactionId, own);
    const done = await harness.mining(set.transactionId, { status: 'completed' });
    expect(done.timeline.at(-1)!.txHash).toBe(Transaction.from(own[1]!).hash);
  });

  it('do not extend the lifetime of the set', async () => {
    const { user, set } = await ready();
    const signatures = await signAll(set, user);
    await harness.execute(set.transactionId, signatures, false);
    aheadMs += 20 * 60_000;
    expect(await rejection(set, signatures)).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      details: { validUntil: set.validUntil },
    });
    await harness.until(set.transactionId, { status: 'expired', result: null });
    expect(await harness.status(set.transactionId)).toMatchObject({ failure: { code: 'DEADLINE_EXCEEDED' } });
    for (const broadcast of [false, true])
      expect(await rejection(set, signatures, { broadcast })).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(sends()).toBe(0);
    expect(await nonceOf(user)).toBe(0);
  });
});

describe('state changed since the build', () => {
  it('returns CONFLICT for a used nonce', async () => {
    const { user, set } = await ready();
    await harness.chain.transfer(harness.chain.stranger.address, 1n, undefined, user);
    expect(await rejection(set, await signAll(set, user))).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'nonce_used', nonce: 0 },
    });
    expect(sends()).toBe(0);
    expect(await harness.status(set.transactionId)).toMatchObject({ status: 'built' });
  });

  it('rejects a base fee above the offered fee, and broadcasts when the base fee has fallen', async () => {
    const { user, set } = await ready();
    const { anvil } = harness.chain;
    const asked = BigInt(set.transactions[0]!.maxFeePerGas) * 20n;
    await anvil.send('anvil_setNextBlockBaseFeePerGas', [`0x${asked.toString(16)}`]);
    await anvil.mine();
    // The gas price is cached for two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const { maxFeePerGas } = set.transactions[0]!;
    expect(await rejection(set, await signAll(set, user))).toMatchObject({
      code: 'GAS_LIMIT_EXCEEDED',
      details: { maxFeePerGas, baseFeePerGas: expect.any(String) },
    });
    expect(sends()).toBe(0);
    await anvil.send('anvil_setNextBlockBaseFeePerGas', ['0x7']);
    await anvil.mine();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await harness.executed(set, user);
    await harness.mining(set.transactionId, { status: 'completed' });
  });

  it('rejects missing native coins and broadcasts nothing', async () => {
    const { user, set } = await ready();
    await harness.chain.anvil.send('anvil_setBalance', [user.address, '0x1']);
    const signatures = await signAll(set, user);
    const failure = await rejection(set, signatures);
    expect(failure).toMatchObject({ code: expect.stringMatching(/TRANSACTION_FAILED|INSUFFICIENT_BALANCE/) });
    expect(await nonceOf(user)).toBe(0);
  });

  it('fails on the chain with the reason if the token was spent', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const { usdt, stranger } = harness.chain;
    const abi = [
      'function approve(address spender, uint256 amount)',
      'function transferFrom(address from, address to, uint256 amount)',
    ];
    const tokenOf = (as: HDNodeWallet) => new Contract(usdt.address, abi, as);
    await mined(await tokenOf(user).getFunction('approve').send(stranger.address, 1n));
    const set = await harness.built(swapUsdt, user);
    await mined(await tokenOf(stranger).getFunction('transferFrom').send(user.address, stranger.address, 1n));
    await harness.executed(set, user);
    const done = await harness.mining(set.transactionId, { status: 'failed' });
    expect(done.failure).toMatchObject({ details: { step: 'originSwap', reason: 'STF' } });
  });
});

describe('execution while the node is down', () => {
  it('accepts signatures, and the worker broadcasts them afterwards', async () => {
    const { user, set } = await ready();
    tap.mode = 'down';
    const executed = await harness.executed(set, user);
    expect(executed.status).toBe('signing');
    expect(executed.transactions.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    // Repeating the call changes nothing.
    expect((await harness.executed(set, user)).status).toBe('signing');
    tap.mode = 'up';
    await harness.mining(set.transactionId, { status: 'completed' });
    expect(await harness.balance('USDC', user.address)).toBe(BigInt(set.outputAmount));
  });

  it('does not fail a set with an unknown broadcast outcome when a node rejects a later broadcast', async () => {
    const { user, set } = await ready();
    const answers = (code: number, message: string) => {
      tap.instead = ({ method }) =>
        method === 'eth_sendRawTransaction' ? { error: { code, message } } : undefined;
    };
    answers(-32603, 'internal error');
    expect((await harness.executed(set, user)).status).toBe('submitting');
    answers(-32000, 'insufficient funds for gas * price + value');
    const before = sends();
    await eventually(() => expect(sends()).toBeGreaterThan(before + 1));
    expect((await harness.status(set.transactionId)).status).toBe('submitting');
    tap.passThrough();
    await harness.mining(set.transactionId, { status: 'completed' });
  });

  it('expires a set past validUntil and never broadcasts it', async () => {
    const { user, set } = await ready();
    tap.mode = 'down';
    await harness.executed(set, user);
    aheadMs += 20 * 60_000;
    await harness.until(set.transactionId, { status: 'expired' });
    tap.mode = 'up';
    expect(await rejection(set, await signAll(set, user))).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(await nonceOf(user)).toBe(0);
  });

  it('returns no internal error for invalid node replies to nonce reads', async () => {
    const { user, set } = await ready();
    tap.instead = ({ method }) => (/Count|BlockBy/.test(method) ? { result: 'nonsense' } : undefined);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const outcome = await harness.executed(set, user);
    expect(outcome.status).toBe('signing');
    tap.passThrough();
    await harness.mining(set.transactionId, { status: 'completed' });
  });
});

describe('two sets of one signer with sequential nonces', () => {
  it('complete in nonce order when executed in reverse', async () => {
    const user = await harness.newUser({ USDT: 200n * usd });
    const quotes = await Promise.all([harness.quote(swapUsdt), harness.quote(swapUsdt)]);
    const { transactions } = await harness.batch({
      transactions: quotes.map(({ quoteId }, at) => ({ id: `${at}`, quoteId, userAddress: user.address })),
    });
    const [first, second] = (await Promise.all(
      transactions.map(({ transactionId }) => harness.builtSet(transactionId)),
    )) as [BuiltSet, BuiltSet];
    expect((await harness.executed(second, user)).status).toBe('signing');
    expect((await harness.executed(first, user)).status).toBe('submitted');
    for (const set of [first, second]) await harness.mining(set.transactionId, { status: 'completed' });
    expect(await harness.balance('USDC', user.address)).toBeGreaterThan(199n * usd);
    expect(await harness.balance('ETH', user.address)).toBeLessThan(100n * ether);
  });
});

/** Returns another valid signature of the same transaction, from a chosen random number. Its hash differs. */
function otherSignature(user: HDNodeWallet, transaction: Transaction): string {
  const power = (base: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n;
    const half = power((base * base) % order, exponent / 2n);
    return exponent % 2n === 1n ? (half * base) % order : half;
  };
  const random = 0x1234567890abcdefn;
  const point = new SigningKey(toBeHex(random, 32)).publicKey;
  const r = BigInt(`0x${point.slice(4, 68)}`) % order;
  const hash = BigInt(transaction.unsignedHash);
  const s = (power(random, order - 2n) * (hash + r * BigInt(user.privateKey))) % order;
  const low = s > order / 2n ? order - s : s;
  const candidates = [27, 28].map((v) => Signature.from({ r: toBeHex(r, 32), s: toBeHex(low, 32), v }));
  return candidates.find((it) => recoverAddress(transaction.unsignedHash, it) === user.address)!.serialized;
}
