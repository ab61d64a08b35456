import type { DepositTransfer } from '@tollbridge/chain-port';
import { findChain, findToken, sampleAddress } from '@tollbridge/chains';
import { Address, Cell } from '@ton/core';
import { jettonOps, jettonTransferNano } from '../jettons';
import { transferCall } from './wallet-call';

const chain = findChain('ton')!;
const [payer, payerWallet] = [`0:${'11'.repeat(32)}`, `0:${'22'.repeat(32)}`];
const receiver = sampleAddress(chain);
const transfer: DepositTransfer = {
  token: findToken(chain, 'TON')!,
  receiver,
  amountAtomic: 1_650n,
  memo: null,
  expiresAtMs: 1_800_000_000_999,
};

/** Returns the only message of the call, decoded like in a wallet. */
async function messageOf(changes: Partial<DepositTransfer>, wallet: string | null) {
  const { validUntil, messages } = await transferCall({ ...transfer, ...changes }, payer, wallet);
  expect([validUntil, messages.length]).toEqual([1_800_000_000, 1]);
  const [{ address, amount, payload, stateInit }] = messages as [(typeof messages)[0]];
  expect(stateInit).toBeNull();
  return { ...Address.parseFriendly(address), amount, body: Cell.fromBase64(payload).beginParse() };
}

describe('transferCall in coins', () => {
  it('sends the exact amount in a way that an address without a contract keeps it', async () => {
    const { address, isBounceable, amount, body } = await messageOf({}, null);
    expect(address.equals(Address.parse(receiver))).toBe(true);
    expect([isBounceable, amount, body.remainingBits]).toEqual([false, '1650', 0]);
  });

  it('includes the memo as a comment', async () => {
    const { body } = await messageOf({ memo: 'Nº 4711' }, null);
    expect([body.loadUint(32), body.loadStringTail()]).toEqual([0, 'Nº 4711']);
  });
});

describe('transferCall in jettons', () => {
  it.each([null, '4711'])(
    'sends a transfer to the jetton wallet of the payer, with the memo %s',
    async (memo) => {
      const { address, isBounceable, amount, body } = await messageOf({ memo }, payerWallet);
      expect([address.toRawString(), isBounceable, amount]).toEqual([
        payerWallet,
        true,
        String(jettonTransferNano),
      ]);
      expect([body.loadUint(32), body.loadUintBig(64), body.loadCoins()]).toEqual([
        jettonOps.transfer,
        0n,
        transfer.amountAtomic,
      ]);
      expect(body.loadAddress().equals(Address.parse(receiver))).toBe(true);
      // The rest of the coins is returned to the payer.
      expect(body.loadAddress().toRawString()).toBe(payer);
      expect([body.loadBit(), body.loadCoins()]).toEqual([false, 1n]);
      const comment = body.loadMaybeRef()?.beginParse();
      expect(comment && [comment.loadUint(32), comment.loadStringTail()]).toEqual(
        memo === null ? undefined : [0, memo],
      );
    },
  );
});
