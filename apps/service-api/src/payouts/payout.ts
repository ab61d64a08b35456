// What a payout pays to whom, exactly. Pure.
import type { PayoutRecipient, PayoutRequest, PayoutWarning } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { canonicalAddress, receiverAddress, type Chain, type Token } from '@tollbridge/chains';
import { decimalText, feeCeil, parseUnits } from '@tollbridge/money';
import type { Sending } from './sending/batch';

/** One transfer of a payout. */
export interface PayoutLine {
  /** In canonical form. */
  address: string;
  amountAtomic: bigint;
}

export interface PayoutPlan {
  lines: PayoutLine[];
  /** What all lines come to, without the fee. */
  totalAtomic: bigint;
  feeAtomic: bigint;
}

/** A payout with what it costs. */
export interface PricedPayout {
  wallet: string;
  /** Its id. */
  chain: string;
  /** Its symbol. */
  token: string;
  decimals: number;
  plan: PayoutPlan;
  gasUnits: bigint;
  gasSource: 'simulated' | 'assumed';
  /** The first ones. */
  warnings: PayoutWarning[];
  warningCount: number;
}

/** A payout that was submitted. */
export interface StoredPayout extends PricedPayout {
  id: string;
  keyId: string | null;
  /** Null when it is not for the chain. */
  sending: Sending | null;
  createdAtMs: number;
}

/** What is checked of a recipient: the fields that have the right form. */
type GivenRecipient = Partial<PayoutRecipient> | undefined;

const feeBps = 50;
// As many as a reply names of any other input.
const maxProblems = 50;

export const addressField = (place: number): string => `recipients[${place}].address`;

interface ListRules {
  chain: Chain;
  /** Without a known one, neither decimals nor its contract are checked. */
  token: Token | undefined;
  allowDuplicates: boolean;
}

/** What is wrong with the list that its declaration does not know. */
export function problemsOfRecipients(given: readonly GivenRecipient[], rules: ListRules): FieldError[] {
  const problems: FieldError[] = [];
  const firstPlaces = new Map<string, number>();
  for (const [place, recipient] of given.entries()) {
    const { address, amount } = recipient ?? {};
    const found: [field: string, message: string | undefined][] = [
      ['address', address === undefined ? undefined : problemOfAddress(address, place, rules, firstPlaces)],
      ['amount', amount === undefined ? undefined : rules.token && problemOfAmount(amount, rules.token)],
    ];
    for (const [field, message] of found)
      if (message) problems.push({ field: `recipients[${place}].${field}`, message });
    if (problems.length >= maxProblems) break;
  }
  return problems.slice(0, maxProblems);
}

/** @param firstPlaces of the addresses so far; this one is added */
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

/** Exact: the number is taken as the shortest decimal that it is printed as, which is how it was written. */
function problemOfAmount(amount: number, { symbol, decimals }: Token): string | undefined {
  const [, fraction = ''] = decimalText(amount)!.split('.');
  if (fraction.length <= decimals) return undefined;
  return `must have at most ${decimals} digits after the point, as ${symbol} has`;
}

/** @param request one without problems */
export function planOf(
  { recipients }: Pick<PayoutRequest, 'recipients'>,
  chain: Chain,
  token: Token,
): PayoutPlan {
  const lines = recipients.map(({ address, amount }) => {
    const read = canonicalAddress(chain, address);
    if (!read.ok) throw new Error('a payout was planned before it was checked');
    return { address: read.address, amountAtomic: parseUnits(decimalText(amount)!, token.decimals) };
  });
  const totalAtomic = lines.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
  // Of the total, not of each: many small amounts do not make it nothing.
  return { lines, totalAtomic, feeAtomic: feeCeil(totalAtomic, feeBps) };
}

const lookEnds = 4;

/** What people compare of an address: how it begins and how it ends. */
export function lookOf(address: string): string {
  const digits = address.slice(2).toLowerCase();
  return digits.slice(0, lookEnds) + digits.slice(-lookEnds);
}

/**
 * What of a list deserves a second look.
 * @param paidBefore addresses that this wallet has paid before, which look like one of these and are none of them
 */
export function warningsOfList(
  lines: readonly PayoutLine[],
  { wallet, paidBefore }: { wallet: string; paidBefore: readonly string[] },
): PayoutWarning[] {
  const seen = new Map<string, { address: string; name: string }>([
    ...paidBefore.map(
      (address) => [lookOf(address), { address, name: `${address}, which you paid before,` }] as const,
    ),
    [lookOf(wallet), { address: wallet, name: 'your own wallet' }],
  ]);
  const places = new Map<string, number>();
  const warnings: PayoutWarning[] = [];
  for (const [place, { address }] of lines.entries()) {
    const warn = (code: PayoutWarning['code'], message: string) =>
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
