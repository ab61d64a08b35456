const significantDigits = 6n;

/**
 * An amount for a list, with at most six significant digits. A payment is rounded up and a balance down, so a list
 * never promises too much. The page of a payment shows the exact amount.
 * @param text for example `0.002996457750000002`
 */
export function shortAmount(text: string, rounding: 'up' | 'down'): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = BigInt(whole + fraction);
  const length = BigInt(String(digits).length);
  const excess = length > significantDigits ? length - significantDigits : 0n;
  // Whole numbers keep all of their digits.
  const dropped = excess < BigInt(fraction.length) ? excess : BigInt(fraction.length);
  const unit = 10n ** dropped;
  const rounded = rounding === 'up' ? (digits + unit - 1n) / unit : digits / unit;
  const places = fraction.length - Number(dropped);
  const padded = String(rounded).padStart(places + 1, '0');
  const wholePart = padded.slice(0, padded.length - places);
  const fractionPart = padded.slice(padded.length - places).replace(/0+$/, '');
  return places > 0 && fractionPart !== '' ? `${wholePart}.${fractionPart}` : wholePart;
}
