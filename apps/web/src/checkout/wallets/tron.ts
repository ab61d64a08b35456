import type { TronProvider, WalletInfo } from '../../wallets/providers';
import { WalletProblem } from '../wallet-problem';
import { later, walletCallFor, type Wallet } from './wallet';

const receiptPollMs = 1_000;

export function tronWallet(info: WalletInfo, provider: TronProvider): Wallet {
  const addressNow = (): string | undefined => provider.tronWeb?.defaultAddress?.base58 || undefined;
  return {
    id: `tron ${info.uuid}`,
    name: info.name,
    icon: info.icon,
    family: 'tron',
    async connect(silently = false) {
      if (silently) return addressNow();
      const accounts = await provider.request({ method: 'eth_requestAccounts' });
      return addressNow() ?? accounts?.[0];
    },
    async pay(payable, address, report) {
      const { trx } = provider.tronWeb;
      const { approval, transaction } = await walletCallFor(payable, address);
      if (approval) {
        report('approving');
        const hash = await send(trx, approval);
        report('approvalSent');
        await untilMined(trx, hash);
      }
      report('paying');
      return send(trx, transaction);
    },
  };
}

async function send(trx: any, { raw_data, ...rest }: { raw_data: string }): Promise<string> {
  const signed = await trx.sign({ visible: false, ...rest, raw_data: JSON.parse(raw_data) });
  const { result } = await trx.sendRawTransaction(signed);
  if (!result) throw new WalletProblem('failed');
  return signed.txID;
}

/** Waits for the approval, because the payment fails before the approval is in a block. */
async function untilMined(trx: any, hash: string): Promise<void> {
  for (;;) {
    const info = await trx.getUnconfirmedTransactionInfo(hash).catch(() => ({}));
    if (info.id === hash) {
      if (info.result !== 'FAILED') return;
      throw new WalletProblem('approvalFailed');
    }
    await later(receiptPollMs);
  }
}
