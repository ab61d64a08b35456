// In the format of the build.
const embedTexts = {
  en: 'Payment|Close|Open in a window|The page does not answer.|Try again',
  fr: 'Paiement|Fermer|Ouvrir dans une fenêtre|La page ne répond pas.|Réessayer',
  de: 'Zahlung|Schließen|In einem Fenster öffnen|Die Seite antwortet nicht.|Wiederholen',
  ja: '支払い|閉じる|ウィンドウで開く|ページが応答しません。|再試行',
};

describe('textsIn', () => {
  let textsIn: typeof import('./texts').textsIn;

  beforeAll(async () => {
    Object.assign(globalThis, { embedTexts });
    ({ textsIn } = await import('./texts'));
  });

  it('returns each text under its name', () => {
    expect(textsIn(['de'])).toEqual({
      title: 'Zahlung',
      close: 'Schließen',
      window: 'In einem Fenster öffnen',
      failed: 'Die Seite antwortet nicht.',
      retry: 'Wiederholen',
    });
  });

  it.each([
    [['de-AT'], 'Schließen'],
    [['', 'FR'], 'Fermer'],
    [[null, undefined, 'fr'], 'Fermer'],
    [['xx', 'ja'], '閉じる'],
    [['xx'], 'Close'],
    [['constructor'], 'Close'],
    [[], 'Close'],
  ])('labels the close button for %j with %s', (tags, close) => expect(textsIn(tags).close).toBe(close));
});
