import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { receiverAddress } from '@tollbridge/chains';
import type { FacilitatedKind, FacilitatedPaymentRequest, FacilitatorSigner } from '@tollbridge/contracts';
import {
  broadcast,
  coinBalance,
  estimateGas,
  feesFor,
  minedCount,
  readGasPrice,
  RpcError,
  tokenBalance,
  type RelayCall,
  type SendOutcome,
} from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { DomainError } from '@tollbridge/rpc';
import { describeDifference, readAuthorization, type Authorization } from '../authorization';
import { malformed } from '../field-forms';
import { FacilitatorLimits } from '../limits';
import { invalidReceiver, unsupportedReceiver } from '../replies';
import { isReceiver } from '../settings';
import type { Settlement } from '../settlement';
import type {
  ClaimOutcome,
  Payment,
  Rejection,
  SendingWallet,
  SettlementDetails,
  SettlementRail,
  Verified,
} from '../settlement-rail';
import { SettlementsRepository, type ClaimedNow } from '../settlements.repository';
import { FacilitatorAccount, type SettlementPlace } from './facilitator-account';
import { EvmFollower } from './evm-follower';
import { ChannelSettlements } from './channel-settlements';
import { readChannelPayment, type ChannelPayment } from './channel-payment';
import { describeRevert, OfficialEvm, type BuiltCall } from './official-evm';

// The margin above the gas estimate, which is valid for its block only.
const [gasRoom, ofGasRoom] = [12n, 10n];
const coinDecimals = 18;

interface EvmPayment extends Payment {
  /** Set for `batch-settlement`. */
  channel?: ChannelPayment;
}

/** Settles payments on EVM chains. */
@Injectable()
export class EvmRail implements SettlementRail {
  constructor(
    private readonly account: FacilitatorAccount,
    private readonly limits: FacilitatorLimits,
    private readonly settlements: SettlementsRepository,
    private readonly follower: EvmFollower,
    private readonly channels: ChannelSettlements,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  get isActive(): boolean {
    return this.account.isActive;
  }

  async kinds(): Promise<FacilitatedKind[]> {
    const { places } = this.account;
    return (await Promise.all(places.map((place) => this.kindsOn(place)))).flat();
  }

  private async kindsOn(place: SettlementPlace): Promise<FacilitatedKind[]> {
    const { id: network } = place.chain;
    const hasChannels = await this.channels.isDeployed(place).catch(() => false);
    return [
      { scheme: 'exact', network, extra: {} },
      // The buyer signs this account, so no other account can settle the payment.
      { scheme: 'upto', network, extra: { facilitatorAddress: this.account.address } },
      ...(hasChannels ? [{ scheme: 'batch-settlement', network, extra: {} }] : []),
    ];
  }

  signers(): FacilitatorSigner[] {
    return [{ networks: 'eip155:*', address: this.account.address }];
  }

  wallets(): SendingWallet[] {
    const { address, places } = this.account;
    return places.map(({ chain, rpc }) => ({
      network: chain.id,
      address,
      decimals: coinDecimals,
      coins: () => coinBalance(rpc, address, 'latest'),
    }));
  }

  has(network: unknown): boolean {
    return this.account.find(network) !== undefined;
  }

  pollIntervalMs(network: string): number {
    return this.placeOf(network).chain.pollIntervalMs;
  }

  isOutage(error: unknown): boolean {
    return error instanceof RpcError;
  }

  read({
    paymentPayload: payload,
    paymentRequirements: requirements,
  }: FacilitatedPaymentRequest): EvmPayment | Rejection {
    const { network, asset, payTo } = requirements;
    const { chain, tokens } = this.placeOf(network);
    const isKnown = typeof asset === 'string' && tokens.has(asset.toLowerCase());
    if (!isKnown) return { reason: 'unsupported_asset' };
    if (typeof payTo !== 'string') return unsupportedReceiver;
    // The burn address, a token or a contract of this deployment would lose the money.
    const receiver = receiverAddress(chain, payTo);
    if (!receiver.ok) return invalidReceiver(receiver.reason);
    const difference = describeDifference(payload.accepted, requirements);
    if (difference !== undefined) return { reason: 'invalid_payment_requirements', message: difference };
    const read =
      requirements.scheme === 'batch-settlement'
        ? readChannelPayment(chain.id, payload, requirements)
        : readAuthorization(payload, requirements);
    if (Array.isArray(read)) return this.isServed(payTo) ? malformed(read) : unsupportedReceiver;
    const channel = 'action' in read ? read : undefined;
    const authorization = 'action' in read ? read.authorization : read;
    // A receiver may also pay, because its refunds are settled.
    const isServed = this.isServed(payTo) || this.isServed(authorization.payer);
    if (!isServed) return unsupportedReceiver;
    const payment = { network: chain.id, authorization, payload, requirements };
    return channel
      ? { ...payment, channel, answered: answeredOf(channel) }
      : { ...payment, answered: 'one call' };
  }

  private isServed(address: string): boolean {
    return isReceiver(this.account.receivers, address);
  }

  async verify({ network, authorization, payload, requirements }: Payment): Promise<Verified | Rejection> {
    const { scheme } = authorization;
    const place = this.placeOf(network);
    if (scheme === 'batch-settlement' && !(await this.channels.isDeployed(place)))
      return { reason: 'unsupported_scheme' };
    return this.official(place).verify(scheme, payload, requirements);
  }

  async identify(payment: EvmPayment): Promise<EvmPayment | Rejection> {
    const { channel, network } = payment;
    if (!channel) return payment;
    const identified = await this.channels.identify(this.placeOf(network), channel);
    return 'reason' in identified ? identified : { ...payment, authorization: identified };
  }

  async claim(payment: EvmPayment): Promise<ClaimOutcome> {
    const { network, authorization, payload, requirements, channel } = payment;
    const { scheme } = authorization;
    const place = this.placeOf(network);
    const built = await this.official(place).build(scheme, payload, requirements);
    if (built.kind !== 'call') return built;
    const owed = channel ? await this.channels.prepare(place, channel, authorization) : authorization;
    if ('reason' in owed) return rejected(owed);
    return this.claimCall({ ...payment, authorization: owed }, built.call);
  }

  describe(settlement: Settlement): Promise<SettlementDetails> {
    return this.channels.describe(this.placeOf(settlement.network), settlement);
  }

  private async claimCall(
    { network, authorization, answered }: Payment,
    { leastGas, ...call }: BuiltCall,
  ): Promise<ClaimOutcome> {
    const place = this.placeOf(network);
    const { rpc, chain } = place;
    const { address: sender, maxGas } = this.account;
    const { perMinute, totalPerMinute } = this.limits;
    // Read before the last simulation, so that later transactions of other accounts are in a later block.
    const { height } = await rpc.head();
    const tried = await estimateGas(rpc, { from: sender, ...call });
    if ('reason' in tried)
      return rejected({ reason: 'simulation_failed', message: describeRevert(tried.reason) });
    const estimated = (tried.gasUnits * gasRoom) / ofGasRoom;
    const gasLimit = estimated > leastGas ? estimated : leastGas;
    if (gasLimit > maxGas) return rejected({ reason: 'gas_limit_exceeded' });
    const price = await readGasPrice(rpc);
    const fees = feesFor(price, this.account.boundsOf(gasLimit));
    if (!fees) throw unavailable('Gas is more expensive at present than this facilitator pays.');
    await this.requireCoins(place, gasLimit * fees.maxFeePerGas);
    const relay: RelayCall = {
      ...call,
      chainId: chain.chainId,
      gasLimit,
      fees,
      isLegacy: price.baseFeePerGas === null,
    };
    const [mined, heldAtomic] = await Promise.all([
      minedCount(rpc, sender, 'latest'),
      answered === 'one call' ? heldBy(place, authorization) : null,
    ]);
    return this.settlements.claim({
      network,
      authorization,
      call,
      sender,
      transaction: { minedCount: mined, sign: (nonce) => this.account.sign(relay, nonce) },
      sinceHeight: height,
      heldAtomic,
      perMinute,
      totalPerMinute,
    });
  }

  private async requireCoins({ rpc, chain }: SettlementPlace, wei: bigint): Promise<void> {
    const { address } = this.account;
    if ((await coinBalance(rpc, address, 'latest')) >= wei) return;
    this.logger.error({ chain: chain.id, wallet: address }, 'facilitator wallet cannot pay for gas');
    throw unavailable('This facilitator cannot pay for gas at present.');
  }

  async broadcast(network: string, { signed, id }: ClaimedNow): Promise<void> {
    const { rpc } = this.placeOf(network);
    const outcome = await broadcast(rpc, signed.raw).catch((err: unknown): SendOutcome => ({
      kind: 'rejected',
      reason: String(err),
    }));
    if (outcome.kind === 'rejected')
      this.logger.error(
        { settlementId: id, reason: outcome.reason },
        'settlement rejected by the node, retrying',
      );
  }

  follow(settlement: Settlement): Promise<void> {
    return this.follower.follow(settlement);
  }

  private placeOf(network: unknown): SettlementPlace {
    const place = this.account.find(network);
    if (!place) throw new Error(`the chain ${String(network)} is not configured`);
    return place;
  }

  private official({ rpc }: SettlementPlace): OfficialEvm {
    return new OfficialEvm(rpc, this.account.address);
  }
}

const answeredOf = ({ action }: ChannelPayment): Payment['answered'] =>
  action === 'deposit' ? 'one call' : action === 'voucher' ? 'none' : 'equal calls';

const heldBy = ({ rpc }: SettlementPlace, { payer, token }: Authorization): Promise<bigint> =>
  tokenBalance(rpc, payer, token, 'latest');

const unavailable = (text: string): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', text, { retryAfterSeconds: 10 });

const rejected = (rejection: Rejection): ClaimOutcome => ({ kind: 'rejected', rejection });
