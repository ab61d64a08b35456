// Converts JSON Schema to TypeScript types, for the forms that the declarations use.

/** @typedef {Record<string, any>} Schema */

/**
 * Returns the TypeScript type of a schema.
 * @param {Schema} schema
 * @param {string} [prefix] of named types
 * @returns {string}
 */
export function typeOf(schema, prefix = '') {
  if (schema.$ref) return prefix + nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return union(alternatives.map((/** @type {Schema} */ each) => typeOf(each, prefix)));
  if (schema.allOf) return schema.allOf.map((/** @type {Schema} */ each) => typeOf(each, prefix)).join(' & ');
  const types = [schema.type].flat();
  return union(types.map((type) => typeOfKind(type, schema, prefix)));
}

/** @param {string | undefined} type @param {Schema} schema @param {string} prefix */
function typeOfKind(type, schema, prefix) {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${inBrackets(schema.items ? typeOf(schema.items, prefix) : 'unknown')}[]`;
    case 'object':
      return schema.properties ? objectType(schema, prefix) : mapType(schema, prefix);
    default:
      return 'unknown';
  }
}

/** @param {Schema} schema @param {string} prefix */
function mapType({ additionalProperties }, prefix) {
  if (additionalProperties === false) return 'Record<string, never>';
  const isTyped = typeof additionalProperties === 'object';
  return `{ [name: string]: ${isTyped ? typeOf(additionalProperties, prefix) : 'unknown'} }`;
}

/** @param {Schema} schema @param {string} prefix */
function objectType(schema, prefix) {
  return Object.keys(schema.properties).length === 0
    ? 'Record<string, never>'
    : `{\n${membersOf(schema, prefix)}\n}`;
}

/** Returns the members of an interface, each with its description. @param {Schema} schema @param {string} [prefix] */
export function membersOf({ properties, required = [] }, prefix = '') {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      const mark = required.includes(name) ? '' : '?';
      return indent(`${comment(schema.description)}${key}${mark}: ${typeOf(schema, prefix)};`);
    })
    .join('\n');
}

/** Returns the declaration of a named type. @param {string} name @param {Schema} schema */
export function declaration(name, schema) {
  const head = comment(schema.description);
  const isInterface =
    schema.type === 'object' && schema.properties && Object.keys(schema.properties).length > 0;
  return isInterface
    ? `${head}export interface ${name} {\n${membersOf(schema)}\n}`
    : `${head}export type ${name} = ${typeOf(schema)};`;
}

/**
 * Returns the schemas that values refer to, directly or indirectly, in the order of the document.
 * @param {unknown[]} values
 * @param {Record<string, Schema>} schemas
 */
export function neededSchemas(values, schemas) {
  /** @type {Set<string>} */
  const names = new Set();
  const waiting = [...values];
  for (const value of waiting)
    for (const [, name] of JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      if (name && !names.has(name)) {
        names.add(name);
        waiting.push(schemas[name]);
      }
  return Object.entries(schemas).filter(([name]) => names.has(name));
}

/** @param {string | undefined} text */
export const comment = (text) =>
  text ? `/** ${text.replaceAll('*/', '*\\/').replace(/\s*\n\s*/g, '\n * ')} */\n` : '';

/** @param {string} text */
export const indent = (text) => text.replace(/^(?=.)/gm, '  ');

/** @param {string} ref */
export const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1);

/** @param {string[]} types */
const union = (types) => [...new Set(types)].join(' | ');

/** @param {string} type */
const inBrackets = (type) => (type.includes(' | ') || type.includes(' & ') ? `(${type})` : type);

/** @param {unknown} value */
const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
