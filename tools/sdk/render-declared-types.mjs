// Renders libs/sdk/src/testing/declared-types.ts, which compares the types of the SDK with the declarations.

/** @param {any} product @param {import('./operations.mjs').SdkOperation[]} operations */
export function renderDeclaredTypes({ features, api, bus }, operations) {
  const exported = new Map(Object.entries(api).map(([name, value]) => [value, name]));
  const declarations = new Map(
    features.flatMap((feature) =>
      Object.values(feature.operations).map((each) => [each.operationId, [exported.get(feature), each]]),
    ),
  );
  const used = [...new Set([...declarations.values()].map(([feature]) => feature))].sort();
  const lines = operations.map(({ name, input: fields, body }) => {
    const [feature, declared] = declarations.get(name);
    const declaredType = `(typeof ${feature}.operations)['${declared.name}']`;
    const hasInput = fields !== undefined || body !== undefined;
    const relation = hasInput ? relationOf(declared.input, bus, 'SameInput') : 'Empty';
    const input = `${hasInput ? `sdk.${upper(name)}Input, ` : ''}InputOf<${declaredType}>`;
    const result = `sdk.${upper(name)}Result, OutputOf<${declaredType}>`;
    return `  ${name}: [Expect<${relation}<${input}>>, Expect<${relationOf(declared.output, bus, 'Same')}<${result}>>];`;
  });
  return `// Written by npm run docs from libs/contracts: the type check compares the SDK with the declarations.
import type { ${used.join(', ')} } from '@tollbridge/contracts';
import type { InputOf, OutputOf } from '@tollbridge/rpc';
import type * as sdk from '..';
import type { Accepts, Empty, Expect, Narrower, NarrowerInput, Same, SameInput } from './type-equality';

/** Compiled by the type check: a type that differs from its declaration is an error in its line. */
export interface DeclaredTypes {
${lines.join('\n')}
}
`;
}

/** The type of the schema is more precise if a class declares alternatives, or accepts JSON as text. */
function relationOf(source, bus, otherwise) {
  const item = bus.itemOf(source);
  if (item) return relationOf(item, bus, otherwise);
  if (source.forms) return 'NarrowerInput';
  if (source.variants) return 'Narrower';
  const fields = bus.fieldsOf(source);
  if (fields.some(({ fromJson }) => fromJson)) return 'Accepts';
  const relations = fields.flatMap(({ nested }) =>
    nested ? relationOf(nested.class(), bus, otherwise) : [],
  );
  return relations.find((relation) => relation !== otherwise) ?? otherwise;
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
