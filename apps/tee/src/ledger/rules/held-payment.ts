import { confirmationBytes, flags } from '@tollbridge/nanopay-protocol';
import { newChannel, releasedMs } from './channel';
import type { CheckedPayment, Payment } from './payment';

const noHead = Buffer.alloc(32);

/** Lists each field, because an object spread would double the cost of a decision (row `tollbridge: paid`). */
export function heldPayment(checked: CheckedPayment, nowMs: number): Payment {
  const channel = checked.channel && newChannel(checked.channel);
  return {
    confirmationId: checked.confirmationId,
    digest: checked.digest,
    payer: checked.payer,
    seller: checked.seller,
    nonce: checked.nonce,
    resourceHash: checked.resourceHash,
    flags: checked.flags,
    session: checked.session?.key,
    link: checked.step?.link,
    validAfterS: checked.validAfterS,
    validBeforeS: checked.validBeforeS,
    signature: checked.signature,
    callKey: checked.callKey,
    state: 'held',
    amountAtomic: checked.amountAtomic,
    chargedAtomic: checked.chargeAtomic,
    holdUntilMs: channel ? releasedMs(channel) : nowMs + checked.holdS * 1000,
    channel,
    seq: 0n,
    unixMs: 0n,
    previousHead: noHead,
    receipt: undefined,
    isStored: false,
  };
}

/** The charge of a part of a channel's reservation, with a separate receipt. The hash of the resource is its link. */
export const settlementPayment = (
  hold: Payment,
  { digest, link, amountAtomic }: { digest: Buffer; link: Buffer; amountAtomic: bigint },
  nowMs: number,
): Payment => ({
  ...hold,
  confirmationId: confirmationBytes(digest),
  digest,
  nonce: digest,
  resourceHash: link,
  flags: flags.channel,
  session: undefined,
  validAfterS: BigInt(Math.floor(nowMs / 1000)),
  validBeforeS: BigInt(Math.floor(nowMs / 1000)) + settlementLifeS,
  state: 'captured',
  amountAtomic,
  chargedAtomic: amountAtomic,
  holdUntilMs: nowMs,
  channel: undefined,
  isStored: false,
});

/** A settlement has no real expiry. This value only determines the partition of its row. */
const settlementLifeS = 60n;
