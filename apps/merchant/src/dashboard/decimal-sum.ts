/** The exact sum of plain decimals of 0 or more, without zeros at the end. */
export function addDecimals(texts: readonly string[]): string {
  const parts = texts.map((text) => text.split('.') as [string, string?]);
  const scale = Math.max(0, ...parts.map(([, fraction = '']) => fraction.length));
  const sum = parts.reduce(
    (total, [whole, fraction = '']) => total + BigInt(whole + fraction.padEnd(scale, '0')),
    0n,
  );
  const digits = sum.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}
