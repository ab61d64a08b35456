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

/** Returns the key that a state-init proves for its own account. */
function proven(init: StateInit): Promise<Buffer | undefined> {
  const bag = beginCell().store(storeStateInit(init)).endCell().toBoc();
  return keyOfStateInit(bag, contractAddress(0, init).toRawString());
}

/** The data of a wallet with its first bit flipped and one extension added. */
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

it.each(wallets)('keyOfStateInit returns the key of a wallet %s', async (_name, init) => {
  expect(await proven(init)).toEqual(publicKey);
});

it.each(wallets.filter(([name]) => name.includes('V5')))(
  'keyOfStateInit returns no key of a wallet %s with disabled signatures',
  async (_name, { code, data }) => {
    expect(await proven({ code, data: turned(data) })).toBeUndefined();
  },
);

it('keyOfStateInit returns no key for another account or unknown code', async () => {
  const [, init] = wallets.at(-1)!;
  const bag = beginCell().store(storeStateInit(init)).endCell().toBoc();
  expect(await keyOfStateInit(bag, `0:${'11'.repeat(32)}`)).toBeUndefined();
  expect(await proven({ ...init, code: beginCell().storeUint(1, 8).endCell() })).toBeUndefined();
  expect(await proven({ ...init, data: beginCell().storeUint(1, 8).endCell() })).toBeUndefined();
});

it('keyOfStateInit rejects a bag with more cells than any wallet, before parsing it', async () => {
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
  'keyOfStateInit returns no key for invalid bytes (%s)',
  async (hex) => {
    expect(
      await keyOfStateInit(Buffer.from(hex, 'hex'), `0:${Cell.EMPTY.hash().toString('hex')}`),
    ).toBeUndefined();
  },
);
