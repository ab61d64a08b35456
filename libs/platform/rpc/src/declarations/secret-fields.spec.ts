import { AnyObject, ListOf, ListOrJson, Nested, Text } from './fields';
import { anyObject, listOf } from './outputs';
import { hasSecretFields } from './secret-fields';

class Plain {
  @Text('Nothing')
  text: string;
}
class Secret {
  @Text('A secret', { isSecret: true, optional: true })
  secret?: string;
}
class Inherited extends Secret {}
class Overridden extends Secret {
  @Text('Public here', { optional: true })
  declare secret?: string;
}
class InObject {
  @Nested(() => Secret, 'One', { nullable: true })
  one: Secret | null;
}
class InList {
  @ListOf(() => InObject, 'Some', { maxItems: 3 })
  some: InObject[];
}
class InText {
  @ListOrJson(() => Secret, 'Some', { maxItems: 3 })
  some: Secret[];
}
class Free {
  @AnyObject('Anything', { isSecret: true, maxBytes: 100, maxDepth: 2 })
  anything: object;
}
class Tree {
  @ListOf(() => Tree, 'Below', { maxItems: 3 })
  below: Tree[];
  @Nested(() => Plain, 'Plain')
  plain: Plain;
}

describe('hasSecretFields', () => {
  it.each([Secret, Inherited, InObject, InList, InText, Free, listOf(Secret), listOf(InList)])(
    'returns true for the secret field of %p',
    (source) => expect(hasSecretFields(source)).toBe(true),
  );

  it.each([Plain, Overridden, Tree, listOf(Plain), anyObject('Anything', {})])(
    'returns false for %p',
    (source) => expect(hasSecretFields(source)).toBe(false),
  );
});
