import { fromAtomic, toAtomic } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { printable } from '../output';

export interface Cost {
  amountAtomic: bigint;
  decimals: number;
  symbol: string;
  /** Purpose and method of the payment, for the question. */
  purpose: string;
  /** Additional fees, for the question. */
  fees: string;
}

/** Prints the amount, applies `--max` and asks for confirmation. @throws CommandError */
export async function confirmSpending(
  { terminal, flag, has }: Pick<CommandContext, 'terminal' | 'flag' | 'has'>,
  { amountAtomic, decimals, symbol, purpose, fees }: Cost,
): Promise<void> {
  const shown = printable(`${fromAtomic(amountAtomic, decimals)} ${symbol}`);
  terminal.note(printable(`${purpose}: ${shown}, ${fees}`));
  const max = flag('max');
  if (max !== undefined && amountAtomic > maxOf(max, decimals))
    throw new CommandError(`Not paid: ${shown} is more than --max ${max}.`);
  if (has('yes')) return;
  if (!terminal.isInteractive)
    throw new UsageError(
      'A payment needs a terminal for its confirmation: add --yes to pay without one.',
      `For example: --yes --max ${fromAtomic(amountAtomic, decimals)}`,
    );
  const answer = await terminal.ask(`Pay ${shown}? (y/N) `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Not paid.', exitCodes.failed);
}

function maxOf(text: string, decimals: number): bigint {
  try {
    return toAtomic(text, decimals);
  } catch {
    throw new UsageError(`--max must be an amount such as 5 or 0.01, with at most ${decimals} decimals.`);
  }
}
