import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { linksOf } from '@tollbridge/contracts';
import { withPartsInPlace } from '@tollbridge/rpc';
import type { Harness } from '../harness';
import { eventually } from '@tollbridge/testing';
import type { Api } from '../http';
import { Payer } from '../payer';
import { realValues, type RealValues } from './real-values';
import {
  at,
  closeConnections,
  credentials,
  documentedOperations,
  exampleCall,
  put,
  send,
  type Answer,
  type Call,
  type Documented,
  type Json,
} from './request';

/** The served document, and calls that are validated against it. */
export class Contract {
  readonly byId: ReadonlyMap<string, Documented>;
  private readonly ajv = new Ajv2020({ strict: false, inlineRefs: false });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly special: RealValues;

  private constructor(
    readonly gateway: string,
    readonly api: Api,
    readonly harness: Harness,
    readonly sandbox: Json,
    readonly operations: Documented[],
    private readonly document: Json,
  ) {
    this.byId = new Map(operations.map((operation) => [operation.id, operation]));
    addFormats(this.ajv);
    this.ajv.addSchema(document, 'openapi');
    this.special = realValues(this);
  }

  static async of(harness: Harness, api: Api): Promise<Contract> {
    const served = (await (await fetch(`${harness.gateway}/openapi.json`)).json()) as Json;
    const document = withPartsInPlace(served);
    const sandbox = (await (await fetch(`${harness.gateway}/sandbox`)).json()) as Json;
    await payOnce(api);
    return new Contract(harness.gateway, api, harness, sandbox, documentedOperations(document), document);
  }

  close(): void {
    this.special.close();
    closeConnections();
  }

  /** Sends a call as the demo merchant, unless the call contains credentials. */
  send(documented: Documented, call: Call): Promise<Answer> {
    const own = Object.keys(call.headers).some((name) => ['authorization', 'x-wallet'].includes(name));
    const headers = own ? call.headers : { ...credentials(documented, this.merchant), ...call.headers };
    return send(this.gateway, documented, { ...call, headers });
  }

  get paths(): Json {
    return this.document['paths'] as Json;
  }

  get schemas(): Json {
    return this.document['components'].schemas as Json;
  }

  /** The cursor of the second page of a list; undefined if the list has one page. */
  async nextCursor(documented: Documented): Promise<string | undefined> {
    const call = await this.realCall(documented.id);
    const answer = await this.send(documented, { ...call, query: { ...call.query, limit: 1 } });
    const link = linksOf(documented.operation).find(({ from, to }) => from.subject === to.subject);
    const inHeader = /cursor=([^&>]+)/.exec(String(answer.headers['link'] ?? ''))?.[1];
    return (
      (link && (at(answer.body, link.pointer) as string | null)) ??
      (inHeader && decodeURIComponent(inHeader)) ??
      undefined
    );
  }

  get merchant(): { secret: string; wallet: string } {
    return this.sandbox['merchant'];
  }

  /** The difference between a response and the document; undefined if there is none. */
  problemOf(documented: Documented, { status, body, text }: Answer): string | undefined {
    const { method, path, responses } = documented;
    if (!responses[status]) return `status ${status} is not documented: ${text.slice(0, 300)}`;
    if (status === 500) return `500: ${text.slice(0, 300)}`;
    const { schema } = responses[status].content['application/json'];
    const validate = this.validatorOf(schema, [path, method.toLowerCase(), 'responses', String(status)]);
    if (validate(body)) return undefined;
    return `${status} is not as documented: ${this.ajv.errorsText(validate.errors)}: ${text.slice(0, 400)}`;
  }

  /** Most replies share their schemas: each is compiled once. */
  private validatorOf(schema: Json, reply: readonly string[]): ValidateFunction {
    const key = JSON.stringify(schema);
    const path = [...reply, 'content', 'application/json', 'schema'];
    const pointer = path.map((name) => encodeURIComponent(name.replaceAll('/', '~1'))).join('/');
    const known = this.compiled.get(key) ?? this.ajv.getSchema(`openapi#/paths/${pointer}`);
    this.compiled.set(key, known as ValidateFunction);
    return known as ValidateFunction;
  }

  /** The documented example with values from responses of other calls: a request that succeeds. */
  async realCall(id: string): Promise<Call> {
    const documented = this.byId.get(id)!;
    const call = exampleCall(documented);
    for (const { from, pointer, field } of this.linksTo(documented)) {
      const value = await this.produce(from.operationId, pointer);
      if (value !== undefined && value !== null) this.fill(documented, call, field, value);
    }
    await this.special.adjust[id]?.(call);
    return call;
  }

  private linksTo({ operation }: Documented) {
    return this.operations
      .flatMap((other) => linksOf(other.operation))
      .filter(({ to, from }) => to.subject === operation.subject && from.subject !== to.subject)
      .filter(({ from, pointer }) => !this.special.unlinked.includes(`${from.operationId}#${pointer}`));
  }

  private async produce(id: string, pointer: string): Promise<unknown> {
    const call = await this.realCall(id);
    const answer = await this.send(this.byId.get(id)!, call);
    if (answer.status !== 200)
      throw new Error(`${id} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
    return at(answer.body, pointer);
  }

  fill({ parameters, body }: Documented, call: Call, field: string, value: unknown): void {
    const place = parameters.find(({ name }) => name === field)?.['in'];
    if (place === 'path') call.path[field] = value;
    else if (place === 'query') call.query[field] = value;
    else if (body) put(call.body, field, value);
  }
}

/** Makes a settled payment, so that the merchant's lists, sums and ledger are not empty. */
async function payOnce(api: Api): Promise<void> {
  const payer = await Payer.in(api);
  try {
    const { body: created } = await payer.createOrder();
    await payer.pay(created);
    await eventually(async () => {
      const { body } = await api.get('/api/ledger/entries');
      if (body.entries.length === 0) throw new Error('the payment is not in the ledger yet');
    });
  } finally {
    payer.close();
  }
}
