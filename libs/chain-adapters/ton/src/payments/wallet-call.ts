import type { DepositTransfer, DirectOrder, TonMessage, WalletCall } from '@tollbridge/chain-port';
import {
  jettonWalletAddress,
  tonCoinPayment,
  tonJettonPayment,
  tonPayAddress,
  type TonJetton,
  type TonPaymentMessage,
} from '@tollbridge/onchain/ton';
import { jettonTransferBody, jettonTransferNano } from '../jettons';
import { loadTonCore } from '../load';
import { rawOf } from './addresses';
import { toTonOrder } from './orders';

export interface WalletCallTerms {
  payer: string;
  /** Null for the coin. */
  jetton: TonJetton | null;
  /** Address of the payment contract in the chain's configuration. */
  contract: string;
}

/**
 * Returns the message that pays an order, for `sendTransaction` of TON Connect. It is sent to the payment contract, or
 * to the payer's jetton wallet.
 * @throws Error if the configured contract is not the library's contract, because another contract may not support the
 * messages
 */
export async function walletCall(
  order: DirectOrder,
  { payer, jetton, contract }: WalletCallTerms,
): Promise<WalletCall & { family: 'ton' }> {
  if ((await rawOf(contract)) !== (await tonPayAddress()))
    throw new Error('payContract of TON is not the payment contract of this version');
  const [tonOrder, owner] = [await toTonOrder(order, jetton), await rawOf(payer)];
  const message =
    jetton === null
      ? await tonCoinPayment(tonOrder)
      : await tonJettonPayment(tonOrder, {
          payer: owner,
          payerWallet: await jettonWalletAddress(jetton, owner),
        });
  // Bounceable, so that a contract returns a message that it does not support.
  return callOf(order, await tonMessage(message, { bounceable: true }));
}

/**
 * Returns a transfer for `sendTransaction` of TON Connect.
 * @param payer raw address
 * @param payerWallet raw address of the payer's jetton wallet; null for the coin
 */
export async function transferCall(
  transfer: DepositTransfer,
  payer: string,
  payerWallet: string | null,
): Promise<WalletCall & { family: 'ton' }> {
  const { beginCell, comment } = await loadTonCore();
  const { amountAtomic, memo } = transfer;
  const text = memo === null ? undefined : comment(memo);
  const receiver = await rawOf(transfer.receiver);
  if (payerWallet === null) {
    const message = { to: receiver, valueNano: amountAtomic, body: text ?? beginCell().endCell() };
    // A deposit address has no contract before its first transfer, so this message must not bounce.
    return callOf(transfer, await tonMessage(message, { bounceable: false }));
  }
  const body = await jettonTransferBody({
    queryId: 0n,
    amountAtomic,
    destination: receiver,
    responseDestination: payer,
    // Notifies the receiver with the comment, like other wallets.
    forwardNano: notificationNano,
    ...(text && { forwardPayload: text }),
  });
  const message = { to: payerWallet, valueNano: jettonTransferNano, body };
  return callOf(transfer, await tonMessage(message, { bounceable: true }));
}

const notificationNano = 1n;

const callOf = (
  { expiresAtMs }: Pick<DirectOrder, 'expiresAtMs'>,
  message: TonMessage,
): WalletCall & { family: 'ton' } => ({
  family: 'ton',
  validUntil: Math.floor(expiresAtMs / 1_000),
  messages: [message],
});

async function tonMessage(
  { to, valueNano, body }: TonPaymentMessage,
  { bounceable }: { bounceable: boolean },
): Promise<TonMessage> {
  const { Address } = await loadTonCore();
  return {
    address: Address.parseRaw(to).toString({ bounceable }),
    amount: String(valueNano),
    payload: body.toBoc().toString('base64'),
    stateInit: null,
  };
}
