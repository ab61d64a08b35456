import { isRawAddress, rawAddressOf } from './addresses';

const raw = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';

it('reads each spelling of an account into one', async () => {
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

it('rejects the forms of test networks, where they are not wanted', async () => {
  const { Address } = await import('@ton/core');
  const text = Address.parseRaw(raw).toString({ testOnly: true });
  expect(await rawAddressOf(text)).toBeUndefined();
  expect(await rawAddressOf(text, { allowTestForm: true })).toBe(raw);
});

it.each([
  ['nothing', ''],
  ['a wrong checksum', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt'],
  ['too few digits', raw.slice(0, -1)],
  ['a workchain that there is not', `1${raw.slice(1)}`],
  ['48 characters of something', '-'.repeat(48)],
  ['a very long text', raw.repeat(10_000)],
])('rejects %s', async (_name, text) => {
  expect(await rawAddressOf(text)).toBeUndefined();
});
