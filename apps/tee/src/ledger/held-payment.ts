import type { CheckedPayment, Payment } from './payment';

const noHead = Buffer.alloc(32);

/** Fields are listed one by one: an object spread would double the cost of a decision (`bench:nanopay`, row `tollbridge: paid`). */
export const heldPayment = (checked: CheckedPayment, nowMs: number): Payment => ({
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
  holdUntilMs: nowMs + checked.holdS * 1000,
  seq: 0n,
  unixMs: 0n,
  previousHead: noHead,
  receipt: undefined,
  isStored: false,
});
