import { Inject, Injectable } from '@nestjs/common';
import type { PayoutApproval, PayoutDecision } from '@tollbridge/contracts';
import { DomainError, keyIdOf, type CallContext } from '@tollbridge/rpc';
import { affordablePerGas, feesFor, readGasPrice } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { checkEvmDigest, ContractWallets } from '@tollbridge/wallet-proof';
import { inTime } from '../chain-time';
import type { StoredPayout } from '../payout';
import { PayoutChains, type PayoutChain } from '../payout-chains';
import type { Sending } from './batch';
import { PayoutApprovalsRepository } from './payout-approvals.repository';
import { PayoutPrices } from './payout-prices';
import { termsOf } from './batch-relay';
import { readMeans, tryCall } from './relay-chain';
import { RelayerAccount } from './relayer-account';
import { asPermit2Takes, digestOf, payOutCall, type BatchTerms } from './typed-data';

type Waiting = StoredPayout & { sending: Sending };

interface SignedBatch {
  terms: BatchTerms;
  signature: string;
}

// Long enough for the signatures of all contract wallets in use.
const signatureForm = /^0x([0-9a-f]{2}){1,4096}$/i;

/** Approves, rejects and expires payouts. An approval is stored only when its batches can be sent. */
@Injectable()
export class PayoutDecisions {
  private readonly contractWallets: ContractWallets;

  constructor(
    private readonly approvals: PayoutApprovalsRepository,
    private readonly chains: PayoutChains,
    private readonly account: RelayerAccount,
    private readonly prices: PayoutPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.contractWallets = new ContractWallets(
      new Map(chains.all.map(({ chain, rpc }) => [chain.chainId, rpc])),
    );
  }

  /** @throws DomainError when the payout cannot be approved: nothing is stored */
  async approve(
    found: StoredPayout,
    { signatures }: PayoutApproval,
    context: CallContext,
  ): Promise<PayoutDecision> {
    const payout = waiting(found);
    // Null when the wallet itself approves. It may approve its own payouts, because it creates keys and signs every
    // batch.
    const keyId = keyIdOf(context) ?? null;
    if (keyId === payout.keyId) throw new DomainError('SECOND_KEY_REQUIRED');
    if (!this.account.isActive || this.clock.now() >= payout.sending.approveUntilMs) throw tooLate();
    const place = this.chains.find(payout.chain)!;
    const fromHeight = await inTime(this.check(payout, place, signatures));
    const reply: PayoutDecision = { payoutId: payout.id, state: 'sending' };
    const taken = signatures.map(asPermit2Takes);
    const approval = { payoutId: payout.id, keyId, signatures: taken, fromHeight };
    if (!(await this.approvals.approve(approval, context, reply))) throw tooLate();
    this.outbox.wake();
    return reply;
  }

  async reject(found: StoredPayout, context: CallContext): Promise<PayoutDecision> {
    const payout = waiting(found);
    const reply: PayoutDecision = { payoutId: payout.id, state: 'rejected' };
    if (!(await this.approvals.end(payout.id, 'rejected', { context, reply }))) throw tooLate();
    this.outbox.wake();
    return reply;
  }

  /** Ends payouts with an overdue approval. Returns how many were overdue. */
  async expire(limit: number): Promise<number> {
    const late = await this.approvals.unapproved(limit);
    for (const payoutId of late) await this.approvals.end(payoutId, 'expired');
    if (late.length > 0) this.outbox.wake();
    return late.length;
  }

  /** Verifies an approval. Returns the first block that may contain a transaction of the payout. */
  private async check(payout: Waiting, place: PayoutChain, signatures: readonly string[]): Promise<number> {
    const { batches } = payout.sending;
    if (signatures.length !== batches.length)
      throw invalid('signatures', `must be ${batches.length} signatures, one for each batch`);
    const unreadable = signatures.findIndex((signature) => !signatureForm.test(signature));
    if (unreadable >= 0) throw invalid(`signatures[${unreadable}]`, 'must be 0x and hexadecimal digits');
    const { height } = await place.rpc.head();
    const signed = await this.checkSignatures(payout, place, signatures);
    await this.checkFunds(payout, place);
    const gasUnits = await this.checkCalls(payout, place, signed);
    await this.checkFees(payout, place, gasUnits);
    return Math.max(0, height - place.chain.confirmations);
  }

  private async checkSignatures(
    payout: Waiting,
    { chain }: PayoutChain,
    signatures: readonly string[],
  ): Promise<SignedBatch[]> {
    const signed = payout.sending.batches.map((batch, at) => ({
      terms: termsOf(payout, batch, chain.chainId),
      signature: asPermit2Takes(signatures[at]!),
    }));
    const verdicts = await Promise.all(
      signed.map(({ terms, signature }) =>
        checkEvmDigest(
          { wallet: payout.wallet, chainId: chain.chainId, digest: digestOf(terms), signature },
          this.contractWallets,
        ),
      ),
    );
    const details = verdicts.flatMap(({ ok }, at) =>
      ok
        ? []
        : [{ field: `signatures[${at}]`, message: 'is not a signature of this batch by the paying wallet' }],
    );
    if (details.length > 0)
      throw new DomainError(
        'INVALID_SIGNATURE',
        'A signature does not match its batch and the paying wallet. Sign the batches that GET /payout/{id} returns.',
        {
          details,
        },
      );
    return signed;
  }

  private async checkFunds(payout: Waiting, { rpc }: PayoutChain): Promise<void> {
    const { heldAtomic, allowedAtomic } = await readMeans(rpc, payout.sending.tokenAddress, payout.wallet);
    const needed = payout.plan.totalAtomic + payout.plan.feeAtomic;
    if (heldAtomic < needed)
      throw new DomainError('INSUFFICIENT_BALANCE', undefined, {
        details: { token: payout.token, heldAtomic: String(heldAtomic), neededAtomic: String(needed) },
      });
    if (allowedAtomic < needed)
      throw new DomainError(
        'INSUFFICIENT_ALLOWANCE',
        'The Permit2 allowance is lower than the payout. Approve Permit2 for the amount in details.',
        {
          details: {
            token: payout.token,
            allowedAtomic: String(allowedAtomic),
            neededAtomic: String(needed),
          },
        },
      );
  }

  /** Simulates each batch on the latest block, and returns the gas of each. */
  private async checkCalls(
    payout: Waiting,
    { rpc }: PayoutChain,
    signed: readonly SignedBatch[],
  ): Promise<bigint[]> {
    const gasUnits: bigint[] = [];
    for (const { terms, signature } of signed) {
      const data = payOutCall(terms, payout.wallet, signature);
      const tried = await tryCall(rpc, this.account.address, terms.contract, data);
      if ('reason' in tried)
        throw new DomainError(
          'TRANSACTION_FAILED',
          `Batch ${terms.index} fails on the chain: ${tried.reason}`,
          {
            details: { batch: terms.index, reason: tried.reason },
          },
        );
      gasUnits.push(tried.gasUnits);
    }
    return gasUnits;
  }

  /** Checks that the fee of each batch covers its gas, which the relayer pays. */
  private async checkFees(payout: Waiting, { rpc }: PayoutChain, gasUnits: readonly bigint[]): Promise<void> {
    const price = await readGasPrice(rpc);
    const { maxWeiPerGas, tipPerGas } = this.account.options;
    const token = { address: payout.sending.tokenAddress, decimals: payout.decimals };
    for (const [at, batch] of payout.sending.batches.entries()) {
      const worthWei = this.prices.weiOf(payout.chain, token, batch.feeAtomic);
      const bounds = { maxWeiPerGas, worthWei, gasUnits: gasUnits[at]! };
      if (feesFor(price, { ...bounds, tipPerGas })) continue;
      const asked = (price.baseFeePerGas ?? 0n) + (tipPerGas ?? price.tipPerGas);
      throw new DomainError(
        'GAS_LIMIT_EXCEEDED',
        'The fee of the payout does not cover its gas at present. Pay out a larger amount, on a cheaper chain, or later.',
        {
          details: {
            batch: batch.index,
            gasUnits: String(gasUnits[at]),
            weiPerGas: String(asked),
            coveredWeiPerGas: String(affordablePerGas(bounds)),
          },
        },
      );
    }
  }
}

/** @throws DomainError CONFLICT for a payout that does not wait for approval */
function waiting(payout: StoredPayout): Waiting {
  if (!payout.sending)
    throw new DomainError('CONFLICT', 'This payout is not submitted on a chain, so it needs no approval.');
  if (payout.sending.state !== 'awaiting_approval') throw tooLate();
  return { ...payout, sending: payout.sending };
}

const tooLate = (): DomainError =>
  new DomainError('CONFLICT', 'This payout does not wait for approval. GET /payout/{id} has its status.');

const invalid = (field: string, message: string): DomainError =>
  new DomainError('VALIDATION_ERROR', undefined, { details: [{ field, message }] });
