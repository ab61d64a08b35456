import { SharedSchemas, type SchemaObject } from './open-api';

/** A field of a schema in readable form. */
export interface Field {
  name: string;
  /** As text, for example `string or null` or `list of objects`. */
  type: string;
  isRequired: boolean;
  description: string;
  /** As text, for example `1 to 64 characters`. */
  bounds: readonly string[];
  pattern: string | undefined;
  /** The allowed values; empty when any value is allowed. */
  values: readonly string[];
  /** The fields of an object, of the objects in a list, or of each alternative form. */
  forms: readonly Form[];
}

/** The fields of an object. `title` distinguishes alternative forms. */
export interface Form {
  title: string;
  fields: readonly Field[];
}

/** Reads the fields of schemas. A recursive schema is described once. */
export class SchemaFields {
  constructor(private readonly schemas: SharedSchemas) {}

  /** The forms of a body or a reply: one for an object or a list, several for alternatives. */
  formsOf(schema: SchemaObject, open: readonly SchemaObject[] = []): Form[] {
    const whole = this.plain(schema);
    if (open.includes(whole)) return [];
    const inside = [...open, whole];
    const { oneOf, anyOf, items, properties, additionalProperties } = whole;
    const alternatives = oneOf ?? anyOf;
    if (alternatives) return alternatives.flatMap((each) => this.titled(each, inside));
    if (items) return this.formsOf(items, inside);
    if (!properties && typeof additionalProperties === 'object')
      return this.formsOf(additionalProperties, inside);
    if (!properties || Object.keys(properties).length === 0) return [];
    const fields = Object.entries(properties).map(([name, field]) =>
      this.field({ name, isRequired: whole.required?.includes(name) ?? false }, field, inside),
    );
    return [{ title: '', fields }];
  }

  field(
    { name, isRequired }: Pick<Field, 'name' | 'isRequired'>,
    schema: SchemaObject,
    open: readonly SchemaObject[] = [],
  ): Field {
    const whole = this.plain(schema);
    const description = schema.description ?? whole.description ?? '';
    const leaf = whole.type === 'array' && whole.items ? this.plain(whole.items) : whole;
    return {
      name,
      isRequired,
      description,
      type: this.typeOf(whole),
      bounds: boundsOf(whole, description),
      pattern: leaf.pattern ?? leaf['x-pattern'],
      values: valuesOf(leaf),
      forms: this.formsOf(whole, open),
    };
  }

  private titled(schema: SchemaObject, open: readonly SchemaObject[]): Form[] {
    const name = /[^/]+$/.exec(schema.$ref ?? '')?.[0] ?? schema.title ?? '';
    return this.formsOf(schema, open).map((form) => ({ ...form, title: form.title || spaced(name) }));
  }

  private typeOf(schema: SchemaObject): string {
    const whole = this.plain(schema);
    const alternatives = whole.oneOf ?? whole.anyOf;
    if (alternatives) return [...new Set(alternatives.map((each) => this.typeOf(each)))].join(' or ');
    if (whole.type === undefined) return whole.enum || whole.const !== undefined ? 'string' : 'any JSON';
    const names = [whole.type].flat().map((type) => {
      if (type === 'array') return whole.items ? `list of ${this.typeOf(whole.items)}` : 'list';
      return type === 'object' && typeof whole.additionalProperties === 'object' && !whole.properties
        ? `object of ${this.typeOf(whole.additionalProperties)}`
        : type;
    });
    const format = whole.format && whole.format !== 'double' ? ` (${whole.format})` : '';
    return `${names.join(' or ')}${format}`;
  }

  /** Resolves a reference, and an `allOf` that only adds a description to it. */
  private plain(schema: SchemaObject): SchemaObject {
    const target = this.schemas.find(schema);
    return target.allOf?.length === 1 ? this.plain(target.allOf[0]!) : target;
  }
}

const spaced = (name: string): string =>
  name.replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

function valuesOf({ enum: values, const: only }: SchemaObject): string[] {
  const all = values ?? (only === undefined ? [] : [only]);
  return all.filter((value) => value !== null).map(String);
}

function boundsOf(schema: SchemaObject, description: string): string[] {
  const { minimum, maximum, exclusiveMinimum, default: usual } = schema;
  const item = (count: number) => (count === 1 ? 'item' : 'items');
  const least = schema['x-minimum'] ?? minimum;
  const most = schema['x-maximum'] ?? maximum;
  return [
    range(schema.minLength || undefined, schema.maxLength, (count) =>
      count === 1 ? 'character' : 'characters',
    ),
    // Descriptions of amounts contain their maximum already.
    range(least, description.includes(String(most)) ? undefined : most),
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    range(schema.minItems, schema.maxItems, item),
    range(schema.minProperties, schema.maxProperties, (count) => (count === 1 ? 'member' : 'members')),
    usual !== undefined && `default ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`,
  ].filter((text) => typeof text === 'string');
}

type Bound = string | number;

function range(least?: Bound, most?: Bound, unit: (count: number) => string = () => ''): string | undefined {
  const text = (words: string, last: Bound) => `${words} ${unit(Number(last))}`.trim();
  if (least !== undefined && least === most) return text(`exactly ${least}`, least);
  if (least !== undefined && most !== undefined) return text(`${least} to ${most}`, most);
  if (least !== undefined) return text(`at least ${least}`, least);
  return most === undefined ? undefined : text(`at most ${most}`, most);
}
