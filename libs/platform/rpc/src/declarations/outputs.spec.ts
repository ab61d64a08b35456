import { Text } from './fields';
import { anyObject, freeFormOf, itemOf, listOf } from './outputs';

class Thing {
  @Text('Its name')
  name: string;
}

describe('itemOf', () => {
  it('returns the class of the items of a list', () => {
    expect(itemOf(listOf(Thing))).toBe(Thing);
    expect(itemOf(Thing)).toBeUndefined();
    expect(itemOf(anyObject('Anything', {}))).toBeUndefined();
  });
});

describe('freeFormOf', () => {
  it('returns the schema and example of a free-form object', () => {
    expect(freeFormOf(anyObject('Settings', { a: 1 }))).toEqual({
      schema: { type: 'object', description: 'Settings', additionalProperties: true },
      example: { a: 1 },
    });
    expect(freeFormOf(listOf(Thing))).toBeUndefined();
  });
});
