// Parses payments of the scheme `batch-settlement`. Pure, strict, and run before any other use of the payment.
import { permit2Address, x402BatchSettlementAddress } from '@tollbridge/onchain';
import type { FieldError } from '@tollbridge/rpc';
import { AbiCoder, keccak256 } from 'ethers';
import { createHash } from 'node:crypto';
import {
  payloadHashOf,
  readIdentifier,
  readPermitNonce,
  secondsOf,
  signedAt,
  termForms,
  validateIdentifier,
  type Authorization,
} from '../authorization';
import { forms, isAddress, isObject, validateForms, type FieldForm, type Json } from '../field-forms';
import { channelIdOf, type ChannelConfig } from './channel-contract';

/**
 * `deposit` moves money of the buyer into a channel and pays one request. Sellers send `claim`, `settle` and `refund`.
 * A `voucher` is only verified, because it has no transaction.
 */
export type ChannelAction = 'deposit' | 'voucher' | 'claim' | 'settle' | 'refund';

/** The total that a seller claims of a channel, since its beginning. */
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

export const batchContract = x402BatchSettlementAddress.toLowerCase();
/** The JSON of more claims exceeds the size limit of a request. */
const maxClaims = 32;
// The end is set when the transaction is built.
const noEnd = 0;

/** @returns errors when a field is missing, malformed or of another seller */
export function readChannelPayment(
  network: string,
  payload: Json,
  requirements: Json,
): ChannelPayment | FieldError[] {
  const inner = payload.payload;
  const errors = [
    ...validateForms('paymentRequirements', requirements, termForms),
    ...validateIdentifier(payload.extensions),
    ...validateForms(signedAt, inner, typeForms),
  ];
  if (errors.length > 0) return errors;
  const { asset, payTo } = requirements as Record<keyof typeof termForms, string>;
  const given = { network, asset: asset.toLowerCase(), payTo: payTo.toLowerCase(), inner: inner as Json };
  const read = readers.get(given.inner.type)!(given);
  if (Array.isArray(read)) return read;
  const { action, totals = [], ...identity } = read;
  const paymentId = readIdentifier(payload.extensions) ?? null;
  const authorization: Authorization = {
    ...identity,
    scheme: 'batch-settlement',
    token: given.asset,
    payTo: given.payTo,
    // Claims and settlements are identified by their effect, so that the representation does not matter.
    payloadHash: isOfSeller(action) ? identity.nonce : payloadHashOf(payload, requirements),
    paymentId: action === 'deposit' ? paymentId : null,
  };
  return { action, authorization, totals };
}

const isOfSeller = (action: ChannelAction): boolean => action === 'claim' || action === 'settle';

const readers = new Map<unknown, (given: Given) => Read | FieldError[]>([
  ['deposit', readDeposit],
  ['voucher', readVoucher],
  ['claim', readClaim],
  ['settle', readSettle],
  ['refund', readRefund],
]);

const typeForms: Record<string, FieldForm> = {
  type: [(value) => readers.has(value), `must be one of ${[...readers.keys()].join(', ')}`],
};

function readDeposit(given: Given): Read | FieldError[] {
  const { inner, network, asset } = given;
  const path = `${signedAt}.deposit`;
  const errors = [
    ...validateVoucher(given),
    ...validateForms(path, inner.deposit, { amount: forms.positive, authorization: forms.object }),
  ];
  if (errors.length > 0) return errors;
  const config = configOf(inner.channelConfig);
  const { amount, authorization } = inner.deposit as { amount: string; authorization: Json };
  const { erc3009Authorization: transfer, permit2Authorization: permit } = authorization;
  // If both were accepted, the official package and this table could choose different ones.
  if ((transfer === undefined) === (permit === undefined))
    return [
      {
        field: `${path}.authorization`,
        message: 'must have either erc3009Authorization or permit2Authorization',
      },
    ];
  const payer = config.payer.toLowerCase();
  const signed =
    permit === undefined
      ? readDepositTransfer(transfer, channelIdOf(network, config), asset)
      : readDepositPermit(permit, payer);
  return Array.isArray(signed)
    ? signed
    : { action: 'deposit', payer, amountAtomic: BigInt(amount), ...signed };
}

type DepositSignature = Pick<Authorization, 'contract' | 'nonce' | 'validBefore'>;

const depositTransferForms = {
  validAfter: forms.amount,
  validBefore: forms.amount,
  salt: forms.hash,
  signature: forms.signature,
};

function readDepositTransfer(
  transfer: unknown,
  channelId: string,
  contract: string,
): DepositSignature | FieldError[] {
  const path = `${signedAt}.deposit.authorization.erc3009Authorization`;
  const errors = validateForms(path, transfer, depositTransferForms);
  if (errors.length > 0) return errors;
  const { salt, validBefore } = transfer as Record<keyof typeof depositTransferForms, string>;
  const words = AbiCoder.defaultAbiCoder().encode(['bytes32', 'uint256'], [channelId, salt]);
  return { contract, nonce: keccak256(words), validBefore: secondsOf(validBefore) };
}

function readDepositPermit(permit: unknown, payer: string): DepositSignature | FieldError[] {
  const path = `${signedAt}.deposit.authorization.permit2Authorization`;
  const { permitted, witness } = isObject(permit) ? permit : {};
  const errors = [
    ...validateForms(path, permit, {
      signature: forms.signature,
      from: sameAs(payer, 'the payer of channelConfig'),
      spender: forms.address,
      nonce: forms.amount,
      deadline: forms.amount,
    }),
    ...validateForms(`${path}.permitted`, permitted, { token: forms.address, amount: forms.amount }),
    ...validateForms(`${path}.witness`, witness, { channelId: forms.hash }),
  ];
  if (errors.length > 0) return errors;
  const { nonce, deadline } = permit as { nonce: string; deadline: string };
  const contract = permit2Address.toLowerCase();
  return { contract, nonce: readPermitNonce(nonce), validBefore: secondsOf(deadline) };
}

function readVoucher(given: Given): Read | FieldError[] {
  const errors = validateVoucher(given);
  if (errors.length > 0) return errors;
  const payer = configOf(given.inner.channelConfig).payer.toLowerCase();
  return {
    action: 'voucher',
    payer,
    contract: batchContract,
    nonce: 'voucher',
    amountAtomic: 0n,
    validBefore: noEnd,
  };
}

/** Identified by its content: totals are cumulative, so equal claims have only one effect. */
function readClaim(given: Given): Read | FieldError[] {
  const { payTo: payer, inner } = given;
  const errors = [
    ...validateForms(signedAt, inner, { claimAuthorizerSignature: forms.optionalSignature }),
    ...validateClaims(given, 1),
  ];
  if (errors.length > 0) return errors;
  const totals = totalsOf(given);
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

/** Contains no identity. The earlier settlement provides it. */
function readSettle({ inner, payTo: payer, asset }: Given): Read | FieldError[] {
  const errors = validateForms(signedAt, inner, {
    receiver: sameAs(payer, 'payTo of paymentRequirements'),
    token: sameAs(asset, 'asset of paymentRequirements'),
  });
  return errors.length > 0
    ? errors
    : {
        action: 'settle',
        payer,
        contract: batchContract,
        nonce: 'settle',
        amountAtomic: 0n,
        validBefore: noEnd,
      };
}

const refundForms = {
  amount: forms.positive,
  refundNonce: forms.amount,
  refundAuthorizerSignature: forms.optionalSignature,
  claimAuthorizerSignature: forms.optionalSignature,
};

/**
 * The refund request of a buyer is only verified. The seller adds amount, nonce and signatures before it is settled.
 */
function readRefund(given: Given): Read | FieldError[] {
  const { network, payTo: payer, inner } = given;
  if (!('refundNonce' in inner)) return readVoucher(given);
  const errors = [
    ...validateVoucher(given),
    ...validateForms(signedAt, inner, refundForms),
    ...validateClaims(given, 0),
  ];
  if (errors.length > 0) return errors;
  const channelId = channelIdOf(network, configOf(inner.channelConfig));
  const totals = totalsOf(given);
  if (totals.some((total) => total.channelId !== channelId))
    return [{ field: `${signedAt}.claims`, message: 'must be of the channel of channelConfig' }];
  const { refundNonce: nonce, amount } = inner as Record<keyof typeof refundForms, string>;
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

function validateClaims(given: Given, least: number): FieldError[] {
  const path = `${signedAt}.claims`;
  const { claims } = given.inner;
  if (!Array.isArray(claims) || claims.length < least || claims.length > maxClaims)
    return [{ field: path, message: `must be a list of ${least} to ${maxClaims} claims` }];
  return claims.flatMap((claim: unknown, index) => validateClaim(`${path}[${index}]`, claim, given));
}

function validateClaim(path: string, claim: unknown, given: Given): FieldError[] {
  const { voucher } = isObject(claim) ? claim : {};
  const { channel } = isObject(voucher) ? voucher : {};
  return [
    ...validateForms(path, claim, { signature: forms.signature, totalClaimed: forms.uint128 }),
    ...validateForms(`${path}.voucher`, voucher, { maxClaimableAmount: forms.uint128 }),
    ...validateConfig(`${path}.voucher.channel`, channel, given),
  ];
}

/** Requires valid claims. */
const totalsOf = ({ network, inner }: Given): ClaimedTotal[] =>
  (inner.claims as { voucher: { channel: unknown }; totalClaimed: string }[]).map(
    ({ voucher, totalClaimed }) => ({
      channelId: channelIdOf(network, configOf(voucher.channel)),
      totalClaimed: BigInt(totalClaimed),
    }),
  );

const isDelay = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 40;

const validateConfig = (path: string, value: unknown, { asset, payTo }: Given): FieldError[] =>
  validateForms(path, value, {
    payer: forms.address,
    payerAuthorizer: forms.address,
    receiver: sameAs(payTo, 'payTo of paymentRequirements'),
    receiverAuthorizer: forms.address,
    token: sameAs(asset, 'asset of paymentRequirements'),
    withdrawDelay: [isDelay, 'must be a whole number of seconds from 0 to 2^40 - 1'],
    salt: forms.hash,
  });

/** Requires a valid channel. */
function configOf(value: unknown): ChannelConfig {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } =
    value as ChannelConfig;
  return { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt };
}

const voucherForms = {
  channelId: forms.hash,
  maxClaimableAmount: forms.uint128,
  signature: forms.signature,
};

const validateVoucher = (given: Given): FieldError[] => [
  ...validateConfig(`${signedAt}.channelConfig`, given.inner.channelConfig, given),
  ...validateForms(`${signedAt}.voucher`, given.inner.voucher, voucherForms),
];

const sameAs = (address: string, name: string): FieldForm => [
  (value) => isAddress(value) && value.toLowerCase() === address,
  `must be ${name}`,
];
