import { fieldsOf, type FieldDeclaration, type JsonSchema } from './fields';
import type { Class } from './operation';
import { freeFormOf, itemOf } from './outputs';

const byHand = 'by hand';

function nameIsTaken(name: string): Error {
  return new Error(`two different schemas are called ${name}; rename a class`);
}

/** The named schemas of a document, made from declared classes as they are referred to. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {};
  private readonly sources = new Map<string, string>();
  private readonly ids = new Map<Class<unknown>, number>();

  /** A reference to a class's schema, without the fields that travel elsewhere. */
  of(source: Class<unknown>, without: readonly string[] = []): JsonSchema {
    const { name } = source;
    const wanted = [this.idOf(source), ...without].join();
    const known = this.sources.get(name);
    // A schema is called like its class; of two classes with one name, the second would be described as the first.
    if (known !== undefined && known !== wanted) throw nameIsTaken(name);
    if (known === undefined) {
      this.sources.set(name, wanted);
      // Registered before its fields are looked at: a class may hold itself.
      const schema: JsonSchema = (this.named[name] = { type: 'object' });
      Object.assign(schema, this.objectOf(fieldsOf(source).filter((field) => !without.includes(field.name))));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of a reply: of one object, of a list, or of an object without declared fields. */
  ofOutput(output: Class<unknown>): JsonSchema {
    const item = itemOf(output);
    if (item) return { type: 'array', items: this.of(item) };
    return freeFormOf(output)?.schema ?? this.of(output);
  }

  /** Puts a hand-made schema among the named ones. */
  add(name: string, schema: JsonSchema): JsonSchema {
    if ((this.sources.get(name) ?? byHand) !== byHand) throw nameIsTaken(name);
    this.sources.set(name, byHand);
    this.named[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  private idOf(source: Class<unknown>): number {
    const id = this.ids.get(source) ?? this.ids.size;
    this.ids.set(source, id);
    return id;
  }

  private objectOf(fields: readonly FieldDeclaration[]): JsonSchema {
    const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
    return {
      properties: Object.fromEntries(fields.map((field) => [field.name, this.schemaOf(field)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  private schemaOf({ schema, nested, isNullable, fromJson }: FieldDeclaration): JsonSchema {
    if (!nested) return schema;
    const { type, ...rest } = schema;
    const item = this.of(nested.class());
    if (fromJson) return eitherOf(schema, item);
    if (nested.isList) return { type, ...rest, items: item };
    return isNullable ? { ...rest, oneOf: [item, { type: 'null' }] } : { ...rest, allOf: [item] };
  }
}

/** A list, or the JSON text of one. */
function eitherOf({ type, minItems, maxItems, ...rest }: JsonSchema, items: JsonSchema): JsonSchema {
  const text = { type: 'string', contentMediaType: 'application/json' };
  return { ...rest, anyOf: [{ type, minItems, maxItems, items }, text] };
}

/**
 * An example of a declared class, put together from those of its fields. A class whose fields do not all go together
 * says `static example` itself.
 */
export function exampleOf(source: Class<unknown>, without: readonly string[] = []): Record<string, unknown> {
  const { example } = source as { example?: Record<string, unknown> };
  if (example) return example;
  const fields = fieldsOf(source).filter(({ name }) => !without.includes(name));
  return Object.fromEntries(fields.map((field) => [field.name, exampleOfField(field)]));
}

/** An example of a reply. */
export function exampleOfOutput(output: Class<unknown>): unknown {
  const item = itemOf(output);
  return item ? [exampleOf(item)] : (freeFormOf(output)?.example ?? exampleOf(output));
}

function exampleOfField({ schema, nested }: FieldDeclaration): unknown {
  const { examples } = schema as { examples?: unknown[] };
  if (examples || !nested) return examples?.[0];
  return nested.isList ? [exampleOf(nested.class())] : exampleOf(nested.class());
}
