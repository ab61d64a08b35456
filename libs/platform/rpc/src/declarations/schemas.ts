import { fieldsOf, type FieldDeclaration, type JsonSchema } from './fields';
import type { Class } from './class';
import { freeFormOf, itemOf } from './outputs';

const byHand = 'by hand';

function nameIsTaken(name: string): Error {
  return new Error(`two different schemas are called ${name}; rename a class`);
}

/**
 * Optional static members of a declared class. `forms`: names of schemas with the fields that each requires;
 * exactly one form is sent. `variants`: one schema for each value of the field `by`.
 */
interface Alternatives {
  readonly forms?: Readonly<Record<string, readonly string[]>>;
  readonly variants?: Variants;
}

/** For each value of a field, the nullable fields that are null, and those that are not null. */
export interface Variants {
  readonly by: string;
  readonly each: Readonly<Record<string, Variant>>;
}

interface Variant {
  readonly name: string;
  readonly present?: readonly string[];
  readonly absent?: readonly string[];
}

/** The named schemas of a document, generated from declared classes at their first reference. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {};
  private readonly sources = new Map<string, string>();
  private readonly ids = new Map<Class<unknown>, number>();

  /** Returns a reference to the schema of a class, without fields that are sent in another place. */
  of(source: Class<unknown>, without: readonly string[] = []): JsonSchema {
    const { name } = source;
    const wanted = [this.idOf(source), ...without].join();
    const known = this.sources.get(name);
    // A schema has the name of its class. Two classes with the same name would share one schema.
    if (known !== undefined && known !== wanted) throw nameIsTaken(name);
    if (known === undefined) {
      this.sources.set(name, wanted);
      // Registered before its fields are read, because a class may contain itself.
      const schema: JsonSchema = (this.named[name] = {});
      const fields = fieldsOf(source).filter((field) => !without.includes(field.name));
      Object.assign(schema, this.oneOfThe(source as Alternatives, fields) ?? this.objectOf(fields));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns the alternatives of a class, each as a named schema; undefined for a class without alternatives. */
  private oneOfThe(
    { forms, variants }: Alternatives,
    fields: readonly FieldDeclaration[],
  ): JsonSchema | undefined {
    if (forms) {
      const inForms = Object.values(forms).flat();
      const named = Object.entries(forms).map(([name, required]) => {
        const own = fields.filter((field) => required.includes(field.name) || !inForms.includes(field.name));
        const asked = own.map((field) => ({
          ...field,
          isOptional: field.isOptional && !required.includes(field.name),
        }));
        return this.add(name, this.objectOf(asked));
      });
      return { oneOf: named };
    }
    if (!variants) return undefined;
    const { by, each } = variants;
    const mapping = Object.entries(each).map(([value, variant]) => {
      const narrowed = fields.map((field) => narrow(field, { by, value, ...variant }));
      return [value, this.add(variant.name, this.objectOf(narrowed))] as const;
    });
    return {
      oneOf: mapping.map(([, ref]) => ref),
      discriminator: {
        propertyName: by,
        mapping: Object.fromEntries(mapping.map(([value, { $ref }]) => [value, $ref])),
      },
    };
  }

  /** Returns the schema of a reply: one object, a list, or an object without declared fields. */
  ofOutput(output: Class<unknown>): JsonSchema {
    const item = itemOf(output);
    if (item) return { type: 'array', items: this.of(item) };
    return freeFormOf(output)?.schema ?? this.of(output);
  }

  /** Adds a named schema, and returns a reference to it. */
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
    const required = fields
      .filter(({ isOptional, requiredUnless }) => !isOptional && requiredUnless === undefined)
      .map(({ name }) => name);
    return {
      type: 'object',
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
    if (isNullable) return { ...rest, oneOf: [item, { type: 'null' }] };
    // Client generators treat a part of `allOf` with a discriminator as a base class, and omit its field.
    const hasVariants = (nested.class() as Alternatives).variants !== undefined;
    return hasVariants ? { ...rest, ...item } : { ...rest, allOf: [item] };
  }
}

/** Returns the schema of a field in one variant. */
function narrow(field: FieldDeclaration, variant: Variant & { by: string; value: string }): FieldDeclaration {
  const { name, schema, nested } = field;
  const { description } = schema;
  if (name === variant.by)
    return {
      ...field,
      schema: { type: 'string', enum: [variant.value], description, examples: [variant.value] },
    };
  if (variant.absent?.includes(name)) {
    const { nested: _nested, ...plain } = field;
    return { ...plain, schema: { type: 'null', description, examples: [null] } };
  }
  if (!variant.present?.includes(name)) return field;
  const { examples, type, ...rest } = schema as { examples?: unknown[]; type?: unknown };
  const shown = examples?.filter((example) => example !== null) ?? [];
  const single = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  const narrowed = {
    ...rest,
    type: nested ? 'object' : single,
    ...(shown.length > 0 && { examples: shown }),
  };
  return { ...field, isNullable: false, schema: narrowed };
}

/** Returns the schema of a list or its JSON text. */
function eitherOf({ type, minItems, maxItems, ...rest }: JsonSchema, items: JsonSchema): JsonSchema {
  const text = { type: 'string', contentMediaType: 'application/json' };
  return { ...rest, anyOf: [{ type, minItems, maxItems, items }, text] };
}

/**
 * Returns an example of a declared class, built from the examples of its fields. A class with mutually
 * exclusive fields declares `static example`.
 */
export function exampleOf(source: Class<unknown>, without: readonly string[] = []): Record<string, unknown> {
  const { example } = source as { example?: Record<string, unknown> };
  if (example) return Object.fromEntries(Object.entries(example).filter(([name]) => !without.includes(name)));
  const fields = fieldsOf(source).filter(({ name }) => !without.includes(name));
  return Object.fromEntries(fields.map((field) => [field.name, exampleOfField(field)]));
}

/** Returns an example of a reply. */
export function exampleOfOutput(output: Class<unknown>): unknown {
  const item = itemOf(output);
  return item ? [exampleOf(item)] : (freeFormOf(output)?.example ?? exampleOf(output));
}

function exampleOfField({ schema, nested }: FieldDeclaration): unknown {
  const { examples } = schema as { examples?: unknown[] };
  if (examples || !nested) return examples?.[0];
  return nested.isList ? [exampleOf(nested.class())] : exampleOf(nested.class());
}
