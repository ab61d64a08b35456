import { Text } from './fields';
import { anyObject, freeFormOf, itemOf, listOf } from './outputs';

class Thing {
  @Text({ description: 'Its name' })
  name: string;
}

it('knows the class of the items of a list', () => {
  expect(itemOf(listOf(Thing))).toBe(Thing);
  expect(itemOf(Thing)).toBeUndefined();
  expect(itemOf(anyObject('Anything', {}))).toBeUndefined();
});

it('knows what a free object says of itself', () => {
  expect(freeFormOf(anyObject('Settings', { a: 1 }))).toEqual({
    schema: { type: 'object', description: 'Settings', additionalProperties: true },
    example: { a: 1 },
  });
  expect(freeFormOf(listOf(Thing))).toBeUndefined();
});
