import { setTimeout as pause } from 'node:timers/promises';
import type { Contract } from './contract';
import { eachOf } from './each-of';
import { exampleCall } from './request';
import { createdElsewhere, preparing, reasonOf } from './example-reasons';

// A call that is still pending after this time has passed validation: it waits for mail or for a code.
const patienceMs = 4_000;

/** These operations change the state that the others need. */
export const disturbing = [
  'setProviderOutage',
  'setTokenPrice',
  'setExchangeRate',
  'deleteSettings',
  'revokeAllSessions',
];

export async function restore({ api }: Contract): Promise<void> {
  for (const provider of ['across', 'oneclick'])
    await api.post('/sandbox/oneclick/outage', { provider, mode: 'up' });
}

export function exampleCases(open: () => Promise<Contract>): void {
  it('returns 200 for every documented request example, unless the list of reasons contains the operation', async () => {
    const contract = await open();
    const wrong: string[] = [];
    const failed = new Map<string, string>();
    const pending = new Set<string>();
    const run = async (id: string): Promise<void> => {
      const documented = contract.byId.get(id)!;
      const waits = pause(patienceMs, undefined, { ref: false });
      const answer = await Promise.race([contract.send(documented, exampleCall(documented)), waits]);
      if (!answer) return void pending.add(id);
      const problem = contract.problemOf(documented, answer);
      // An example cannot contain the signature of a current challenge.
      const isRejected = answer.status === 400 && answer.body.code !== 'INVALID_SIGNATURE';
      if (problem || isRejected) wrong.push(`${id}: ${problem ?? answer.text}`);
      // An earlier case may have created the object of this example: a conflict.
      if (answer.status !== 200 && answer.body.code !== 'CONFLICT')
        failed.set(id, `${answer.status} ${answer.text}`);
    };
    for (const id of preparing) await run(id);
    const others = [...contract.byId.keys()].filter((id) => ![...preparing, ...disturbing].includes(id));
    await eachOf(others, run);
    for (const id of disturbing) await run(id);
    await restore(contract);
    expect(wrong).toEqual([]);
    const tolerated = (id: string): boolean => reasonOf.has(id) || createdElsewhere.includes(id);
    expect([...failed].filter(([id]) => !tolerated(id))).toEqual([]);
    const isExpected = (id: string): boolean =>
      failed.has(id) || pending.has(id) || createdElsewhere.includes(id);
    const outdated = [...reasonOf.keys()].filter((id) => !isExpected(id));
    expect(outdated).toEqual([]);
  });

  it('accepts the example of every optional parameter, and the cursor of a list', async () => {
    const contract = await open();
    const wrong: string[] = [];
    await eachOf(contract.operations, async (documented) => {
      const optional = documented.parameters.filter(
        ({ required, in: place }) => !required && place === 'query',
      );
      if (optional.length === 0) return;
      for (const { name, schema } of optional) {
        const call = await contract.realCall(documented.id);
        const [example] = schema.examples;
        call.query[name] = name === 'cursor' ? await contract.nextCursor(documented) : example;
        if (call.query[name] === undefined) continue;
        // The real call sends the token as a header.
        const { 'x-email-token': token, ...headers } = call.headers;
        if (name === 'token' && token !== undefined) call.query[name] = token;
        call.headers = name === 'token' ? headers : call.headers;
        const { status, text } = await contract.send(documented, call);
        if (status !== 200 && status !== 404) wrong.push(`${documented.id} ${name}: ${status} ${text}`);
      }
    });
    expect(wrong).toEqual([]);
  });
}
