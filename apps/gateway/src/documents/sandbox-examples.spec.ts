import { exampleOf, type BusClient } from '@tollbridge/rpc';
import { SandboxReply } from '@tollbridge/contracts';
import { withSandboxExamples } from './api-documents';
import { withSandboxContracts } from './sandbox-examples';

const base = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const sandbox = exampleOf(SandboxReply) as unknown as SandboxReply;
const local = sandbox.chains[0]!.tokens[0]!.address!;

describe('withSandboxContracts', () => {
  it('replaces token addresses of the main networks by those of the sandbox', () => {
    const document = { example: { address: base, other: '0x1' } };
    expect(withSandboxContracts(document, sandbox)).toEqual({ example: { address: local, other: '0x1' } });
  });
});

describe('withSandboxExamples', () => {
  it('returns the original document until the sandbox app answers, and calls that app once', async () => {
    const document = { example: base };
    let calls = 0;
    const call = () => {
      if (calls++ === 0) return Promise.reject(new Error('not there yet'));
      return Promise.resolve(sandbox);
    };
    const current = withSandboxExamples(document, { call } as unknown as Pick<BusClient, 'call'>);
    expect(await current()).toBe(document);
    const replaced = await current();
    expect(replaced).toEqual({ example: local });
    expect(await current()).toBe(replaced);
    expect(calls).toBe(2);
  });
});
