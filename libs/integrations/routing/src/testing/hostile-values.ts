/** Values that are not amounts. */
export const noAmounts: readonly unknown[] = [
  '',
  '-1',
  '+1',
  '1e18',
  '0x10',
  '1.5',
  '01',
  ' 1',
  '1\n',
  '9'.repeat(79),
  (2n ** 256n).toString(),
  'NaN',
  1,
  -1,
  NaN,
  1e400,
  true,
  ['1'],
  {},
];
/** Values that are not durations. */
export const noSeconds: readonly unknown[] = [
  -1,
  NaN,
  Infinity,
  1e300,
  2_592_001,
  '2',
  null,
  undefined,
  {},
  [],
  true,
];
export const noObjects: readonly unknown[] = [undefined, null, 'text', 5, true, []];
export const noAddresses: readonly unknown[] = [undefined, null, '', 5, {}, [], '0x', `0x${'g'.repeat(40)}`];

type Fields = Record<string, any>;

/** Returns a copy with another value at a path such as `steps.bridge.tokenIn`. Undefined removes the field. */
export function changed<T extends Fields>(fields: T, path: string, value: unknown): T {
  const copy = structuredClone(fields);
  const names = path.split('.');
  const last = names.pop()!;
  let place: Fields = copy;
  for (const name of names) place = place[name] as Fields;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}
