import type { GasSettings } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { GasPrice } from '@tollbridge/evm';
import type { GasFees } from '../transaction-set';

// The base fee can double in six full blocks. Unused headroom is not paid.
const baseFeeRoom = 2n;
// Above the historical prices of all chains, and below a price with three extra digits by mistake.
export const maxWeiPerGas = 100_000_000_000_000n;

/** Validates the settings for contradictions and for the maximum, without a node. */
export function validateGasSettings(settings: GasSettings | undefined): FieldError[] {
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
 * Returns the fees that the transactions offer: the caller's settings, completed by the chain's price. If both forms
 * are set, chains with EIP-1559 use its fields, and other chains use `gasPrice`.
 * @throws DomainError if the base fee is above the offered fee, because no block would contain the transaction
 */
export function feesOf(settings: GasSettings | undefined, price: GasPrice): GasFees {
  const base = price.baseFeePerGas;
  const given = (value: string | undefined) => (value === undefined ? undefined : BigInt(value));
  const gasPrice = given(settings?.gasPrice);
  const hasFees = (settings?.maxFeePerGas ?? settings?.maxPriorityFeePerGas) !== undefined;
  if (base === null || (gasPrice !== undefined && !hasFees)) {
    const maxFeePerGas = gasPrice ?? given(settings?.maxFeePerGas) ?? price.tipPerGas;
    rejectBelow(maxFeePerGas, base ?? 0n, 'gasPrice');
    return { isLegacy: true, maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas };
  }
  const wanted = given(settings?.maxPriorityFeePerGas) ?? price.tipPerGas;
  const maxFeePerGas = given(settings?.maxFeePerGas) ?? base * baseFeeRoom + wanted;
  rejectBelow(maxFeePerGas, base, 'maxFeePerGas');
  const maxPriorityFeePerGas = wanted < maxFeePerGas ? wanted : maxFeePerGas;
  return { isLegacy: false, maxFeePerGas, maxPriorityFeePerGas };
}

/** @throws DomainError if the base fee has risen above the offered fee of a built transaction */
export function rejectOutbid({ isLegacy, maxFeePerGas }: GasFees, { baseFeePerGas }: GasPrice): void {
  rejectBelow(maxFeePerGas, baseFeePerGas ?? 0n, isLegacy ? 'gasPrice' : 'maxFeePerGas');
}

function rejectBelow(offered: bigint, asked: bigint, name: string): void {
  if (offered >= asked) return;
  const message = `The fee is too low: the chain asks for ${asked} wei per gas and ${name} is ${offered}. Build again with a higher fee.`;
  throw new DomainError('GAS_LIMIT_EXCEEDED', message, {
    details: { [name]: String(offered), baseFeePerGas: String(asked) },
  });
}
