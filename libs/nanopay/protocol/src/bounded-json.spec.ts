import fc from 'fast-check';
import { readBoundedJson } from './bounded-json';

const bounds = { maxDepth: 3, maxCommas: 4 };
const read = (text: string) => readBoundedJson(Buffer.from(text), bounds);

it('readBoundedJson parses small JSON like JSON.parse', () => {
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
])('readBoundedJson rejects JSON that is too %s, and accepts the limit', (_name, small, large) => {
  expect(read(small)).toEqual(JSON.parse(small));
  expect(read(large)).toBeUndefined();
});

it('readBoundedJson ignores brackets and commas in strings, with any escapes', () => {
  for (const text of ['"[[[[[[{{{{,,,,,,,"', '"\\"[[[[[["', '"\\\\"', '{"[[[[":"]]]]\\\\\\"[[[[,,,,,,"}'])
    expect(read(text)).toEqual(JSON.parse(text));
  expect(read('"\\\\"[[[[')).toBeUndefined();
});

it.each(['', '"', '"\\', '"\\"', '[', '{"a":1', 'nothing', '[1,]'])(
  'readBoundedJson returns undefined for %p',
  (text) => {
    expect(read(text)).toBeUndefined();
  },
);
