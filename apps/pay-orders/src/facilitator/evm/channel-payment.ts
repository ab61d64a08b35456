// Payments of the scheme `batch-settlement`, read strictly before any other use. Pure.
import { PERMIT2_ADDRESS, X402_BATCH_SETTLEMENT_ADDRESS } from '@tollbridge/onchain';
import { AbiCoder, keccak256 } from 'ethers';
import { createHash } from 'node:crypto';
import {
  hash32Form,
  isAddress,
  isAmount,
  isObject,
  isSignature,
  payloadHashOf,
  readIdentifier,
  readPermitNonce,
  secondsOf,
  type Authorization,
  type Json,
} from '../authorization';
import { channelIdOf, type ChannelConfig } from './channel-contract';

/**
 * `deposit` moves money of the buyer into a channel and pays one request. `claim`, `settle` and `refund` are of the
 * seller. `voucher` is only verified: no transaction belongs to it.
 */
export type ChannelAction = 'deposit' | 'voucher' | 'claim' | 'settle' | 'refund';

/** What a seller claims of a channel, from its beginning. */
export interface ClaimedTotal {
  channelId: string;
  totalClaimed: bigint;
}

export interface ChannelPayment {
  action: ChannelAction;
  authorization: Authorization;
  totals: ClaimedTotal[];
}

interface Given {
  network: string;
  asset: string;
  payTo: string;
  inner: Json;
}

type Read = Pick<Authorization, 'contract' | 'payer' | 'nonce' | 'amountAtomic' | 'validBefore'> & {
  action: ChannelAction;
  totals?: ClaimedTotal[];
};

export const batchContract = X402_BATCH_SETTLEMENT_ADDRESS.toLowerCase();
/** The JSON of more is longer than a request may be. */
const maxClaims = 32;
// Set when the transaction is built.
const noEnd = 0;

/** @returns undefined when a field is missing, malformed or of another seller */
export function readChannelPayment(
  network: string,
  payload: Json,
  requirements: Json,
): ChannelPayment | undefined {
  const { asset, payTo, amount } = requirements;
  const inner = payload.payload;
  const paymentId = readIdentifier(payload.extensions);
  if (!isAddress(asset) || !isAddress(payTo) || !isAmount(amount) || !isObject(inner)) return undefined;
  if (paymentId === undefined) return undefined;
  const given = { network, asset: asset.toLowerCase(), payTo: payTo.toLowerCase(), inner };
  const read = readers.get(inner.type)?.(given);
  if (!read) return undefined;
  const { action, totals = [], ...identity } = read;
  const authorization: Authorization = {
    ...identity,
    scheme: 'batch-settlement',
    token: given.asset,
    payTo: given.payTo,
    // Claims and settlements are identified by what they do, however they are written.
    payloadHash: isOfSeller(action) ? identity.nonce : payloadHashOf(payload, requirements),
    paymentId: action === 'deposit' ? paymentId : null,
  };
  return { action, authorization, totals };
}

const isOfSeller = (action: ChannelAction): boolean => action === 'claim' || action === 'settle';

const readers = new Map<unknown, (given: Given) => Read | undefined>([
  ['deposit', readDeposit],
  ['voucher', readVoucher],
  ['claim', readClaim],
  ['settle', readSettle],
  ['refund', readRefund],
]);

function readDeposit(given: Given): Read | undefined {
  const { inner, network, asset } = given;
  const config = readConfig(inner.channelConfig, given);
  const { deposit } = inner;
  if (!config || !isVoucher(inner.voucher) || !isObject(deposit) || !isPositive(deposit.amount))
    return undefined;
  const { erc3009Authorization: transfer, permit2Authorization: permit } = isObject(deposit.authorization)
    ? deposit.authorization
    : {};
  const payer = config.payer.toLowerCase();
  const read = { action: 'deposit', payer, amountAtomic: BigInt(deposit.amount) } as const;
  // With both, the package and this table could take different ones.
  if (isObject(transfer) && permit === undefined) {
    const { validAfter, validBefore, salt, signature } = transfer;
    if (!isAmount(validAfter) || !isAmount(validBefore) || !isHash(salt) || !isSignature(signature))
      return undefined;
    const words = AbiCoder.defaultAbiCoder().encode(
      ['bytes32', 'uint256'],
      [channelIdOf(network, config), salt],
    );
    return { ...read, contract: asset, nonce: keccak256(words), validBefore: secondsOf(validBefore) };
  }
  if (!isObject(permit) || transfer !== undefined || !isSignature(permit.signature)) return undefined;
  const { from, permitted, nonce, deadline, spender, witness } = permit;
  const isWhole = isObject(permitted) && isAddress(permitted.token) && isAmount(permitted.amount);
  if (!isWhole || !isAddress(from) || from.toLowerCase() !== payer || !isAddress(spender)) return undefined;
  if (!isAmount(nonce) || !isAmount(deadline) || !isObject(witness) || !isHash(witness.channelId))
    return undefined;
  const contract = PERMIT2_ADDRESS.toLowerCase();
  return { ...read, contract, nonce: readPermitNonce(nonce), validBefore: secondsOf(deadline) };
}

function readVoucher(given: Given): Read | undefined {
  const config = readConfig(given.inner.channelConfig, given);
  if (!config || !isVoucher(given.inner.voucher)) return undefined;
  const payer = config.payer.toLowerCase();
  return {
    action: 'voucher',
    payer,
    contract: batchContract,
    nonce: 'voucher',
    amountAtomic: 0n,
    validBefore: noEnd,
  };
}

/** Identified by its content: totals are cumulative, so equal claims have one effect. */
function readClaim(given: Given): Read | undefined {
  const { payTo: payer, inner } = given;
  const totals = readTotals(inner.claims, given);
  if (!totals || totals.length === 0 || !isOptionalSignature(inner.claimAuthorizerSignature))
    return undefined;
  const lines = totals.map(({ channelId, totalClaimed }) => `${channelId} ${totalClaimed}`).sort();
  const nonce = `claim:${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
  return {
    action: 'claim',
    payer,
    contract: batchContract,
    nonce,
    amountAtomic: 0n,
    validBefore: noEnd,
    totals,
  };
}

/** Nothing in it identifies it: what was settled before does. */
function readSettle({ inner, payTo: payer, asset }: Given): Read | undefined {
  const isOfSeller = isSame(inner.receiver, payer) && isSame(inner.token, asset);
  return isOfSeller
    ? {
        action: 'settle',
        payer,
        contract: batchContract,
        nonce: 'settle',
        amountAtomic: 0n,
        validBefore: noEnd,
      }
    : undefined;
}

/** That of a buyer is verified only; the seller adds amount, nonce and signatures before it is settled. */
function readRefund(given: Given): Read | undefined {
  const { network, payTo: payer, inner } = given;
  if (!('refundNonce' in inner)) return readVoucher(given);
  const config = readConfig(inner.channelConfig, given);
  const totals = readTotals(inner.claims, given);
  const { refundNonce: nonce, amount } = inner;
  if (!config || !totals || !isVoucher(inner.voucher) || !isAmount(nonce) || !isPositive(amount))
    return undefined;
  const areSigned =
    isOptionalSignature(inner.refundAuthorizerSignature) &&
    isOptionalSignature(inner.claimAuthorizerSignature);
  const channelId = channelIdOf(network, config);
  if (!areSigned || totals.some((total) => total.channelId !== channelId)) return undefined;
  return {
    action: 'refund',
    payer,
    contract: batchContract,
    nonce: `refund:${channelId}:${nonce}`,
    amountAtomic: BigInt(amount),
    validBefore: noEnd,
    totals,
  };
}

function readTotals(claims: unknown, given: Given): ClaimedTotal[] | undefined {
  if (!Array.isArray(claims) || claims.length > maxClaims) return undefined;
  const totals = claims.map((claim: unknown) => readTotal(claim, given));
  return totals.every((total) => total !== undefined) ? totals : undefined;
}

function readTotal(claim: unknown, given: Given): ClaimedTotal | undefined {
  if (!isObject(claim) || !isObject(claim.voucher)) return undefined;
  const config = readConfig(claim.voucher.channel, given);
  const isWhole = isUint128(claim.voucher.maxClaimableAmount) && isSignature(claim.signature);
  if (!config || !isWhole || !isUint128(claim.totalClaimed)) return undefined;
  return { channelId: channelIdOf(given.network, config), totalClaimed: BigInt(claim.totalClaimed) };
}

function readConfig(value: unknown, { asset, payTo }: Given): ChannelConfig | undefined {
  if (!isObject(value)) return undefined;
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = value;
  const isWhole = isAddress(payer) && isAddress(payerAuthorizer) && isAddress(receiverAuthorizer);
  if (!isWhole || !isAddress(receiver) || !isAddress(token) || !isHash(salt)) return undefined;
  if (!isSame(receiver, payTo) || !isSame(token, asset)) return undefined;
  const isDelay = typeof withdrawDelay === 'number' && Number.isInteger(withdrawDelay);
  if (!isDelay || withdrawDelay < 0 || withdrawDelay >= 2 ** 40) return undefined;
  return { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt };
}

const isVoucher = (value: unknown): boolean =>
  isObject(value) &&
  isHash(value.channelId) &&
  isUint128(value.maxClaimableAmount) &&
  isSignature(value.signature);

const isHash = (value: unknown): value is string => typeof value === 'string' && hash32Form.test(value);

const isUint128 = (value: unknown): value is string => isAmount(value) && BigInt(value) < 2n ** 128n;

const isPositive = (value: unknown): value is string => isUint128(value) && value !== '0';

const isSame = (value: unknown, address: string): boolean =>
  isAddress(value) && value.toLowerCase() === address;

const isOptionalSignature = (value: unknown): boolean => value === undefined || isSignature(value);
