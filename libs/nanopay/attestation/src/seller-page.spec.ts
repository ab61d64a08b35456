import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { attestationRejections } from './rejection';
import { AttestedHarness, type Made } from './testing/attested-harness';
import type { ExpectedMachine } from './verify/expected-machine';
import { verifyAttestationBy, type verifyAttestation } from './verify/verify-attestation';

const page = readFileSync(resolve(__dirname, '../../../../docs/attestation.md'), 'utf8');

type Example = (teeEndpoint: string, machine: ExpectedMachine) => Promise<string>;

/**
 * The example of the documentation page, against an enclave on hardware of the test vendor. `made` changes the
 * enclave's documents.
 */
function example(made: Made = {}): {
  attestedReceiptKey: Example;
  harness: AttestedHarness;
  asked: string[];
} {
  const harness = new AttestedHarness({ now: new Date() });
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    const nonce = new URL(url).searchParams.get('nonce');
    return new Response(JSON.stringify(harness.document({ nonce, ...made })));
  };
  const verify: typeof verifyAttestation = (...parts) => verifyAttestationBy(harness.verifyQuote, ...parts);
  const [, source] = /```ts\n([\s\S]+?)```/.exec(page)!;
  const { code } = transformSync(source!, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const load = (name: string): unknown =>
    name === '@tollbridge/paywall/attestation' ? { verifyAttestation: verify } : jest.requireActual(name);
  const exported = {} as { attestedReceiptKey: Example };
  // Evaluating this text is safe: it comes from our own page, which is under test.
  new Function('require', 'exports', 'fetch', code)(load, exported, fetch);
  return { attestedReceiptKey: exported.attestedReceiptKey, harness, asked };
}

it('returns the key of the expected enclave when the example of the page runs', async () => {
  const { attestedReceiptKey, harness, asked } = example();
  const key = await attestedReceiptKey('https://pay.example.com', harness.expected.machine);
  expect(key).toBe(harness.key.publicKey.toString('hex'));
  expect(asked).toEqual([
    expect.stringMatching(/^https:\/\/pay\.example\.com\/attestation\?nonce=[0-9a-f]{64}$/),
  ]);
});

it.each<[string, Made]>([
  ['nonce_mismatch', { nonce: '5e'.repeat(32) }],
  ['measurements_mismatch', { report: { rtmr2: 'ee'.repeat(48) } }],
  ['not_attested', { mode: 'none', evidence: null }],
  ['contract_mismatch', { identity: { verifyingContract: `0:${'22'.repeat(32)}` } }],
  ['expired', { now: new Date(Date.now() - 61_000) }],
])('throws %s when the example of the page runs', async (reason, made) => {
  const { attestedReceiptKey, harness } = example(made);
  await expect(attestedReceiptKey('https://pay.example.com', harness.expected.machine)).rejects.toThrow(
    `${reason}: `,
  );
});

it('lists exactly the rejection reasons of the code on the page', () => {
  const named = new Set(page.match(/`[a-z]+(?:_[a-z]+)*(?:_…)?`/g)!.map((text) => text.slice(1, -1)));
  const isNamed = (reason: string): boolean =>
    named.has(reason) || (reason.startsWith('collateral_') && named.has('collateral_…'));
  expect(attestationRejections.filter((reason) => !isNamed(reason))).toEqual([]);
  const others = [...named].filter((name) => name.includes('_') && !name.endsWith('…'));
  expect(others.filter((name) => !attestationRejections.some((reason) => reason === name))).toEqual([]);
});
