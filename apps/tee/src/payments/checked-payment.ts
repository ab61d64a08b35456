import {
  confirmationBytes,
  digestOf,
  flags as paymentFlags,
  hashChainGrantDigest,
  paymentOffsets,
  sessionGrantDigest,
  type ChargeItem,
  type PaymentTerms,
  type PresentedChain,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { ChainStep, CheckedPayment } from '../ledger/rules/payment';
import type { Session } from '../ledger/rules/sessions';

/** Converts a presented payment to the input of the ledger's decision. */
export function toCheckedPayment(item: ChargeItem, terms: PaymentTerms): CheckedPayment {
  const digest = digestOf(item.payment);
  const hashOf = (offset: number) => item.payment.toString('latin1', offset + 4, offset + 36);
  return {
    // A check is a preview of a charge.
    kind: item.kind === 'hold' ? 'hold' : 'charge',
    confirmationId: confirmationBytes(digest),
    digest,
    payer: hashOf(paymentOffsets.from),
    seller: hashOf(paymentOffsets.to),
    nonce: terms.nonce,
    resourceHash: terms.resourceHash,
    flags: terms.flags,
    validAfterS: terms.validAfterS,
    validBeforeS: terms.validBeforeS,
    signature: item.signature,
    callKey: item.callKey,
    amountAtomic: terms.amountAtomic,
    chargeAtomic: item.amountAtomic,
    holdS: item.holdS,
    session: toSession(item, terms),
    step: item.chain && toStep(item.chain),
    channel: item.channel,
  };
}

/** Verifies that exactly the grant that the flags specify is present. Only a hold opens a channel. */
export function checkGrantFields(
  { session, chain, channel }: ChargeItem,
  { flags }: PaymentTerms,
): Rejection | undefined {
  if (((flags & paymentFlags.session) !== 0) !== (session !== undefined))
    return 'invalid_ton_nanopay_session';
  if (((flags & paymentFlags.channel) !== 0) !== (channel !== undefined))
    return 'invalid_ton_nanopay_channel';
  const isChain = (flags & paymentFlags.hashChain) !== 0;
  const isOne = session === undefined || chain === undefined;
  return isOne && isChain === (chain !== undefined) ? undefined : 'invalid_ton_nanopay_hash_chain';
}

const toStep = ({ index, link, unitAtomic }: PresentedChain): ChainStep => ({ index, link, unitAtomic });

function toSession({ session, chain, payment }: ChargeItem, terms: PaymentTerms): Session | undefined {
  const grant = chain ?? session;
  if (!grant) return undefined;
  const digest = chain ? hashChainGrantDigest(terms, terms.to, chain) : sessionGrantDigest(terms, session!);
  return {
    key: digest.toString('latin1'),
    account: payment.toString('latin1', paymentOffsets.from + 4, paymentOffsets.to),
    nonce: grant.nonce,
    spentAtomic: 0n,
    maxTotalAtomic: chain ? chain.unitAtomic * BigInt(chain.length) : session!.maxTotalAtomic,
    validBeforeS: grant.validBeforeS,
    link: chain?.anchor,
    usedMs: 0,
  };
}
