import type { Family, Payable } from '../page';
import { WalletProblem } from '../wallet-problem';

/** A step that the page shows to the payer. The server provides its text. */
export type Step = 'connecting' | 'switching' | 'approving' | 'approvalSent' | 'paying';

/** A wallet of one family of chains. */
export interface Wallet {
  /** Stable across page loads. */
  id: string;
  name: string;
  icon: string | null;
  family: Family;
  /** Whether the wallet is on another device. */
  isRemote?: boolean;
  /**
   * Requests the address.
   * @param silently without a prompt, for wallets that were connected before
   * @param show receives the link that the wallet on another device scans
   */
  connect(silently?: boolean, show?: (link: string) => void): Promise<string | undefined>;
  /** Calls the listener when the payer switches the account. */
  onSwitch?(listener: (address: string | undefined) => void): void;
  /** Signs and sends the payment. Resolves to its hash, or undefined when the wallet returns none. */
  pay(payable: Payable, address: string, report: (step: Step) => void): Promise<string | undefined>;
}

/** Requests the payment call for this address from the server, because it contains data that expires soon. */
export async function walletCallFor(payable: Payable, address: string): Promise<any> {
  const url = `${payable.walletCall}?payer=${encodeURIComponent(address)}`;
  const reply = await fetch(url).catch(() => undefined);
  const call = reply?.ok && (await reply.json()).wallet_call?.[payable.family];
  // The wallet was not opened.
  if (!call) throw new WalletProblem('unavailable');
  return call;
}

export const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
