// Computes exact amounts and recipients of a payout. Pure functions.
import type { PayoutRecipient, PayoutRequest, PayoutWarningCode } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { amountError, canonicalAddress, receiverAddress, type Chain, type Token } from '@tollbridge/chains';
import { decimalText, feeCeil, parseUnits } from '@tollbridge/money';
import type { Sending } from './sending/sending';

/** One transfer of a payout. */
export interface PayoutLine {
  /** In canonical form. */
  address: string;
  amountAtomic: bigint;
}

export interface PayoutPlan {
  lines: PayoutLine[];
  /** Sum of all lines, without the fee. */
  totalAtomic: bigint;
  feeAtomic: bigint;
}

/** A reason to check a recipient before paying. Stored with the payout under these names. */
export interface RecipientWarning {
  code: PayoutWarningCode;
  /** The field of the request that the warning is about. */
  field: string;
  message: string;
}

/** A payout with its cost. */
export interface PricedPayout {
  wallet: string;
  /** The id of the chain. */
  chain: string;
  /** The symbol of the token. */
  token: string;
  decimals: number;
  plan: PayoutPlan;
  gasUnits: bigint;
  gasSource: 'simulated' | 'assumed';
  /** The first warnings; `warningCount` counts all. */
  warnings: RecipientWarning[];
  warningCount: number;
}

/** A submitted payout. */
export interface StoredPayout extends PricedPayout {
  id: string;
  keyId: string | null;
  /** Null for a payout that is not sent on chain. */
  sending: Sending | null;
  createdAtMs: number;
}

/** The well-formed fields of a recipient. */
type GivenRecipient = Partial<PayoutRecipient> | undefined;

const feeBps = 50;
// The maximum number of field errors in a reply.
const maxErrors = 50;

export const addressField = (place: number): string => `recipients[${place}].address`;

interface ListRules {
  chain: Chain;
  /** Undefined for an unknown token: its decimals and contract are not validated. */
  token: Token | undefined;
  allowDuplicates: boolean;
}

/** Returns field errors that the schema of the request cannot express. */
export function validateRecipients(given: readonly GivenRecipient[], rules: ListRules): FieldError[] {
  const errors: FieldError[] = [];
  const firstPlaces = new Map<string, number>();
  for (const [place, recipient] of given.entries()) {
    const { address, amount } = recipient ?? {};
    const found: [field: string, message: string | undefined][] = [
      ['address', address === undefined ? undefined : problemOfAddress(address, place, rules, firstPlaces)],
      [
        'amount',
        amount === undefined ? undefined : rules.token && problemOfAmount(amount, rules.chain, rules.token),
      ],
    ];
    for (const [field, message] of found)
      if (message) errors.push({ field: `recipients[${place}].${field}`, message });
    if (errors.length >= maxErrors) break;
  }
  return errors.length === 0 ? sumErrors(given, rules) : errors.slice(0, maxErrors);
}

/** @param given each recipient is valid */
function sumErrors(given: readonly GivenRecipient[], { chain, token }: ListRules): FieldError[] {
  const amounts = given.flatMap((recipient) => recipient?.amount ?? []);
  if (!token || amounts.length === 0) return [];
  const { totalAtomic, feeAtomic } = totalOf(
    amounts.map((amount) => parseUnits(decimalText(amount)!, token.decimals)),
  );
  const message = amountError(chain, token, totalAtomic + feeAtomic);
  return message === undefined ? [] : [{ field: 'recipients', message: `the sum with the fee ${message}` }];
}

/** Computes the fee from the total: rounding the fee of each small amount would lose precision. */
function totalOf(amountsAtomic: readonly bigint[]): Pick<PayoutPlan, 'totalAtomic' | 'feeAtomic'> {
  const totalAtomic = amountsAtomic.reduce((sum, amount) => sum + amount, 0n);
  return { totalAtomic, feeAtomic: feeCeil(totalAtomic, feeBps) };
}

/** @param firstPlaces first position of each address so far, which this function extends */
function problemOfAddress(
  text: string,
  place: number,
  { chain, allowDuplicates }: ListRules,
  firstPlaces: Map<string, number>,
): string | undefined {
  const read = receiverAddress(chain, text);
  if (!read.ok) return read.reason;
  const first = firstPlaces.get(read.address);
  if (first === undefined) firstPlaces.set(read.address, place);
  return first === undefined || allowDuplicates
    ? undefined
    : `is the address of recipients[${first}] too; with allowDuplicates it is paid each time`;
}

/** Validates the number exactly, as its shortest decimal, which is how the client wrote it. */
function problemOfAmount(amount: number, chain: Chain, token: Token): string | undefined {
  const { symbol, decimals } = token;
  const text = decimalText(amount)!;
  const [, fraction = ''] = text.split('.');
  if (fraction.length <= decimals) return amountError(chain, token, parseUnits(text, decimals));
  return `must have at most ${decimals} digits after the point, as ${symbol} has`;
}

/** @param request must be valid */
export function planOf(
  { recipients }: Pick<PayoutRequest, 'recipients'>,
  chain: Chain,
  token: Token,
): PayoutPlan {
  const lines = recipients.map(({ address, amount }) => {
    const read = canonicalAddress(chain, address);
    if (!read.ok) throw new Error('a payout was planned before it was validated');
    return { address: read.address, amountAtomic: parseUnits(decimalText(amount)!, token.decimals) };
  });
  return { lines, ...totalOf(lines.map(({ amountAtomic }) => amountAtomic)) };
}

const lookEnds = 4;

/** Returns the first and last characters of an address, which are all that users usually compare. */
export function lookOf(address: string): string {
  const digits = address.toLowerCase().replace(/^0x/, '');
  return digits.slice(0, lookEnds) + digits.slice(-lookEnds);
}

/**
 * Warnings about suspicious recipients.
 * @param paidBefore addresses that this wallet paid before and that resemble an address of the list
 */
export function warningsOfList(
  lines: readonly PayoutLine[],
  { wallet, paidBefore }: { wallet: string; paidBefore: readonly string[] },
): RecipientWarning[] {
  const seen = new Map<string, { address: string; name: string }>([
    ...paidBefore.map(
      (address) => [lookOf(address), { address, name: `${address}, which you paid before,` }] as const,
    ),
    [lookOf(wallet), { address: wallet, name: 'your own wallet' }],
  ]);
  const places = new Map<string, number>();
  const warnings: RecipientWarning[] = [];
  for (const [place, { address }] of lines.entries()) {
    const warn = (code: PayoutWarningCode, message: string) =>
      warnings.push({ code, field: addressField(place), message });
    const look = lookOf(address);
    const alike = seen.get(look);
    const first = places.get(address);
    if (address === wallet) warn('OWN_WALLET', 'is the wallet that pays');
    else if (alike && alike.address !== address)
      warn('LOOK_ALIKE', `begins and ends as ${alike.name} but is another address: compare every character`);
    if (first !== undefined)
      warn('DUPLICATE', `is the address of recipients[${first}] too, and is paid again`);
    else places.set(address, place);
    if (!alike) seen.set(look, { address, name: `recipients[${place}]` });
  }
  return warnings;
}
