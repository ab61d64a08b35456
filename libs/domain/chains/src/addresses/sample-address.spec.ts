import { chains } from '../registry';
import { canonicalAddress, sampleAddress } from '.';

it.each(chains)('the sample address of $id is in canonical form', (chain) => {
  const address = sampleAddress(chain);
  expect(canonicalAddress(chain, address)).toEqual({ ok: true, address });
});
