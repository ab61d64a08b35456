import { textsIn } from './texts';

const codes = ['en', 'es', 'pt', 'fr', 'de', 'it', 'tr', 'ru', 'zh', 'ja', 'ar', 'he'];

describe('textsIn', () => {
  it.each(codes)('has all texts in %s', (code) => {
    const texts = Object.values(textsIn([code]));
    expect(texts.filter(Boolean)).toHaveLength(5);
    if (code !== 'en') expect(textsIn([code])).not.toEqual(textsIn(['en']));
  });

  it.each([
    [['de-AT'], 'Schließen'],
    [['', 'FR'], 'Fermer'],
    [[null, undefined, 'it'], 'Chiudi'],
    [['xx', 'ja'], '閉じる'],
    [['xx'], 'Close'],
    [['constructor'], 'Close'],
    [[], 'Close'],
  ])('of %j closes by %s', (tags, close) => expect(textsIn(tags).close).toBe(close));
});
