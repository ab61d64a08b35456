import { wordsOf } from './service';

it.each([
  ['gift card', ['gift', 'card']],
  ['  Gift-CARD, gift  ', ['gift', 'card']],
  [`a'b"c\\d%e_f&g|h!i:*(j)<->k`, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']],
  ['％_*\'":&|!()<>-', []],
  ['', []],
  ['Überweisung ＳＭＳ 短信', ['überweisung', 'sms', '短信']],
  ['e\u0301tude', ['étude']],
])('wordsOf splits %j', (text, words) => expect(wordsOf(text)).toEqual(words));

it('wordsOf limits the number and the length of words', () => {
  expect(wordsOf(Array.from({ length: 1_000 }, (_, at) => `w${at}`).join(' '))).toHaveLength(16);
  expect(wordsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
});
