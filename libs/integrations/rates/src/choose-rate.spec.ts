import { chooseRate } from './choose-rate';

const reading = (perUsd: string, source = 'first') => ({ perUsd, source, atMs: 0 });
const choose = (perUsds: string[], agreed: string | undefined, maxMoveBps = 1_000) =>
  chooseRate(
    { fresh: perUsds.map((perUsd, index) => reading(perUsd, `source ${index}`)), agreed },
    maxMoveBps,
  )?.perUsd;

describe('chooseRate', () => {
  it.each<[string, string[], string | undefined, string | undefined]>([
    ['returns the first reading of the only source', ['0.92'], undefined, '0.92'],
    ['returns a first reading that another source is near', ['0.92', '0.93'], undefined, '0.92'],
    ['holds a first reading that another source contradicts', ['0.92', '1.2'], undefined, undefined],
    ['returns a reading near the agreed value', ['0.95'], '0.92', '0.95'],
    ['returns the agreed value', ['0.92'], '0.92', '0.92'],
    ['returns a reading at the bound above', ['1.1'], '1', '1.1'],
    ['returns a reading at the bound below', ['0.9'], '1', '0.9'],
    ['holds a reading beyond the bound above', ['1.100001'], '1', undefined],
    ['holds a reading beyond the bound below', ['0.899999'], '1', undefined],
    ['holds a reading a thousand times the agreed value', ['920'], '0.92', undefined],
    ['returns a jump that another source confirms', ['1.5', '1.55'], '1', '1.5'],
    ['holds a jump that another source does not follow', ['1.5', '1'], '1', undefined],
    ['holds a jump that another source exceeds', ['1.5', '2'], '1', undefined],
    ['returns a jump that the third source confirms', ['1.5', '1', '1.5'], '1', '1.5'],
    ['prefers the first source although the second is nearer', ['1.05', '1'], '1', '1.05'],
    ['returns a near reading although another source jumped', ['1', '5'], '1', '1'],
  ])('%s', (_case, fresh, agreed, chosen) => {
    expect(choose(fresh, agreed)).toBe(chosen);
  });

  it('returns undefined without a reading', () => {
    expect(choose([], '1')).toBeUndefined();
  });

  it('compares values of any size exactly', () => {
    expect(choose(['0.000000000000000000000000010001'], '0.00000000000000000000000001', 1)).toBe(
      '0.000000000000000000000000010001',
    );
    expect(choose(['0.0000000000000000000000000100011'], '0.00000000000000000000000001', 1)).toBeUndefined();
    expect(choose(['20000'], '10000', 10_000)).toBe('20000');
    expect(choose(['20000.000001'], '10000', 10_000)).toBeUndefined();
  });
});
