import { Injectable } from '@nestjs/common';
import {
  estimateGas,
  feesFor,
  maxTransactionGas,
  raisedFees,
  tokenBalance,
  type FeeBounds,
  type GasPrice,
  type RelayCall,
} from '@tollbridge/evm';
import type { ManualReason } from '../refund';
import type { RefundTransaction } from '../refund-transactions.repository';
import type { DueRefund } from '../refunds.repository';
import { RefundAccounts } from './refund-accounts';
import { dataFeeOf, transferCall } from './refund-chain';
import { coinsToForward, offerWithin, type ForwardCosts } from './refund-gas';
import type { Attempt } from './refund-places';
import { RefundWorth } from './refund-worth';

/** A transaction that could be sent now. */
export interface Offer {
  call: RelayCall;
  amountAtomic: bigint;
  /** The coins that it leaves at its address for its own gas. */
  reserveAtomic: bigint;
}

export type Outcome =
  | Offer
  | { wait: string }
  | { reason: ManualReason; detail?: string }
  | { lacking: bigint };

// An estimate is valid for its block only, so a tenth is added.
const [gasRoom, ofGasRoom] = [11n, 10n];
// Ten times the gas of a usual token transfer.
const mostGas = 500_000n;

/** Computes the transactions of a refund from balances and gas prices. It stores and sends nothing. */
@Injectable()
export class RefundOffers {
  constructor(
    private readonly accounts: RefundAccounts,
    private readonly worth: RefundWorth,
  ) {}

  /** The transfer to the sender that could be sent now, or the obstacle. */
  async transfer(attempt: Attempt, arrived: bigint, price: GasPrice): Promise<Outcome> {
    const { refund, place } = attempt;
    const { rpc, token } = place;
    const isCoin = token.address === null;
    const call = callOf(refund, token.address, isCoin ? 1n : arrived);
    const tried = await estimateGas(rpc, { from: refund.address, ...call });
    if ('reason' in tried) return { reason: 'TRANSFER_REJECTED', detail: tried.reason };
    const gasLimit = (tried.gasUnits * gasRoom) / ofGasRoom;
    if (gasLimit > mostGas) return { reason: 'TOO_MUCH_GAS' };
    const worthWei = isCoin ? arrived : this.worth.weiOf(place, arrived);
    const fees = feesFor(price, this.boundsOf(gasLimit, worthWei));
    if (!fees)
      return {
        wait: 'gas costs more at present than the refund is worth, or than the most that may be offered',
      };
    const leastPerGas = (price.baseFeePerGas ?? 0n) + fees.maxPriorityFeePerGas;
    const costs: ForwardCosts = { gasLimit, fees, leastPerGas, dataFee: await dataFeeOf(rpc) };
    return isCoin
      ? coinOffer(attempt, arrived, costs, price)
      : tokenOffer(attempt, arrived, costs, price, await tokenBalance(rpc, refund.address, null, 'latest'));
  }

  /**
   * The transfer of coins for gas to the address with the tokens.
   * @returns undefined when the gas wallet cannot pay for it
   */
  async gas({ refund, place }: Attempt, valueAtomic: bigint, price: GasPrice): Promise<Offer | undefined> {
    const { rpc, chain } = place;
    const { gasWallet } = this.accounts;
    const to = refund.address;
    const tried = await estimateGas(rpc, { from: gasWallet.address, to, data: '0x', valueAtomic });
    const held = await tokenBalance(rpc, gasWallet.address, null, 'latest');
    const gasLimit = 'reason' in tried ? maxTransactionGas : (tried.gasUnits * gasRoom) / ofGasRoom;
    const fees = feesFor(price, this.boundsOf(gasLimit, undefined));
    if ('reason' in tried || !fees || held < valueAtomic + gasLimit * fees.maxFeePerGas) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const call = { chainId: chain.chainId, to, data: '0x', valueAtomic, gasLimit, fees, isLegacy };
    return { call, amountAtomic: valueAtomic, reserveAtomic: 0n };
  }

  /** The newest transaction at the current price; undefined when the limits do not allow a higher price. */
  async raised(attempt: Attempt, newest: RefundTransaction, price: GasPrice): Promise<Offer | undefined> {
    return attempt.refund.state === 'funding'
      ? this.raisedGas(attempt, newest, price)
      : this.raisedForward(attempt, newest, price);
  }

  private raisedGas(
    { refund, place }: Attempt,
    newest: RefundTransaction,
    price: GasPrice,
  ): Offer | undefined {
    const { gasLimit, amountAtomic } = newest;
    const fees = raisedFees(newest.fees, price, this.boundsOf(gasLimit, undefined));
    if (!fees) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const to = refund.address;
    const call = {
      chainId: place.chain.chainId,
      to,
      data: '0x',
      valueAtomic: amountAtomic,
      gasLimit,
      fees,
      isLegacy,
    };
    return { call, amountAtomic, reserveAtomic: 0n };
  }

  /** Raises fees as far as the coins of the refund address allow. Above that, the transaction waits for cheaper gas. */
  private async raisedForward(
    { refund, place }: Attempt,
    newest: RefundTransaction,
    price: GasPrice,
  ): Promise<Offer | undefined> {
    const { rpc, chain, token } = place;
    const { gasLimit } = newest;
    const [coins, dataFee] = await Promise.all([
      tokenBalance(rpc, refund.address, null, 'latest'),
      dataFeeOf(rpc),
    ]);
    const covered = coins > dataFee ? (coins - dataFee) / gasLimit : 0n;
    const bounds = this.boundsOf(gasLimit, token.address === null ? coins : undefined);
    const maxWeiPerGas = covered < bounds.maxWeiPerGas ? covered : bounds.maxWeiPerGas;
    const fees = raisedFees(newest.fees, price, { ...bounds, maxWeiPerGas });
    if (!fees) return undefined;
    const spared = gasLimit * (fees.maxFeePerGas - newest.fees.maxFeePerGas);
    const amountAtomic = token.address === null ? newest.amountAtomic - spared : newest.amountAtomic;
    if (amountAtomic <= 0n) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const call = callOf(refund, token.address, amountAtomic);
    const reserveAtomic = newest.reserveAtomic + newest.amountAtomic - amountAtomic;
    return {
      call: { ...call, chainId: chain.chainId, gasLimit, fees, isLegacy },
      amountAtomic,
      reserveAtomic,
    };
  }

  private boundsOf(gasUnits: bigint, worthWei: bigint | undefined): FeeBounds {
    const { maxWeiPerGas, tipPerGas } = this.accounts.options;
    return { maxWeiPerGas, worthWei, gasUnits, tipPerGas };
  }
}

const callOf = (
  { recipient }: DueRefund,
  tokenAddress: string | null,
  amountAtomic: bigint,
): { to: string; data: string; valueAtomic: bigint } =>
  tokenAddress === null
    ? { to: recipient!, data: '0x', valueAtomic: amountAtomic }
    : { to: tokenAddress, data: transferCall(recipient!, amountAtomic), valueAtomic: 0n };

function coinOffer(
  { refund, place }: Attempt,
  arrived: bigint,
  costs: ForwardCosts,
  price: GasPrice,
): Outcome {
  const amountAtomic = coinsToForward(arrived, costs);
  if (amountAtomic === undefined) return { wait: 'gas costs more at present than the refund is worth' };
  const isLegacy = price.baseFeePerGas === null;
  const { gasLimit, fees } = costs;
  const call = callOf(refund, null, amountAtomic);
  const reserveAtomic = arrived - amountAtomic;
  const { chainId } = place.chain;
  return { call: { ...call, chainId, gasLimit, fees, isLegacy }, amountAtomic, reserveAtomic };
}

function tokenOffer(
  { refund, place }: Attempt,
  arrived: bigint,
  costs: ForwardCosts,
  price: GasPrice,
  coins: bigint,
): Outcome {
  const offered = offerWithin(coins, costs);
  if ('lacking' in offered) return offered;
  const isLegacy = price.baseFeePerGas === null;
  const { gasLimit } = costs;
  const call = callOf(refund, place.token.address, arrived);
  const { chainId } = place.chain;
  return {
    call: { ...call, chainId, gasLimit, fees: offered.fees, isLegacy },
    amountAtomic: arrived,
    reserveAtomic: 0n,
  };
}
