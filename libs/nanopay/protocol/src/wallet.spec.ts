import { beginCell, Cell, contractAddress, storeStateInit, type StateInit } from '@ton/core';
import {
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import { signingKey } from './keys';
import { keyOfStateInit } from './wallet';

const { publicKey } = signingKey(Buffer.alloc(32, 7));
const wallets = [
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
].map((Wallet) => [Wallet.name, Wallet.create({ workchain: 0, publicKey }).init] as const);

/** What a state-init proves of its own account. */
function proven(init: StateInit): Promise<Buffer | undefined> {
  const bag = beginCell().store(storeStateInit(init)).endCell().toBoc();
  return keyOfStateInit(bag, contractAddress(0, init).toRawString());
}

/** The same data with its first bit turned, of a wallet with an extension. */
function turned(data: Cell): Cell {
  const slice = data.beginParse();
  const first = slice.loadBit();
  const rest = slice.loadBits(slice.remainingBits - 1);
  return beginCell()
    .storeBit(!first)
    .storeBits(rest)
    .storeBit(true)
    .storeRef(beginCell().storeUint(1, 8).endCell())
    .endCell();
}

it.each(wallets)('the state-init of a wallet %s proves its key', async (_name, init) => {
  expect(await proven(init)).toEqual(publicKey);
});

it.each(wallets.filter(([name]) => name.includes('V5')))(
  'the state-init of a wallet %s whose owner has switched signatures off proves no key',
  async (_name, { code, data }) => {
    expect(await proven({ code, data: turned(data) })).toBeUndefined();
  },
);

it('a state-init proves nothing of another account, nor with an unknown code', async () => {
  const [, init] = wallets.at(-1)!;
  const bag = beginCell().store(storeStateInit(init)).endCell().toBoc();
  expect(await keyOfStateInit(bag, `0:${'11'.repeat(32)}`)).toBeUndefined();
  expect(await proven({ ...init, code: beginCell().storeUint(1, 8).endCell() })).toBeUndefined();
  expect(await proven({ ...init, data: beginCell().storeUint(1, 8).endCell() })).toBeUndefined();
});

it('a bag of more cells than any wallet has is not even read: it would cost more than to sign it', async () => {
  const { code } = wallets[2]![1];
  let plugins = Cell.EMPTY;
  for (let depth = 0; depth < 50; depth++) plugins = beginCell().storeRef(plugins).endCell();
  const data = beginCell().storeUint(0, 64).storeBuffer(publicKey).storeMaybeRef(plugins).endCell();
  const init = { code, data };
  const read = jest.spyOn(Cell, 'fromBoc');
  expect(await proven(init)).toBeUndefined();
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

it.each(['', 'b5ee9c72', 'b5ee9c7200', 'b5ee9c720701ffffffff', '68ff65f3010101'])(
  'returns no key for invalid bytes (%s)',
  async (hex) => {
    expect(
      await keyOfStateInit(Buffer.from(hex, 'hex'), `0:${Cell.EMPTY.hash().toString('hex')}`),
    ).toBeUndefined();
  },
);
