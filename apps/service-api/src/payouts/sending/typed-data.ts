// The EIP-712 message that a wallet signs for a batch, and the contract call with its signature. Pure functions.
import { permit2Address, tollbridgePayoutsAbi } from '@tollbridge/onchain';
import {
  AbiCoder,
  Interface,
  keccak256,
  Signature,
  TypedDataEncoder,
  zeroPadValue,
  type TypedDataDomain,
} from 'ethers';
import type { PayoutLine } from '../payout';

/** The signed terms of a batch. */
export interface BatchTerms {
  payoutId: string;
  index: number;
  chainId: number;
  contract: string;
  tokenAddress: string;
  lines: readonly PayoutLine[];
  totalAtomic: bigint;
  feeAtomic: bigint;
  /** Unix seconds. */
  deadline: number;
}

export const payoutsInterface = new Interface(tollbridgePayoutsAbi);

const payoutTypes = {
  Payout: [
    { name: 'payoutId', type: 'bytes32' },
    { name: 'batch', type: 'uint256' },
    { name: 'recipients', type: 'Recipient[]' },
    { name: 'fee', type: 'uint256' },
  ],
  Recipient: [
    { name: 'account', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
};
const types = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Payout' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  ...payoutTypes,
};

/** The payout id as the contract stores it. */
export const payoutWord = (payoutId: string): string => zeroPadValue(`0x${payoutId.replaceAll('-', '')}`, 32);

/** The Permit2 nonce of a batch, derived from payout and index. */
export const permitNonce = (payoutId: string, index: number): bigint =>
  BigInt(keccak256(AbiCoder.defaultAbiCoder().encode(['bytes32', 'uint256'], [payoutWord(payoutId), index])));

/** Returns typed data for `eth_signTypedData_v4`. */
export function typedDataOf(terms: BatchTerms): Record<string, unknown> {
  return TypedDataEncoder.getPayload(domainOf(terms), types, messageOf(terms)) as Record<string, unknown>;
}

/** Returns the hash that the wallet signs. */
export function digestOf(terms: BatchTerms): string {
  return TypedDataEncoder.hash(domainOf(terms), types, messageOf(terms));
}

/** Returns the hash of payout, batch, recipients and fee, which the contract emits after payment. */
export function witnessOf(terms: BatchTerms): string {
  return TypedDataEncoder.hashStruct('Payout', payoutTypes, messageOf(terms).witness);
}

/** Returns the contract call that pays a batch with its owner's signature. */
export function payOutCall(terms: BatchTerms, owner: string, signature: string): string {
  const { payoutId, index, tokenAddress: token, feeAtomic: fee, deadline } = terms;
  const batch = { payoutId: payoutWord(payoutId), index, token, fee, deadline };
  return payoutsInterface.encodeFunctionData('payOut', [batch, recipientsOf(terms), owner, signature]);
}

const ofKey = /^0x([0-9a-f]{128}|[0-9a-f]{128}(00|01|1b|1c))$/i;

/** Normalizes `v` for Permit2: some wallets return 0 or 1. Other signatures stay unchanged. */
export function asPermit2Takes(signature: string): string {
  try {
    return ofKey.test(signature) ? Signature.from(signature).serialized : signature;
  } catch {
    return signature;
  }
}

const domainOf = ({ chainId }: BatchTerms): TypedDataDomain => ({
  name: 'Permit2',
  chainId,
  verifyingContract: permit2Address,
});

const recipientsOf = ({ lines }: BatchTerms): { account: string; amount: bigint }[] =>
  lines.map(({ address, amountAtomic }) => ({ account: address, amount: amountAtomic }));

const messageOf = (terms: BatchTerms) => ({
  permitted: { token: terms.tokenAddress, amount: terms.totalAtomic + terms.feeAtomic },
  spender: terms.contract,
  nonce: permitNonce(terms.payoutId, terms.index),
  deadline: terms.deadline,
  witness: {
    payoutId: payoutWord(terms.payoutId),
    batch: terms.index,
    recipients: recipientsOf(terms),
    fee: terms.feeAtomic,
  },
});
