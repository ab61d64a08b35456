import type { Api } from '../http';
import type { Harness } from '../harness';
import { Contract } from './contract';
import { exampleCases } from './examples.cases';
import { fuzzCases } from './fuzz.cases';
import { routeCases } from './routes.cases';

/** Compares the document with the gateway: its examples, and requests that are generated from its schemas. */
export function contractCases(shared: () => { harness: Harness; api: Api }): void {
  let contract: Promise<Contract> | undefined;
  const open = (): Promise<Contract> => (contract ??= Contract.of(shared().harness, shared().api));
  afterAll(async () => (await contract)?.close());
  exampleCases(open);
  routeCases(open);
  fuzzCases(open);
}
