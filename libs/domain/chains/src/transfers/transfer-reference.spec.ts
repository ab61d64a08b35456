import { idNamedAtEnd, idNamedInMemo, transferReference } from './transfer-reference';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const call = `0xa9059cbb${'0'.repeat(128)}`;
const appended = call + transferReference({ family: 'evm' }, id)!.slice(2);

describe('transferReference', () => {
  it('encodes an id in 20 bytes on EVM chains', () => {
    expect(transferReference({ family: 'evm' }, id.toUpperCase())).toBe(
      '0x7462706c0198f3a27c5e7d419a553f0e2c1b4a6d',
    );
  });

  it.each(['solana', 'ton', 'tron'] as const)('encodes an id as the text of a memo on %s', (family) => {
    expect(transferReference({ family }, id.toUpperCase())).toBe(`tbpl:${id}`);
  });

  it('returns null on chains without references', () => {
    expect(transferReference({ family: 'near' }, id)).toBeNull();
  });
});

describe('idNamedAtEnd', () => {
  it.each([
    ['a reference after a call', appended, id],
    ['a reference alone', transferReference({ family: 'evm' }, id)!, id],
    ['no reference', call, undefined],
    ['a truncated reference', appended.slice(0, -2), undefined],
    ['a reference that is not at the end', `${appended}00`, undefined],
  ])('reads %s', (_name, data, expected) => {
    expect(idNamedAtEnd(data)).toBe(expected);
  });
});

describe('idNamedInMemo', () => {
  it.each([
    ['a reference', `tbpl:${id}`, id],
    ['another text', 'order 7', undefined],
    ['a reference with a text before it', `for tbpl:${id}`, undefined],
    ['a reference with a text after it', `tbpl:${id}\n`, undefined],
    ['an id alone', id, undefined],
    ['an id in upper case', `tbpl:${id.toUpperCase()}`, undefined],
    ['no text', '', undefined],
    ['a truncated reference', `tbpl:${id.slice(0, -1)}`, undefined],
  ])('reads %s', (_name, memo, expected) => {
    expect(idNamedInMemo(memo)).toBe(expected);
  });
});
