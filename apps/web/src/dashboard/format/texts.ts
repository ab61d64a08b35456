/** `0x7099…79C8`: the start and the end of an address, a hash or an id. */
export const shorten = (text: string, kept = 6): string =>
  text.length <= kept * 2 + 1 ? text : `${text.slice(0, kept)}…${text.slice(1 - kept)}`;

/** `waiting_payment` → `Waiting payment` */
export function titled(text: string): string {
  const spaced = text.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
