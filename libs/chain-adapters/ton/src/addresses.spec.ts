import { isRawAddress, rawAddressOf } from './addresses';

const raw = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';

it('rawAddressOf parses every notation of an account to the same value', async () => {
  const spellings = [
    raw,
    raw.toUpperCase(),
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p',
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs',
  ];
  for (const spelling of spellings) expect(await rawAddressOf(spelling)).toBe(raw);
  expect(isRawAddress(raw)).toBe(true);
  expect(isRawAddress(raw.toUpperCase())).toBe(false);
});

it('rawAddressOf rejects test network addresses unless they are allowed', async () => {
  const { Address } = await import('@ton/core');
  const text = Address.parseRaw(raw).toString({ testOnly: true });
  expect(await rawAddressOf(text)).toBeUndefined();
  expect(await rawAddressOf(text, { allowTestForm: true })).toBe(raw);
});

it.each([
  ['an empty text', ''],
  ['a wrong checksum', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt'],
  ['too few digits', raw.slice(0, -1)],
  ['an unknown workchain', `1${raw.slice(1)}`],
  ['48 invalid characters', '-'.repeat(48)],
  ['a very long text', raw.repeat(10_000)],
])('rawAddressOf rejects %s', async (_name, text) => {
  expect(await rawAddressOf(text)).toBeUndefined();
});
