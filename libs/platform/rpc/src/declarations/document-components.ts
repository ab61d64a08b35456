import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './fields';
import { Schemas } from './schemas';

/** Shared parts of the operations in an OpenAPI document. Each part is written once and referenced by its name. */
export class DocumentComponents {
  readonly schemas = new Schemas();
  readonly responses: Record<string, JsonSchema> = {};
  readonly parameters: Record<string, JsonSchema> = {};

  /** Returns a reference to the response with this name, and adds the response at its first use. */
  response(name: string, response: JsonSchema): JsonSchema {
    return this.part('responses', name, response);
  }

  /** Returns a reference to a parameter, like `response`. */
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

/** Returns the document with shared parts inlined in each operation, as clients read it. Schema references stay. */
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
