import { readReply, parseExactJson } from '@tollbridge/http';
import { payInstruction } from '@tollbridge/onchain/solana';
import { paymentsIn, paysAnyOrder } from './payments/read-payments';
import { transfersTo } from './payments/transfers';
import {
  exampleOrder,
  FakeChain,
  namedAddress,
  payerAddress,
  programAddress,
  transactionJson,
} from './testing/fake-chain';
import { readTransaction } from './transaction.wire';

const order = exampleOrder();
const sent = new FakeChain().add(80, {
  instructions: [payInstruction(programAddress, order, payerAddress)],
  inner: [payInstruction(programAddress, order, payerAddress)],
});
const tokens = [
  {
    accountIndex: 1,
    mint: namedAddress('mint'),
    owner: payerAddress,
    uiTokenAmount: { amount: '7', decimals: 6 },
  },
];
const reply = transactionJson(sent);
reply.meta.preTokenBalances = tokens;
reply.meta.postTokenBalances = tokens;

const read = (value: unknown) =>
  readReply('node', () => readTransaction(parseExactJson(JSON.stringify(value)), sent.signature));

/** Yields copies of a value, each with one field removed or replaced. */
function* mutations(value: unknown, path = ''): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    const withField = (changed: unknown) => {
      const copy: any = Array.isArray(value) ? [...value] : { ...value };
      if (changed === undefined && !Array.isArray(value)) delete copy[key];
      else copy[key] = changed;
      return copy;
    };
    for (const hostile of [undefined, null, -1, 1.5, 2 ** 70, 'x', '1'.repeat(5_000), [], {}, true])
      yield [`${path}.${key} as ${JSON.stringify(hostile)?.slice(0, 20)}`, withField(hostile)];
    for (const [name, changed] of mutations(field, `${path}.${key}`)) yield [name, withField(changed)];
  }
}

describe('readTransaction', () => {
  it('returns a transaction with its inner instructions and balances', () => {
    const transaction = read(reply)!;
    expect(transaction).toMatchObject({ slot: 80, isSuccessful: true, signers: [payerAddress] });
    expect(transaction.instructions.map(({ isInner }) => isInner)).toEqual([false, true]);
    expect(transaction.tokensAfter).toEqual([
      { account: transaction.accounts[1], mint: namedAddress('mint'), owner: payerAddress, amountAtomic: 7n },
    ]);
    expect(paymentsIn(transaction, [programAddress])).toHaveLength(2);
  });

  it('returns null for a transaction that the node does not have', () => {
    expect(read(null)).toBeNull();
  });

  it('fails for every malformed field, or returns the payments unchanged', () => {
    const expected = paymentsIn(read(reply)!, [programAddress]);
    const wrong: string[] = [];
    for (const [name, mutated] of mutations(reply)) {
      try {
        const payments = paymentsIn(read(mutated)!, [programAddress]);
        const isLess = payments.length < expected.length;
        // The slot is not verified here, because it is compared with the list of signatures.
        const isSame = payments.every(
          ({ height: _, ...rest }, at) =>
            JSON.stringify(rest) === JSON.stringify({ ...expected[at], height: undefined }),
        );
        if (!isLess && !isSame) wrong.push(name);
        if (isLess && !/data|err|nstructions|\.accounts|programIdIndex|accountKeys/.test(name))
          wrong.push(name);
      } catch (error) {
        if ((error as Error).name !== 'ProviderError') wrong.push(`${name}: ${(error as Error).message}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('returns addresses of lookup tables, writable ones first', () => {
    const [writable, readonly] = [namedAddress('writable'), namedAddress('readonly')];
    const { meta } = reply;
    const balances = [...meta.preBalances, 1, 2];
    const transaction = read({
      ...reply,
      meta: {
        ...meta,
        loadedAddresses: { writable: [writable], readonly: [readonly] },
        preBalances: balances,
        postBalances: balances,
      },
    })!;
    expect(transaction.accounts.slice(-2)).toEqual([writable, readonly]);
  });
});

describe('paymentsIn', () => {
  const withData = (data: Uint8Array) => {
    const instruction = { ...payInstruction(programAddress, order, payerAddress), data };
    return read(transactionJson({ ...sent, instructions: [instruction], inner: [] }))!;
  };
  const { data } = payInstruction(programAddress, order, payerAddress);

  it.each([
    ['truncated', data.slice(0, -1)],
    ['with a byte more', Uint8Array.from([...data, 0])],
    ['of another instruction', Uint8Array.from([2, ...data.slice(1)])],
    ['empty', new Uint8Array(0)],
    ['huge', Uint8Array.from([...data, ...new Uint8Array(10_000)])],
  ])('returns no payment for data that is %s', (_name, bytes) => {
    expect(paymentsIn(withData(bytes), [programAddress])).toEqual([]);
    expect(paysAnyOrder(withData(bytes))).toBe(false);
  });

  it('recognises a payment to another program by the record that the program derives', () => {
    const other = namedAddress('other');
    const pay = payInstruction(other, order, payerAddress);
    const [payer, record, ...accounts] = pay.accounts;
    const transaction = (changed: typeof pay) =>
      read(transactionJson({ ...sent, instructions: [changed], inner: [] }))!;
    expect(paysAnyOrder(transaction(pay))).toBe(true);
    expect(paymentsIn(transaction(pay), [programAddress])).toEqual([]);
    const wrong = { ...record!, address: namedAddress('record') };
    expect(paysAnyOrder(transaction({ ...pay, accounts: [payer!, wrong, ...accounts] }))).toBe(false);
  });
});

describe('transfersTo', () => {
  const [mint, receiver, thief] = [namedAddress('mint'), namedAddress('receiver'), namedAddress('thief')];
  const balance = (account: string, owner: string, amountAtomic: bigint) => ({
    account,
    owner,
    mint,
    amountAtomic,
  });
  const transaction = read(reply)!;

  it('returns the amount that the receiver gained, from the signer that lost it', () => {
    const paid = {
      ...transaction,
      tokensBefore: [balance('a', payerAddress, 10n), balance('c', thief, 9n)],
      tokensAfter: [balance('a', payerAddress, 4n), balance('b', receiver, 8n), balance('c', thief, 7n)],
    };
    expect(transfersTo(paid, mint, receiver)).toMatchObject([{ from: payerAddress, amountAtomic: 8n }]);
    expect(transfersTo({ ...paid, isSuccessful: false }, mint, receiver)).toEqual([]);
  });

  it('ignores a token account that changed its owner', () => {
    const given = {
      ...transaction,
      tokensBefore: [balance('a', thief, 10n)],
      tokensAfter: [balance('a', receiver, 10n)],
    };
    expect(transfersTo(given, mint, receiver)).toEqual([]);
  });

  it('ignores a transfer between accounts of the receiver', () => {
    const moved = {
      ...transaction,
      tokensBefore: [balance('a', receiver, 10n), balance('b', receiver, 0n)],
      tokensAfter: [balance('a', receiver, 3n), balance('b', receiver, 7n)],
    };
    expect(transfersTo(moved, mint, receiver)).toEqual([]);
  });
});
