import { beginCell, Cell, storeStateInit, type StateInit } from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { keyOfStateInit } from './wallet';

const publicKey = Buffer.alloc(32, 7);
const create = { workchain: 0, publicKey };
const cellOf = (init: StateInit): Cell => beginCell().store(storeStateInit(init)).endCell();
const accountOf = (cell: Cell): string => `0:${cell.hash().toString('hex')}`;

it.each([
  ['v3r2', WalletContractV3R2.create(create).init],
  ['v4r2', WalletContractV4.create(create).init],
  ['v5r1', WalletContractV5R1.create(create).init],
])('the state-init of a wallet %s tells its key, to who names its account', async (_version, init) => {
  const cell = cellOf(init);
  expect(await keyOfStateInit(cell.toBoc(), accountOf(cell))).toEqual(publicKey);
  expect(await keyOfStateInit(cell.toBoc(), `0:${'11'.repeat(32)}`)).toBeUndefined();
});

it('a bag of more cells than any wallet has is not even read: it would cost more than to sign it', async () => {
  const { code } = WalletContractV4.create(create).init;
  let plugins = Cell.EMPTY;
  for (let depth = 0; depth < 50; depth++) plugins = beginCell().storeRef(plugins).endCell();
  const data = beginCell().storeUint(0, 64).storeBuffer(publicKey).storeMaybeRef(plugins).endCell();
  const cell = cellOf({ code, data });
  const read = jest.spyOn(Cell, 'fromBoc');
  expect(await keyOfStateInit(cell.toBoc(), accountOf(cell))).toBeUndefined();
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

it.each(['', 'b5ee9c72', 'b5ee9c7200', 'b5ee9c720701ffffffff', '68ff65f3010101'])(
  'what is no bag of cells (%s) tells none',
  async (hex) => {
    expect(await keyOfStateInit(Buffer.from(hex, 'hex'), accountOf(Cell.EMPTY))).toBeUndefined();
  },
);
