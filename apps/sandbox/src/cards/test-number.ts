import { createHash } from 'node:crypto';

/** Six digits that no bank issues cards with: whoever sees such a number knows it for a simulator's. */
export const testBins = { lithic: '411111', laso: '424242' } as const;

/** The number and code of a simulated card, made of its id: they are stored nowhere here either. */
export function testCardNumber(bin: string, id: string): { number: string; cvv: string } {
  const digest = createHash('sha256').update(`${bin} ${id}`).digest();
  const digits = String(digest.readUIntBE(0, 6) % 1_000_000_000).padStart(9, '0');
  const payload = `${bin}${digits}`;
  const cvv = String(digest.readUInt16BE(6) % 1_000).padStart(3, '0');
  return { number: `${payload}${luhnDigit(payload)}`, cvv };
}

/** The digit that makes a number valid. */
function luhnDigit(payload: string): number {
  const sum = [...payload].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Whether the last digit fits the others. */
export const isLuhnValid = (number: string): boolean =>
  /^\d{12,19}$/.test(number) && luhnDigit(number.slice(0, -1)) === Number(number.slice(-1));
