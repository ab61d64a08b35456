import type { GasSettings } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { GasPrice } from '@tollbridge/evm';
import type { GasFees } from './transaction-set';

// The base fee can double in six full blocks; what is not needed is not paid.
const baseFeeRoom = 2n;
// Above what any chain has ever asked, and below what a slip of three digits would cost.
export const maxWeiPerGas = 100_000_000_000_000n;

/** What is wrong with the settings by themselves. */
export function problemsOfGasSettings(settings: GasSettings | undefined): FieldError[] {
  if (!settings) return [];
  const { maxFeePerGas, maxPriorityFeePerGas } = settings;
  const problems: FieldError[] = [];
  const add = (name: keyof GasSettings, message: string) =>
    problems.push({ field: `gasSettings.${name}`, message });
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice'] as const) {
    const value = settings[name];
    if (value !== undefined && BigInt(value) > maxWeiPerGas) add(name, `must be at most ${maxWeiPerGas} wei`);
  }
  if (maxFeePerGas && maxPriorityFeePerGas && BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas))
    add('maxPriorityFeePerGas', 'must not be above maxFeePerGas');
  return problems;
}

/**
 * What the transactions offer per gas: what the caller set, and for the rest what the chain asks. Where both forms of
 * fees are set, those of EIP-1559 win on chains that have them, and `gasPrice` on others.
 * @throws DomainError when the chain asks more than the caller would give: it would wait for ever.
 */
export function feesOf(settings: GasSettings | undefined, price: GasPrice): GasFees {
  const base = price.baseFeePerGas;
  const given = (value: string | undefined) => (value === undefined ? undefined : BigInt(value));
  const gasPrice = given(settings?.gasPrice);
  const hasFees = (settings?.maxFeePerGas ?? settings?.maxPriorityFeePerGas) !== undefined;
  if (base === null || (gasPrice !== undefined && !hasFees)) {
    const maxFeePerGas = gasPrice ?? given(settings?.maxFeePerGas) ?? price.tipPerGas;
    refuseBelow(maxFeePerGas, base ?? 0n, 'gasPrice');
    return { isLegacy: true, maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas };
  }
  const wanted = given(settings?.maxPriorityFeePerGas) ?? price.tipPerGas;
  const maxFeePerGas = given(settings?.maxFeePerGas) ?? base * baseFeeRoom + wanted;
  refuseBelow(maxFeePerGas, base, 'maxFeePerGas');
  const maxPriorityFeePerGas = wanted < maxFeePerGas ? wanted : maxFeePerGas;
  return { isLegacy: false, maxFeePerGas, maxPriorityFeePerGas };
}

/** What is built already, when the chain has become too dear for it. @throws DomainError */
export function refuseOutbid({ isLegacy, maxFeePerGas }: GasFees, { baseFeePerGas }: GasPrice): void {
  refuseBelow(maxFeePerGas, baseFeePerGas ?? 0n, isLegacy ? 'gasPrice' : 'maxFeePerGas');
}

function refuseBelow(offered: bigint, asked: bigint, name: string): void {
  if (offered >= asked) return;
  const message = `The fee is too low: the chain asks for ${asked} wei per gas and ${name} is ${offered}. Build again with a higher fee.`;
  throw new DomainError('GAS_LIMIT_EXCEEDED', message, {
    details: { [name]: String(offered), baseFeePerGas: String(asked) },
  });
}
