import { brokenCalls } from './breakages';
import type { Contract } from './contract';
import { eachOf } from './each-of';
import { disturbing, restore } from './examples.cases';
import { Generator } from './generator';
import { Random } from './random';
import type { Call, Documented } from './request';

const goodCount = 20;
const brokenCount = 40;
const mostReported = 40;

/** Fields that remain unchanged: other values need much time, or stop the sandbox for the other calls. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  createEmailAccountAndWait: ['timeout'],
  rentPhoneNumberAndAwaitCode: ['timeout'],
  setProviderOutage: ['mode', 'provider'],
  advanceSandboxClock: ['by'],
  setTokenPrice: ['symbol', 'usd', 'frozen_at'],
  setExchangeRate: ['currency', 'per_usd', 'source', 'frozen_at'],
  executeSwap: ['broadcast'],
};

/** The same seed generates the same requests; `FUZZ_SEED=<seed>` selects others. */
const seed = Number(process.env['FUZZ_SEED'] ?? 19);

/** These start first: their provider is called at a fixed rate, or they wait. */
const slow = [
  'rentPhoneNumberAndAwaitCode',
  'createEmailAccountAndWait',
  'createEmailAccount',
  'listEmailMessages',
];

/** Each operation has its own random stream, so that a failed operation can be repeated alone. */
const seedOf = (id: string): number =>
  [...id].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, seed);

interface Found {
  id: string;
  kind: string;
  problem: string;
  request: string;
}

export function fuzzCases(open: () => Promise<Contract>): void {
  const fuzz = new Fuzz(open);

  it('reports a response that differs from the document', async () => {
    const contract = await open();
    const order = contract.byId.get('getOrder')!;
    const answer = (status: number, body: object) => {
      const text = JSON.stringify(body);
      return contract.problemOf(order, { status, body, text, headers: {} });
    };
    const failure = (code: string) => ({
      error: 'No order.',
      code,
      request_id: 'req_9f86d081884c7d659a2feaa0',
      documentation_url: `http://127.0.0.1/docs/errors#${code}`,
    });
    expect(answer(404, failure('NOT_FOUND'))).toBeUndefined();
    expect(answer(404, failure('INVALID_QUOTE'))).toMatch(/not as documented/);
    expect(answer(418, {})).toMatch(/status 418 is not documented/);
    expect(answer(200, { order_id: 'x' })).toMatch(/not as documented/);
    expect(answer(500, { error: 'Broken.', code: 'INTERNAL_ERROR' })).toMatch(/^500/);
  });

  it('returns the documented success for every operation', async () => {
    expect(await fuzz.reachAll()).toEqual([]);
  });

  it(`returns documented responses for valid and broken requests of every operation, FUZZ_SEED=${seed}`, async () => {
    expect(await fuzz.run()).toBe('');
  }, 600_000);
}

class Fuzz {
  /** A successful request of each operation; the others are derived from it. */
  private readonly real = new Map<string, Call>();
  private readonly found: Found[] = [];

  constructor(private readonly open: () => Promise<Contract>) {}

  /** The operations that did not succeed, each with the reason. */
  async reachAll(): Promise<string[]> {
    const contract = await this.open();
    const neverReached: string[] = [];
    const reach = async (id: string): Promise<void> => {
      const problem = await this.reach(contract, id).catch((error: Error) => error.message);
      if (problem !== undefined) neverReached.push(`${id}: ${problem.slice(0, 500)}`);
    };
    const ids = [...contract.byId.keys()];
    await eachOf(
      ids.filter((id) => !disturbing.includes(id)),
      reach,
      4,
    );
    for (const id of disturbing) await reach(id);
    await restore(contract);
    return neverReached;
  }

  private async reach(contract: Contract, id: string): Promise<string | undefined> {
    const documented = contract.byId.get(id)!;
    const call = await contract.realCall(id);
    this.real.set(id, call);
    const answer = await contract.send(documented, call);
    return answer.status === 200 ? contract.problemOf(documented, answer) : answer.text;
  }

  /** The undocumented responses, as text; empty if there are none. */
  async run(): Promise<string> {
    const contract = await this.open();
    const isSlow = ({ id }: Documented) => Number(slow.includes(id));
    const calm = contract.operations
      .filter(({ id }) => !disturbing.includes(id))
      .sort((one, other) => isSlow(other) - isSlow(one));
    await eachOf(calm, (documented) => this.fuzz(contract, documented));
    for (const id of disturbing) await this.fuzz(contract, contract.byId.get(id)!);
    await restore(contract);
    return this.found
      .slice(0, mostReported)
      .map(({ id, kind, problem, request }) => `${id} (${kind}): ${problem}\n  ${request}`)
      .join('\n');
  }

  private async fuzz(contract: Contract, documented: Documented): Promise<void> {
    const { id } = documented;
    const base = this.real.get(id);
    // Undefined if this case runs alone.
    if (!base) throw new Error(`${id} has not succeeded before`);
    const random = new Random(seedOf(id));
    const generator = new Generator(contract.schemas, random);
    for (const { name, call, mayPass } of brokenCalls(documented, base, brokenCount, { random, generator })) {
      const answer = await contract.send(documented, call);
      const passed = answer.status < 400 && !mayPass ? 'it was accepted' : undefined;
      this.keep(id, name, call, contract.problemOf(documented, answer) ?? passed);
    }
    const good = Array.from({ length: goodCount }, () =>
      generator.variation(documented, base, fixed[id] ?? []),
    );
    const answerGood = async (call: Call): Promise<void> =>
      this.keep(id, 'valid', call, contract.problemOf(documented, await contract.send(documented, call)));
    await eachOf(good, answerGood, 4);
  }

  private keep(id: string, kind: string, call: Call, problem: string | undefined): void {
    if (problem !== undefined) this.found.push({ id, kind, problem, request: textOf(call) });
  }
}

/** Enough to identify the request, without headers, because a header may contain a secret. */
function textOf(call: Call): string {
  const text = JSON.stringify({ ...call, raw: undefined, headers: undefined });
  return `${text.slice(0, 600)} ${String(call.raw ?? '').slice(0, 200)}`;
}
