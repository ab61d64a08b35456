import type { OfficialNetwork } from '../../x402/official-types';
import type { Stablecoin } from '../known-assets';

/** Signs for the seller, as an account of viem does. It needs no coins. */
export interface VoucherAuthorizer {
  address: `0x${string}`;
  signTypedData(typed: {
    domain: Record<string, unknown>;
    types: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<`0x${string}`>;
}

/** The state of a channel, as the official package stores it. */
export interface StoredChannel {
  channelId: string;
  channelConfig: object;
  /** Charged since the channel was opened, smallest unit. */
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
 * The `ChannelStorage` of the official package. An update must be atomic for all processes of the seller and durable
 * when it resolves: it is what the seller earns.
 */
export interface VoucherStore {
  get(channelId: string): Promise<StoredChannel | undefined>;
  list(): Promise<StoredChannel[]>;
  updateChannel(
    channelId: string,
    update: (current: StoredChannel | undefined) => StoredChannel | undefined,
  ): Promise<{ channel: StoredChannel | undefined; status: 'updated' | 'unchanged' | 'deleted' }>;
}

/** The account of the seller that its vouchers pay. */
export interface VoucherAccount {
  network: OfficialNetwork;
  payTo: string;
  asset: Stablecoin;
}

export interface VoucherOptions {
  /** Signs claims and refunds. Its address is part of each channel: do not replace it while channels are open. */
  authorizer: VoucherAuthorizer;
  /** Files of one process, on a local disk. */
  folder?: string;
  /** Instead of `folder`: a store that processes share, such as `RedisChannelStorage` of the official package. */
  store?: (account: VoucherAccount) => VoucherStore | Promise<VoucherStore>;
  /**
   * How long a buyer has to wait who closes a channel without the seller. From 15 minutes to 30 days, by default a day.
   * The seller must claim within it.
   */
  withdrawDelayS?: number;
  /**
   * Between claims: by default an hour, or a quarter of `withdrawDelayS` where that is less. 0 claims only when
   * `settle` is called.
   */
  claimEveryMs?: number;
  /** Vouchers in one transaction: the facilitator bounds its gas. */
  maxClaimsPerBatch?: number;
}

const hourMs = 3_600_000;
const [leastDelayS, mostDelayS, dayS] = [900, 2_592_000, 86_400];
/** What the official server announces, in prices. */
const depositedPrices = 10n;

/** @throws TypeError for options that no buyer or contract accepts */
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

/** What an offer has besides those of other schemes. */
export const voucherExtra = (
  { authorizer, withdrawDelayS = dayS }: VoucherOptions,
  amount: string,
): Record<string, unknown> => ({
  receiverAuthorizer: authorizer.address,
  withdrawDelay: withdrawDelayS,
  minDeposit: (BigInt(amount) * depositedPrices).toString(),
});
