import { beginCell, Cell } from '@ton/core';
import { decodeTonOrder, encodeTonOrder, hashTonOrder, type TonOrder } from './order';
import {
  decodeTonRecord,
  tonPayAddress,
  tonPayOps,
  tonReturnReason,
  tonSettlementAddress,
  tonTransferId,
} from './pay';

const order: TonOrder = {
  orderId: '00112233-4455-6677-8899-aabbccddeeff',
  deadline: 1_800_000_000n,
  tokenIn: 'USDT',
  tokenOut: 'USD₮',
  amountIn: 100_000_000n,
  jetton: {
    master: `0:${'b1'.repeat(32)}`,
    walletCodeHash: '89'.repeat(32),
    walletCodeDepth: 0,
    leadingZeroBits: 8,
    hasCodeRef: false,
  },
  merchant: `0:${'01'.repeat(32)}`,
  merchantAmount: 97_000_000n,
  feeReceiver: `0:${'02'.repeat(32)}`,
  feeAmount: 3_000_000n,
};

describe('encodeTonOrder', () => {
  it('returns a fixed hash, since another encoding would change every order', async () => {
    expect(await hashTonOrder(order)).toBe(
      '6ad64aab6db523d20536a1848a08060da0cf047e79d728d7dada8a64375e9b01',
    );
  });

  it('returns another hash for every changed field', async () => {
    const changes: Partial<TonOrder>[] = [
      { orderId: '00112233-4455-6677-8899-aabbccddeefe' },
      { deadline: 1_800_000_001n },
      { tokenIn: 'USDC' },
      { tokenOut: '' },
      { amountIn: 1n },
      { jetton: null },
      ...(['master', 'walletCodeHash'] as const).map((name) => ({
        jetton: { ...order.jetton!, [name]: name === 'master' ? order.merchant : '88'.repeat(32) },
      })),
      { jetton: { ...order.jetton!, walletCodeDepth: 1 } },
      { jetton: { ...order.jetton!, leadingZeroBits: 4 } },
      { jetton: { ...order.jetton!, hasCodeRef: true } },
      { merchant: order.feeReceiver! },
      { merchantAmount: 1n },
      { feeReceiver: null },
      { feeAmount: 0n },
    ];
    const hashes = await Promise.all(
      [order, ...changes.map((change) => ({ ...order, ...change }))].map(hashTonOrder),
    );

    expect(new Set(hashes).size).toBe(changes.length + 1);
  });

  it.each([
    ['an id that is not a UUID', { orderId: 'order-1' }],
    ['a symbol of 128 bytes', { tokenIn: 'a'.repeat(128) }],
    ['a negative amount', { feeAmount: -1n }],
    ['an amount of 121 bits', { amountIn: 2n ** 120n }],
    ['a deadline of 65 bits', { deadline: 2n ** 64n }],
    ['a malformed address', { merchant: 'EQ' }],
  ])('rejects %s', async (_name, change) => {
    await expect(encodeTonOrder({ ...order, ...change })).rejects.toThrow();
  });
});

describe('decodeTonOrder', () => {
  it.each([
    ['with a jetton', {}],
    ['in the native coin', { jetton: null }],
    ['without a fee receiver', { feeReceiver: null, feeAmount: 0n }],
    [
      'with the greatest values',
      { amountIn: 2n ** 120n - 1n, deadline: 2n ** 64n - 1n, tokenIn: 'a'.repeat(127) },
    ],
  ])('decodes an encoded order %s', async (_name, change) => {
    const changed = { ...order, ...change };

    expect(await decodeTonOrder(await encodeTonOrder(changed))).toEqual(changed);
  });

  it('rejects a cell that is not the encoding of an order', async () => {
    const cell = await encodeTonOrder(order);
    const longer = beginCell().storeSlice(cell.beginParse()).storeBit(false).endCell();
    const notText = beginCell().storeUint(0xff, 8).endCell();
    const refs = [notText, ...cell.refs.slice(1)];
    const withoutText = refs
      .reduce((builder, ref) => builder.storeRef(ref), beginCell().storeBits(cell.bits))
      .endCell();

    for (const other of [Cell.EMPTY, longer, withoutText])
      expect(await decodeTonOrder(other)).toBeUndefined();
  });
});

describe('Addresses of TON payments', () => {
  it('stay the same, since a changed contract must be deployed and configured again', async () => {
    expect(await tonPayAddress()).toBe('0:64accd04ef8d252d8d5e6b9082945a555ede9abed14075e1c94aec5d0972ca93');
  });
});

describe('decodeTonRecord', () => {
  const record = async (from?: string, change?: (cell: Cell) => Cell) => {
    const { Address } = await import('@ton/core');
    const cell = await encodeTonOrder(order);
    const src = from ?? (await tonSettlementAddress(cell.hash().toString('hex')));
    const body = beginCell()
      .storeUint(tonPayOps.orderPaid, 32)
      .storeUint(5, 64)
      .storeAddress(Address.parseRaw(order.merchant))
      .storeRef(cell)
      .endCell();
    const info = {
      type: 'internal' as const,
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: Address.parseRaw(src),
      dest: Address.parseRaw(await tonPayAddress()),
      value: { coins: 1n },
      ihrFee: 0n,
      forwardFee: 0n,
      createdAt: 0,
      createdLt: 0n,
    };
    return { info, body: change ? change(body) : body };
  };

  it('decodes payer, nonce and order', async () => {
    const orderHash = await hashTonOrder(order);

    expect(await decodeTonRecord(await record())).toEqual({
      orderHash,
      payer: order.merchant,
      nonce: 5n,
      order,
    });
  });

  it('rejects a record from another account, a bounced record, and a truncated record', async () => {
    expect(await decodeTonRecord(await record(order.merchant))).toBeUndefined();
    const valid = await record();
    expect(await decodeTonRecord({ ...valid, info: { ...valid.info, bounced: true } })).toBeUndefined();
    for (let bits = 0; bits < valid.body.bits.length; bits += 9) {
      const cut = (body: Cell) =>
        beginCell().storeBits(body.bits.substring(0, bits)).storeRef(body.refs[0]!).endCell();
      expect(await decodeTonRecord(await record(undefined, cut))).toBeUndefined();
    }
  });
});

describe('tonTransferId and the reasons of returns', () => {
  it('tonTransferId returns the last 64 bits of the order hash', () => {
    expect(tonTransferId(`${'ff'.repeat(24)}0000000000000102`)).toBe(258n);
  });

  it('returns the reason of a return, and undefined for other messages', () => {
    const body = (op: number, reason: number) =>
      beginCell().storeUint(op, 32).storeUint(0, 64).storeUint(reason, 16).endCell();

    expect(tonReturnReason(body(tonPayOps.returned, 2))).toBe('expired');
    expect(tonReturnReason(body(tonPayOps.returned, 99))).toBeUndefined();
    expect(tonReturnReason(body(tonPayOps.orderPaid, 2))).toBeUndefined();
    expect(tonReturnReason(Cell.EMPTY)).toBeUndefined();
  });
});
