import { Address, beginCell, Cell, contractAddress } from '@ton/core';
import { Blockchain } from '@ton/sandbox';
import { jettonWalletAddress } from './jetton-wallet';
import { usdtOnTon } from './known-jettons';
import { encodeTonJetton, type TonJetton } from './order';
import { compileTolk } from './testing/jettons';

const owner = '0:23fa979918f1fe702db9100bf843e87c7015eccd39a4721e9b6bac170bc04ce3';

let blockchain: Blockchain;
let computing: Address;

beforeAll(async () => {
  blockchain = await Blockchain.create({ config: 'slim' });
  const init = { code: await compileTolk('test/wallet-address'), data: Cell.EMPTY };
  computing = contractAddress(0, init);
  const deployer = await blockchain.treasury('deployer');
  await deployer.send({ to: computing, value: 1_000_000_000n, init });
});

/** Returns the address that the contracts compute. */
async function inContract(jetton: TonJetton): Promise<string> {
  const cells = [
    await encodeTonJetton(jetton),
    beginCell().storeBuffer(Address.parseRaw(owner).hash).endCell(),
  ];
  const stack = cells.map((cell) => ({ type: 'cell' as const, cell }));
  const { stackReader } = await blockchain.runGetMethod(computing, 'get_wallet_of', stack);
  return stackReader.readAddress().toRawString();
}

describe('jettonWalletAddress', () => {
  it('computes the address of a USDT wallet on the main network', async () => {
    const wallet = '0:2626cf30b702bdded845efc883efa45029ff59defdacc4ce7b8b0a5966d75002';

    expect(await jettonWalletAddress(usdtOnTon, owner)).toBe(wallet);
    expect(await inContract(usdtOnTon)).toBe(wallet);
  });

  it('uses USDT’s published master and its code in the masterchain’s library', () => {
    expect(Address.parseRaw(usdtOnTon.master).toString()).toBe(
      'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    );
    const code = beginCell()
      .storeUint(2, 8)
      .storeBuffer(Buffer.from('8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68', 'hex'))
      .endCell({ exotic: true });
    expect([code.hash().toString('hex'), code.depth()]).toEqual([
      usdtOnTon.walletCodeHash,
      usdtOnTon.walletCodeDepth,
    ]);
  });

  // Covers every remainder of the bits by eight, and code of several depths.
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 64])(
    'equals the address of the contract with %s leading zeros',
    async (zeros) => {
      for (const hasCodeRef of [false, true]) {
        const code = Array.from({ length: zeros }).reduce<Cell>(
          (next) => beginCell().storeUint(zeros, 9).storeRef(next).endCell(),
          Cell.EMPTY,
        );
        const data = beginCell()
          .storeUint(0, zeros)
          .storeAddress(Address.parseRaw(owner))
          .storeAddress(Address.parseRaw(usdtOnTon.master));
        if (hasCodeRef) data.storeRef(code);
        const jetton = {
          master: usdtOnTon.master,
          walletCodeHash: code.hash().toString('hex'),
          walletCodeDepth: code.depth(),
          leadingZeroBits: zeros,
          hasCodeRef,
        };

        expect(await jettonWalletAddress(jetton, owner)).toBe(
          contractAddress(0, { code, data: data.endCell() }).toRawString(),
        );
      }
    },
  );
});
