import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { receiverAddress } from '@tollbridge/chains';
import type {
  FacilitatedPaymentRequest,
  FacilitatedSettleReply,
  FacilitatedSettleRequest,
  FacilitatedVerifyReply,
} from '@tollbridge/contracts';
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
} from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { DomainError } from '@tollbridge/rpc';
import { readAuthorization, type Authorization, type Json } from '../authorization';
import { FollowSettlement } from './follow-settlement';
import { OfficialEvm, type OfficialRejection } from './official-evm';
import { FacilitatorAccount, type SettlementPlace } from './facilitator-account';
import { answerOf, messageOf, nothingSettled, notSettled } from '../replies';
import { isReceiver } from '../settings';
import type { Settlement, SettlementCall } from '../settlement';
import { SettlementsRepository, type Claimed, type ClaimedNow } from '../settlements.repository';

/** A payment that this deployment may settle, if it is valid. */
interface Payment {
  place: SettlementPlace;
  authorization: Authorization;
  payload: Json;
  requirements: Json;
}

// Headroom above the estimate, which holds for its block only.
const [gasRoom, ofGasRoom] = [12n, 10n];
// Between reads of a settlement that another call or replica follows.
const readEveryMs = 100;

/** The facilitator of the official schemes: evaluates payments, claims them once and answers their outcome. */
@Injectable()
export class EvmFacilitator {
  constructor(
    private readonly account: FacilitatorAccount,
    private readonly settlements: SettlementsRepository,
    private readonly follower: FollowSettlement,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async verify(request: FacilitatedPaymentRequest): Promise<FacilitatedVerifyReply> {
    const payment = this.read(request);
    if ('reason' in payment) return notValid(payment);
    const { place, authorization, payload, requirements } = payment;
    const { payer } = authorization;
    const known = await this.settlements.find(place.chain.id, authorization);
    // A seller that repeats a payment of unknown outcome gets the outcome from settle.
    if (known && canBeAnswered(known, authorization)) return { isValid: true, payer };
    if (known) return notValid({ reason: 'duplicate_settlement' }, payer);
    if (await this.settlements.isIdentifierUsed(authorization))
      return notValid({ reason: 'payment_identifier_conflict' }, payer);
    const rejection = await this.ask(() =>
      this.official(place).verify(authorization.scheme, payload, requirements),
    );
    return rejection ? notValid(rejection, payer) : { isValid: true, payer };
  }

  async settle({ callKey, ...request }: FacilitatedSettleRequest): Promise<FacilitatedSettleReply> {
    const network = textOf(request.paymentRequirements.network);
    const payment = this.read(request);
    if ('reason' in payment) return notSettled(payment, network);
    const { authorization } = payment;
    const known = await this.settlements.find(network, authorization);
    if (known) return this.answer(known, authorization, { callKey });
    if (await this.settlements.isIdentifierUsed(authorization))
      return notSettled({ reason: 'payment_identifier_conflict' }, network, authorization.payer);
    const outcome = await this.ask(() => this.buildAndClaim(payment));
    if (outcome === 'nothing') return nothingSettled(network, authorization.payer);
    if (typeof outcome === 'object' && 'reason' in outcome) return this.reject(payment, outcome, callKey);
    if (outcome === 'limited')
      throw new DomainError('RATE_LIMIT_EXCEEDED', 'Too many settlements in the last minute.', {
        retryAfterSeconds: 10,
      });
    if (outcome === 'unfunded') return this.reject(payment, { reason: 'insufficient_funds' }, callKey);
    if (outcome !== 'exists') await this.send(payment.place, outcome);
    const settlement = await this.settlements.find(network, authorization);
    // The payment id belongs to another authorization.
    if (!settlement)
      return notSettled({ reason: 'payment_identifier_conflict' }, network, authorization.payer);
    return this.answer(settlement, authorization, { callKey, isOwn: outcome !== 'exists' });
  }

  /** An equal call may have settled the payment meanwhile, which made it invalid for this one. */
  private async reject(
    { place, authorization }: Payment,
    rejection: OfficialRejection,
    callKey: string,
  ): Promise<FacilitatedSettleReply> {
    const network = place.chain.id;
    const raced = await this.settlements.find(network, authorization);
    return raced
      ? this.answer(raced, authorization, { callKey })
      : notSettled(rejection, network, authorization.payer);
  }

  /** The payment in a request, or why this deployment does not settle such payments. */
  private read({
    paymentPayload: payload,
    paymentRequirements: requirements,
  }: FacilitatedPaymentRequest): Payment | OfficialRejection {
    const { scheme, network, asset, payTo } = requirements;
    if (scheme !== 'exact' && scheme !== 'upto') return { reason: 'unsupported_scheme' };
    const place = this.account.find(network);
    if (!place) return { reason: 'invalid_network' };
    const isKnown = typeof asset === 'string' && place.tokens.has(asset.toLowerCase());
    if (!isKnown) return { reason: 'unsupported_asset' };
    if (typeof payTo !== 'string') return { reason: 'unsupported_receiver' };
    // The burn address, a token or a contract of this deployment would lose the money.
    if (!receiverAddress(place.chain, payTo).ok) return { reason: 'invalid_payment_requirements' };
    if (!isAccepted(payload.accepted, requirements)) return { reason: 'invalid_payment_requirements' };
    const authorization = readAuthorization(payload, requirements);
    if (!authorization) return { reason: this.isServed(payTo) ? 'invalid_payload' : 'unsupported_receiver' };
    // A receiver may also pay: its refunds are settled.
    const isServed = this.isServed(payTo) || this.isServed(authorization.payer);
    return isServed ? { place, authorization, payload, requirements } : { reason: 'unsupported_receiver' };
  }

  private isServed(address: string): boolean {
    return isReceiver(this.account.receivers, address);
  }

  /** Claims the payment after the official checks and a simulation. */
  private async buildAndClaim(payment: Payment): Promise<Claimed | OfficialRejection | 'nothing'> {
    const { place, authorization, payload, requirements } = payment;
    const { scheme, amountAtomic } = authorization;
    if (amountAtomic === 0n && scheme === 'exact') return { reason: 'invalid_amount' };
    const built = await this.official(place).build(scheme, payload, requirements);
    return built === 'nothing' || 'reason' in built ? built : this.claim(payment, built);
  }

  private async claim(
    { place, authorization }: Payment,
    call: SettlementCall,
  ): Promise<Claimed | OfficialRejection> {
    const { rpc, chain } = place;
    const { address: sender, limits } = this.account;
    // Read before the last simulation: what another account sends afterwards is in a later block.
    const { height } = await rpc.head();
    const tried = await estimateGas(rpc, { from: sender, ...call });
    if ('reason' in tried) return { reason: 'simulation_failed', message: tried.reason };
    const gasLimit = (tried.gasUnits * gasRoom) / ofGasRoom;
    if (gasLimit > limits.maxGas) return { reason: 'gas_limit_exceeded' };
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
      tokenBalance(rpc, authorization.payer, authorization.token, 'latest'),
    ]);
    return this.settlements.claim({
      network: chain.id,
      authorization,
      call,
      sender,
      minedCount: mined,
      sinceHeight: height,
      heldAtomic,
      perMinute: limits.perMinute,
      totalPerMinute: limits.totalPerMinute,
      sign: (nonce) => this.account.sign(relay, nonce),
    });
  }

  private async requireCoins({ rpc, chain }: SettlementPlace, wei: bigint): Promise<void> {
    const { address } = this.account;
    if ((await coinBalance(rpc, address, 'latest')) >= wei) return;
    this.logger.error({ chain: chain.id, wallet: address }, 'facilitator wallet cannot pay for gas');
    throw unavailable('This facilitator cannot pay for gas at present.');
  }

  /** Stored before: whatever becomes of the broadcast, the settlement is followed until its outcome is known. */
  private async send({ rpc }: SettlementPlace, { signed, id }: ClaimedNow): Promise<void> {
    const outcome = await broadcast(rpc, signed.raw).catch((err: unknown) => ({ rejected: String(err) }));
    if (typeof outcome === 'object')
      this.logger.error(
        { settlementId: id, reason: outcome.rejected },
        'settlement rejected by the node, retrying',
      );
  }

  /** Waits for the outcome. Exactly one call gets the success, and repeated ones with its key. */
  private async answer(
    found: Settlement,
    authorization: Authorization,
    { callKey, isOwn = false }: { callKey: string; isOwn?: boolean },
  ): Promise<FacilitatedSettleReply> {
    if (found.payloadHash !== authorization.payloadHash)
      return notSettled({ reason: 'duplicate_settlement' }, found.network, found.payer);
    const settlement = found.state === 'sent' ? await this.wait(found, isOwn) : found;
    const isPaid = settlement.state === 'settled' || settlement.state === 'final';
    if (isPaid && !(await this.settlements.answer(settlement, callKey)))
      return notSettled({ reason: 'duplicate_settlement' }, settlement.network, settlement.payer);
    return answerOf(settlement);
  }

  private async wait(found: Settlement, isOwn: boolean): Promise<Settlement> {
    const untilMs = performance.now() + this.account.limits.waitMs;
    const everyMs = Math.max(readEveryMs, this.account.find(found.network)!.chain.pollIntervalMs / 4);
    for (let settlement = found; ; settlement = await this.settlements.get(found.id)) {
      if (settlement.state !== 'sent') return settlement;
      // The worker follows it as well; an outage of the node leaves the outcome unknown.
      if (isOwn) await this.follower.follow(settlement).catch(() => undefined);
      const next = isOwn ? await this.settlements.get(found.id) : settlement;
      if (next.state !== 'sent' || performance.now() >= untilMs) return next;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  private official({ rpc }: SettlementPlace): OfficialEvm {
    return new OfficialEvm(rpc, this.account.address);
  }

  /** @throws DomainError SERVICE_UNAVAILABLE when the chain does not answer: nothing is known, nothing was sent */
  private async ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new DomainError('SERVICE_UNAVAILABLE', 'The chain does not answer. Repeat the call.', {
        cause: error,
        retryAfterSeconds: 2,
      });
    }
  }
}

const unavailable = (text: string): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', text, { retryAfterSeconds: 10 });

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : 'unknown');

/** Whether `settle` still returns the outcome of this settlement to an equal call. */
const canBeAnswered = ({ payloadHash, state, answeredTo }: Settlement, asked: Authorization): boolean =>
  payloadHash === asked.payloadHash && state !== 'failed' && answeredTo === null;

const notValid = ({ reason, message }: OfficialRejection, payer?: string): FacilitatedVerifyReply => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message ?? messageOf(reason),
  ...(payer !== undefined && { payer }),
});

/** Whether the buyer accepted these requirements. An `upto` payment may be settled below the accepted maximum. */
function isAccepted(accepted: unknown, requirements: Json): boolean {
  if (typeof accepted !== 'object' || accepted === null) return false;
  const { scheme, network, asset, payTo, amount } = accepted as Json;
  const isSame = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();
  return (
    scheme === requirements.scheme &&
    network === requirements.network &&
    isSame(asset, requirements.asset) &&
    isSame(payTo, requirements.payTo) &&
    (scheme === 'upto' || amount === requirements.amount)
  );
}
