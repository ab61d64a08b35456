import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './fields';
import { Schemas } from './schemas';

/** What the operations of an OpenAPI document share: each part is written once, and referred to by its name. */
export class DocumentComponents {
  readonly schemas = new Schemas();
  readonly responses: Record<string, JsonSchema> = {};
  readonly parameters: Record<string, JsonSchema> = {};

  /** A reference to the response of this name, which is added with its first use. */
  response(name: string, response: JsonSchema): JsonSchema {
    return this.part('responses', name, response);
  }

  /** The same for a parameter. */
  parameter(name: string, parameter: JsonSchema): JsonSchema {
    return this.part('parameters', name, parameter);
  }

  private part(kind: 'responses' | 'parameters', name: string, part: JsonSchema): JsonSchema {
    const known = (this[kind][name] ??= part);
    if (!isDeepStrictEqual(known, part)) throw new Error(`two different ${kind} are called ${name}`);
    return { $ref: `#/components/${kind}/${name}` };
  }
}

const sharedPart = /^#\/components\/(headers|parameters|responses)\/(.+)$/;

/** The document with shared parts in each operation, as clients read it. References to schemas stay. */
export function withPartsInPlace<T extends object>(document: T): T {
  const { components } = document as { components?: Record<string, Record<string, unknown>> };
  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind, name] = sharedPart.exec(String((value as JsonSchema)['$ref'])) ?? [];
    if (kind && name) return place(components![kind]![name]);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, place(each)]));
  };
  return place(document) as T;
}
