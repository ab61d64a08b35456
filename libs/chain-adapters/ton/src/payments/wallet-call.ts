import type { DirectOrder, WalletCall } from '@tollbridge/chain-port';
import {
  jettonWalletAddress,
  tonCoinPayment,
  tonJettonPayment,
  tonPayAddress,
  type TonJetton,
} from '@tollbridge/onchain/ton';
import { loadTonCore } from '../load';
import { rawOf } from './addresses';
import { toTonOrder } from './orders';

export interface WalletCallTerms {
  payer: string;
  /** Null for the coin. */
  jetton: TonJetton | null;
  /** Address of the payment contract that the chain is configured with. */
  contract: string;
}

/**
 * The message that pays an order, as `sendTransaction` of TON Connect takes it: to the payment contract, or to the payer's
 * jetton wallet.
 * @throws Error where the configured contract is not the one of the library, whose messages others may not understand
 */
export async function walletCall(
  order: DirectOrder,
  { payer, jetton, contract }: WalletCallTerms,
): Promise<WalletCall & { family: 'ton' }> {
  if ((await rawOf(contract)) !== (await tonPayAddress()))
    throw new Error('payContract of TON is not the payment contract of this version');
  const { Address } = await loadTonCore();
  const [tonOrder, owner] = [await toTonOrder(order, jetton), await rawOf(payer)];
  const message =
    jetton === null
      ? await tonCoinPayment(tonOrder)
      : await tonJettonPayment(tonOrder, {
          payer: owner,
          payerWallet: await jettonWalletAddress(jetton, owner),
        });
  return {
    family: 'ton',
    validUntil: Math.floor(order.expiresAtMs / 1_000),
    messages: [
      {
        // Bounceable: a contract must reject what it does not understand.
        address: Address.parseRaw(message.to).toString(),
        amount: String(message.valueNano),
        payload: message.body.toBoc().toString('base64'),
        stateInit: null,
      },
    ],
  };
}
