import { chains, type Chain } from '@tollbridge/chains';
import { HDNodeWallet, Wallet } from 'ethers';

export interface RefundAccountOptions {
  /** Null when this deployment forwards no refunds. */
  keys: { phrase: string; gasKey: string } | null;
  /** The ids of the chains with nodes. */
  readableChains: readonly string[];
  /** The operator's addresses on chains without nodes. */
  manualAccounts: ReadonlyMap<string, string>;
  maxWeiPerGas: bigint;
  /** Undefined to use the node's suggestion. */
  tipPerGas: bigint | undefined;
  gasAlarmWei: bigint;
  maxSenderTransactions: number;
  manualSenders: readonly string[];
}

/** `forwarded`: the refund worker sends it. `manual`: an operator sends it. */
export type RefundKind = 'forwarded' | 'manual';

// BIP-44, so that any wallet can open the account.
const accountPath = "m/44'/60'/0'/0";

/** The operator's refund account. Only this class has its keys. */
export class RefundAccounts {
  readonly #account: HDNodeWallet | null;
  readonly #gas: Wallet | null;

  constructor(
    readonly options: Omit<RefundAccountOptions, 'keys'>,
    keys: RefundAccountOptions['keys'],
  ) {
    this.#account = keys && HDNodeWallet.fromPhrase(keys.phrase, '', accountPath);
    this.#gas = keys && new Wallet(keys.gasKey);
  }

  /** Whether refunds are forwarded at all. */
  get isActive(): boolean {
    return this.#account !== null;
  }

  /** The ids of the chains where orders need no payer. */
  get chains(): string[] {
    return chains.filter((chain) => this.kindOf(chain) !== null).map(({ id }) => id);
  }

  /** How refunds on a chain are handled; null when orders need a payer. */
  kindOf({ id }: Pick<Chain, 'id'>): RefundKind | null {
    if (this.isActive && this.options.readableChains.includes(id)) return 'forwarded';
    return this.options.manualAccounts.has(id) ? 'manual' : null;
  }

  /** The address of an order, by its index. */
  addressOf(index: number): string {
    return this.walletOf(index).address;
  }

  walletOf(index: number): Pick<HDNodeWallet, 'address' | 'signTransaction'> {
    if (!this.#account) throw new Error('REFUND_ACCOUNT is off: this deployment forwards no refunds');
    return this.#account.deriveChild(index);
  }

  /** The wallet that pays the gas of token transfers. */
  get gasWallet(): Pick<Wallet, 'address' | 'signTransaction'> {
    if (!this.#gas) throw new Error('REFUND_ACCOUNT is off: this deployment forwards no refunds');
    return this.#gas;
  }
}
