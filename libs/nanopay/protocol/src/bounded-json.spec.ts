import fc from 'fast-check';
import { readBoundedJson } from './bounded-json';

const bounds = { maxDepth: 3, maxCommas: 4 };
const read = (text: string) => readBoundedJson(Buffer.from(text), bounds);

it('reads what JSON reads, if it is small', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const wide = { maxDepth: 1_000, maxCommas: 10_000 };
      expect(readBoundedJson(bytes, wide)).toEqual(JSON.parse(bytes.toString()));
    }),
  );
});

it.each([
  ['deep', '[[[1]]]', '[[[[1]]]]'],
  ['deep with objects', '{"a":{"b":[1]}}', '{"a":{"b":[[1]]}}'],
  ['wide', '[1,2,3,4,5]', '[1,2,3,4,5,6]'],
  ['wide with members', '{"a":[1,2,3],"b":[1,2]}', '{"a":[1,2,3],"b":[1,2],"c":1}'],
])('rejects what is too %s, and nothing less', (_name, small, large) => {
  expect(read(small)).toEqual(JSON.parse(small));
  expect(read(large)).toBeUndefined();
});

it('counts nothing inside of texts, whatever is escaped in them', () => {
  for (const text of ['"[[[[[[{{{{,,,,,,,"', '"\\"[[[[[["', '"\\\\"', '{"[[[[":"]]]]\\\\\\"[[[[,,,,,,"}'])
    expect(read(text)).toEqual(JSON.parse(text));
  expect(read('"\\\\"[[[[')).toBeUndefined();
});

it.each(['', '"', '"\\', '"\\"', '[', '{"a":1', 'nothing', '[1,]'])('is undefined for %p', (text) => {
  expect(read(text)).toBeUndefined();
});
