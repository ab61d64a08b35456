/**
 * The parts of an OpenAPI 3.1 document that the reference pages show, with shared parts resolved (`withPartsInPlace`).
 */
export interface OpenApiDocument {
  info: { description?: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components?: { schemas?: Readonly<Record<string, SchemaObject>> };
}

export interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters?: readonly ParameterObject[];
  requestBody?: { content: Readonly<Record<string, MediaObject>> };
  responses: Readonly<Record<string, ReplyObject>>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: SchemaObject;
  example?: unknown;
}

export interface ReplyObject {
  description: string;
  headers?: Readonly<Record<string, { description?: string; schema?: SchemaObject }>>;
  content?: Readonly<Record<string, MediaObject>>;
}

export interface MediaObject {
  schema?: SchemaObject;
  example?: unknown;
  examples?: Readonly<Record<string, { value?: unknown }>>;
}

export interface SchemaObject {
  $ref?: string;
  title?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Readonly<Record<string, SchemaObject>>;
  required?: readonly string[];
  items?: SchemaObject;
  additionalProperties?: boolean | SchemaObject;
  allOf?: readonly SchemaObject[];
  oneOf?: readonly SchemaObject[];
  anyOf?: readonly SchemaObject[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  'x-minimum'?: string | number;
  'x-maximum'?: string | number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  pattern?: string;
  'x-pattern'?: string;
}

/** Resolves references to shared schemas. */
export class SharedSchemas {
  constructor(private readonly document: Pick<OpenApiDocument, 'components'>) {}

  /** @throws Error when the document does not have the schema */
  find(schema: SchemaObject): SchemaObject {
    const { $ref } = schema;
    if ($ref === undefined) return schema;
    const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec($ref) ?? [];
    const target = this.document.components?.schemas?.[name];
    if (!target) throw new Error(`The API document has no ${$ref}`);
    return this.find(target);
  }
}
