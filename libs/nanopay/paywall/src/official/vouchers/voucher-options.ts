import type { OfficialNetwork } from '../../x402/official-types';
import type { Stablecoin } from '../known-assets';

/** Signs for the seller, like an account of viem. The account needs no coins. */
export interface VoucherAuthorizer {
  address: `0x${string}`;
  signTypedData(typed: {
    domain: Record<string, unknown>;
    types: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<`0x${string}`>;
}

/** The state of a channel in the official package's format. */
export interface StoredChannel {
  channelId: string;
  channelConfig: object;
  /** Total charged since the channel was opened, in the smallest unit. */
  chargedCumulativeAmount: string;
  signedMaxClaimable: string;
  signature: string;
  balance: string;
  totalClaimed: string;
  withdrawRequestedAt: number;
  refundNonce: number;
  onchainSyncedAt?: number;
  lastRequestTimestamp: number;
  pendingRequest?: { pendingId: string; signedMaxClaimable: string; expiresAt: number };
}

/**
 * The `ChannelStorage` of the official package. An update must be atomic across all processes of the seller. It must be
 * durable when it resolves, because a lost update loses earnings.
 */
export interface VoucherStore {
  get(channelId: string): Promise<StoredChannel | undefined>;
  list(): Promise<StoredChannel[]>;
  updateChannel(
    channelId: string,
    update: (current: StoredChannel | undefined) => StoredChannel | undefined,
  ): Promise<{ channel: StoredChannel | undefined; status: 'updated' | 'unchanged' | 'deleted' }>;
}

/** The seller's account that receives the value of the vouchers. */
export interface VoucherAccount {
  network: OfficialNetwork;
  payTo: string;
  asset: Stablecoin;
}

export interface VoucherOptions {
  /** Signs claims and refunds. Its address is part of each channel, so do not replace it while channels are open. */
  authorizer: VoucherAuthorizer;
  /** Folder for the files of one process, on a local disk. */
  folder?: string;
  /** Replaces `folder`: a store that processes share, such as `RedisChannelStorage` of the official package. */
  store?: (account: VoucherAccount) => VoucherStore | Promise<VoucherStore>;
  /**
   * Time that a buyer must wait to close a channel without the seller. From 15 minutes to 30 days; one day by default.
   * The seller must claim within this time.
   */
  withdrawDelayS?: number;
  /**
   * Time between claims. By default one hour, or a quarter of `withdrawDelayS` if that is less. With 0, only `settle`
   * claims.
   */
  claimEveryMs?: number;
  /** Maximum number of vouchers in one transaction, because the facilitator limits its gas. */
  maxClaimsPerBatch?: number;
}

const hourMs = 3_600_000;
const [leastDelayS, mostDelayS, dayS] = [900, 2_592_000, 86_400];
/** The recommended deposit, as a multiple of the price. The official server announces the same. */
const depositedPrices = 10n;

/** @throws TypeError for options that buyers or contracts would reject */
export function checkedVoucherOptions(options: VoucherOptions): VoucherOptions {
  const { authorizer, folder, store, withdrawDelayS = dayS } = options;
  if (!/^0x[0-9a-fA-F]{40}$/.test(authorizer.address)) throw new TypeError('The authorizer has no address.');
  if ((folder === undefined) === (store === undefined))
    throw new TypeError('Missing store of vouchers. Set `folder` or `store` of `vouchers`.');
  if (!Number.isInteger(withdrawDelayS) || withdrawDelayS < leastDelayS || withdrawDelayS > mostDelayS)
    throw new TypeError(`withdrawDelayS must be from ${leastDelayS} to ${mostDelayS} seconds.`);
  const { claimEveryMs = Math.min(hourMs, withdrawDelayS * 250) } = options;
  if (claimEveryMs > withdrawDelayS * 500)
    throw new TypeError(
      'claimEveryMs must be at most half of withdrawDelayS: what is not claimed can be withdrawn.',
    );
  return { ...options, withdrawDelayS, claimEveryMs };
}

/** The additional fields of an offer for this scheme. */
export const voucherExtra = (
  { authorizer, withdrawDelayS = dayS }: VoucherOptions,
  amount: string,
): Record<string, unknown> => ({
  receiverAuthorizer: authorizer.address,
  withdrawDelay: withdrawDelayS,
  minDeposit: (BigInt(amount) * depositedPrices).toString(),
});
