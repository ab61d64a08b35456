// The alphabet of GSM 03.38. A character of the extension table counts twice.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('^{}\\[~]|€');

// A message has 140 bytes: 160 characters of 7 bits or 70 of 16 bits. Each part of a split message has a header of 6
// bytes.
const [gsmAlone, gsmPart] = [160, 153];
const [ucsAlone, ucsPart] = [70, 67];

/** Returns the number of billed segments of a text. */
export function segmentsOf(body: string): number {
  const characters = [...body];
  const isGsm = characters.every((it) => basic.has(it) || extended.has(it));
  const widths = characters.map((it) => (isGsm ? (extended.has(it) ? 2 : 1) : it.length));
  const [alone, part] = isGsm ? [gsmAlone, gsmPart] : [ucsAlone, ucsPart];
  const total = widths.reduce((sum, width) => sum + width, 0);
  return total <= alone ? 1 : partsOf(widths, part);
}

/** Counts the parts. A character is never split between parts. */
function partsOf(widths: readonly number[], size: number): number {
  let [parts, used] = [1, 0];
  for (const width of widths) {
    if (used + width > size) [parts, used] = [parts + 1, 0];
    used += width;
  }
  return parts;
}
