import { missingCases } from './missing-cases';

const operations = [
  { method: 'GET', path: '/things/{id}', errors: ['NOT_FOUND'] },
  { method: 'POST', path: '/things', errors: ['CONFLICT'] },
];

const complete = `
describe('GET /things/{id}', () => {
  it('200: answers it', () => {});
  it.each([['a', 1], ['b', 2]])('400 VALIDATION_ERROR: an id of %s', () => {});
  it.each(
    bad.map(({ name }) => [name]),
  )("404 NOT_FOUND: %s isn't there", () => {});
});
describe('POST /things', () => {
  it(
    '200: makes it',
    () => {},
  );
  it('400 VALIDATION_ERROR: no name', () => {});
  it(\`409 CONFLICT: twice\`, () => {});
});
`;

it('missingCases returns nothing when every block and case exists', () => {
  expect(missingCases(operations, complete)).toEqual([]);
});

it.each([
  ['a case', complete.replace('409 CONFLICT', '409'), ['POST /things: CONFLICT']],
  [
    'a case in another block only',
    complete.replace('404 NOT_FOUND', '404').replace('409 CONFLICT', '409 CONFLICT, or 404 NOT_FOUND'),
    ['GET /things/{id}: NOT_FOUND'],
  ],
  [
    'a title that only mentions the code',
    complete.replace('409 CONFLICT: twice', 'no: CONFLICT'),
    ['POST /things: CONFLICT'],
  ],
  ['a skipped case', complete.replace('it(`409', 'xit(`409'), ['POST /things: CONFLICT']],
  [
    'a whole block',
    complete.replace("describe('POST /things'", "describe('POST /thing'"),
    ['POST /things: 200', 'POST /things: 400 VALIDATION_ERROR', 'POST /things: CONFLICT'],
  ],
])('missingCases reports %s', (_name, text, missing) => {
  expect(missingCases(operations, text)).toEqual(missing);
});
