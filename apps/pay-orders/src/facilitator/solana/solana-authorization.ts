// Parses the authorisation of an `exact` payment on Solana. Pure, strict, and run before any other use of the payment.
import { messageOf, parseTransaction, type ParsedTransaction } from '@tollbridge/onchain/solana';
import type { FieldError } from '@tollbridge/rpc';
import { createHash } from 'node:crypto';
import {
  payloadHashOf,
  readIdentifier,
  signedAt,
  validateIdentifier,
  type Authorization,
} from '../authorization';
import { forms, isObject, validateForms, type FieldForm, type Json } from '../field-forms';

/** A transaction that the payer has signed, and the fee payer has not. */
export interface SolanaPayment {
  authorization: Authorization;
  wire: Uint8Array;
  message: Uint8Array;
  /** The account that pays the fee. */
  feePayer: string;
  /** Whether an instruction references the fee payer, so that it could move money of that account. */
  namesFeePayer: boolean;
  computeUnits: bigint;
  feeLamports: bigint;
}

const computeBudget = 'ComputeBudget111111111111111111111111111111';
const signatureLamports = 5_000n;
const microLamports = 1_000_000n;
// The indexes of the transfer in the official scheme, behind the two instructions of the compute budget.
const [transferAt, authorityAt] = [2, 3];
const [unitLimit, unitPrice] = [2, 3];

const text: FieldForm = [(value) => typeof value === 'string', 'must be a string'];
// The terms of a token transfer.
const termForms = { asset: text, payTo: text, amount: forms.uint64 };
const isWire: FieldForm = [
  (value) => readWire(value) !== undefined,
  'must be the transaction in base64, of at most 2,000 characters',
];

/** @returns errors when a field is missing or not in its canonical form */
export function readSolanaPayment(payload: Json, requirements: Json): SolanaPayment | FieldError[] {
  const signed = payload.payload;
  const errors = [
    ...validateForms('paymentRequirements', requirements, termForms),
    ...validateIdentifier(payload.extensions),
    ...validateForms(signedAt, signed, { transaction: isWire }),
  ];
  const wire = isObject(signed) ? readWire(signed.transaction) : undefined;
  if (errors.length > 0 || !wire) return errors;
  const transaction = readTransaction(wire);
  if (!transaction) return invalidTransaction('is not a transaction of Solana');
  const payer = authorityOf(transaction);
  if (payer === undefined) return invalidTransaction('must have a transfer as its third instruction');
  const costs = costsOf(transaction);
  if (!costs)
    return invalidTransaction('must set the limit and the price of compute units by one instruction each');
  const { asset, payTo, amount } = requirements as Record<keyof typeof termForms, string>;
  const message = messageOf(wire);
  const authorization: Authorization = {
    scheme: 'exact',
    contract: asset,
    payer,
    // The hash of the message, because a signature has several encodings.
    nonce: `0x${createHash('sha256').update(message).digest('hex')}`,
    token: asset,
    payTo,
    amountAtomic: BigInt(amount),
    // Determined when the payment is claimed.
    validBefore: 0,
    payloadHash: payloadHashOf(payload, requirements),
    paymentId: readIdentifier(payload.extensions) ?? null,
  };
  return { authorization, wire, message, ...costs, ...feePayerIn(transaction) };
}

const invalidTransaction = (message: string): FieldError[] => [{ field: `${signedAt}.transaction`, message }];

function readWire(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > 2_000) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function readTransaction(wire: Uint8Array): ParsedTransaction | undefined {
  try {
    return parseTransaction(wire);
  } catch {
    return undefined;
  }
}

const authorityOf = ({ instructions, accountKeys }: ParsedTransaction): string | undefined => {
  const index = instructions[transferAt]?.accounts[authorityAt];
  return index === undefined ? undefined : accountKeys[index];
};

function feePayerIn({ accountKeys, instructions }: ParsedTransaction) {
  const feePayer = accountKeys[0]!;
  const namesFeePayer = instructions.some(({ programIdIndex, accounts }) =>
    [programIdIndex, ...accounts].some((index) => accountKeys[index] === feePayer),
  );
  return { feePayer, namesFeePayer };
}

/**
 * The maximum cost for the fee payer. Undefined unless exactly the two instructions of the scheme set the budget. The
 * cluster also reads longer instructions, which could hide the fee.
 */
function costsOf({ instructions, accountKeys, numRequiredSignatures }: ParsedTransaction) {
  const budget = instructions
    .filter(({ programIdIndex }) => accountKeys[programIdIndex] === computeBudget)
    .map(({ data }) => Buffer.from(data));
  const [limit, price] = budget;
  const isLimit = limit?.[0] === unitLimit && limit.length === 5;
  const isPrice = price?.[0] === unitPrice && price.length === 9;
  if (budget.length !== 2 || !isLimit || !isPrice) return undefined;
  const computeUnits = BigInt(limit.readUInt32LE(1));
  const priority = (computeUnits * price.readBigUInt64LE(1) + microLamports - 1n) / microLamports;
  const feeLamports = BigInt(numRequiredSignatures) * signatureLamports + priority;
  return { computeUnits, feeLamports };
}
