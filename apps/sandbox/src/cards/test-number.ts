import { createHash } from 'node:crypto';

/** A six-digit prefix that no bank issues, so that the number is recognisable as simulated. */
export const testBins = { lithic: '411111', laso: '424242' } as const;

/** Returns number and security code of a simulated card. They are derived from its id and are not stored. */
export function testCardNumber(bin: string, id: string): { number: string; cvv: string } {
  const digest = createHash('sha256').update(`${bin} ${id}`).digest();
  const digits = String(digest.readUIntBE(0, 6) % 1_000_000_000).padStart(9, '0');
  const payload = `${bin}${digits}`;
  const cvv = String(digest.readUInt16BE(6) % 1_000).padStart(3, '0');
  return { number: `${payload}${luhnDigit(payload)}`, cvv };
}

/** Computes the Luhn check digit. */
function luhnDigit(payload: string): number {
  const sum = [...payload].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Whether the check digit is valid. */
export const isLuhnValid = (number: string): boolean =>
  /^\d{12,19}$/.test(number) && luhnDigit(number.slice(0, -1)) === Number(number.slice(-1));
