import { features, type SandboxReply } from '@tollbridge/contracts';
import { withPartsInPlace, type Operation } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import Ajv2020, { type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export interface Reply {
  status: number;
  body: any;
  headers: Headers;
}

/** The body of a failure without the request id, which differs between requests. */
export const withoutRequestId = ({ request_id: _requestId, ...body }: Record<string, unknown>) => body;

export const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);

/**
 * Calls the gateway with the demo key, which has no limit, and compares every reply with the published OpenAPI
 * document.
 */
export class Api {
  private constructor(
    readonly url: string,
    private readonly document: any,
    private readonly ajv: Ajv2020,
    /** Sent with every request without another credential. */
    private readonly key: string,
  ) {}

  static async at(url: string): Promise<Api> {
    const served = (await (await fetch(`${url}/openapi.json`)).json()) as AnySchemaObject;
    const document = withPartsInPlace(served);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(document, 'openapi');
    const sandbox = await fetch(`${url}/sandbox`);
    if (!sandbox.ok) throw new Error(`GET /sandbox: ${sandbox.status} ${await sandbox.text()}`);
    const { merchant } = (await sandbox.json()) as SandboxReply;
    const api = new Api(url, document, ajv, merchant.secret);
    // While two environments start, the first lookup of a key may exceed the gateway's time limit: 503.
    await eventually(async () => {
      const { status, body } = await api.get('/sandbox');
      if (status !== 200) throw new Error(`GET /sandbox with a key: ${status} ${JSON.stringify(body)}`);
    });
    return api;
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body));
  }

  async send(
    method: string,
    path: string,
    body?: string,
    given: Record<string, string> = { authorization: `Bearer ${this.key}` },
  ): Promise<Reply> {
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...given };
    const reply = await fetch(this.url + path, { method, headers, ...(body !== undefined && { body }) });
    const parsed: unknown = await reply.json();
    this.checkDocumented(method, path.split('?', 1)[0]!, reply.status, parsed);
    return { status: reply.status, body: parsed, headers: reply.headers };
  }

  /** An undocumented reply is an error of the document or of the reply; both fail the test. */
  private checkDocumented(method: string, path: string, status: number, body: unknown): void {
    const template = Object.keys(this.document.paths).find((known) => matches(known, path));
    const described = template && this.document.paths[template][method.toLowerCase()];
    if (!described) return;
    if (!described.responses[status])
      throw new Error(`${method} ${template}: status ${status} is not documented`);
    const pointer = `openapi#/paths/${escape(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
    const validate = this.ajv.getSchema(pointer) as ValidateFunction | undefined;
    if (!validate) throw new Error(`${pointer} is not in the document`);
    if (!validate(body))
      throw new Error(`${method} ${template} ${status}: ${this.ajv.errorsText(validate.errors)}`);
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function escape(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}
