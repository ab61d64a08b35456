import { agentAddress, digestLengths } from './agents/agent-addresses';
import { slugOf } from './agents/slug';

const shop = {
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  agentId: 'shop',
  domain: 'mail.example',
};
const [length] = digestLengths;

describe('agentAddress', () => {
  it('returns the same address for the same input', () => {
    expect(agentAddress(shop, length)).toBe(agentAddress({ ...shop }, length));
    expect(agentAddress(shop, length)).toMatch(/^shop-[a-z2-7]{10}@mail\.example$/);
  });

  it('differs by wallet, agent and domain', () => {
    const others = [
      { wallet: `${shop.wallet.slice(0, -1)}9` },
      { agentId: 'Shop' },
      { agentId: 'sho-p' },
      { agentId: 'sho.p' },
      { domain: 'mail2.example' },
      { agentId: 'shop/' },
      { wallet: '', agentId: `${shop.wallet}shop` },
    ];
    const all = [shop, ...others.map((it) => ({ ...shop, ...it }))].map((it) => agentAddress(it, length));
    expect(new Set(all).size).toBe(all.length);
  });

  it('returns a valid address for any agent id', () => {
    for (const agentId of ['postmaster', '0'.repeat(128), 'a@b.example', 'did:key:z6Mk', 'A/../..//B', 'x'])
      for (const digestLength of digestLengths) {
        const address = agentAddress({ ...shop, agentId }, digestLength);
        expect(address).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*-[a-z2-7]{10,32}@mail\.example$/);
        expect(address.indexOf('@')).toBeLessThanOrEqual(64);
      }
  });
});

it.each([
  ['Shop', 'shop'],
  ['  Müller & Söhne  ', 'muller-sohne'],
  ['a--b__c', 'a-b-c'],
  ['-_-', ''],
  ['日本', ''],
  ['x'.repeat(50), 'x'.repeat(40)],
  [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
])('slugOf converts %j to %j', (name, slug) => expect(slugOf(name, 40)).toBe(slug));
