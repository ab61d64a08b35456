import { DomainError } from '@tollbridge/rpc';
import type { Card } from './card';
import type { CardIssuer, IssuedCard } from './card-issuer';
import { CardPurchases, type CardTerms } from './card-purchases';

const terms: CardTerms = { wallet: 'w', issuer: 'laso', amountCents: 2_500 };
const before = { provider: null, providerId: null, askedAtMs: 0 };
const issuedCard = (issuerCardId: string, changes: Partial<IssuedCard> = {}): IssuedCard => ({
  issuerCardId,
  state: 'pending',
  lastFour: null,
  ...changes,
});

/** Buys cards from a fake issuer that stores no references, so that `candidates` returns all of its cards. */
function harness(listed: IssuedCard[] = []) {
  const cards: Card[] = [];
  const issuer = {
    name: 'laso',
    issue: jest.fn(async () => issuedCard('new')),
    candidates: jest.fn(async () => listed),
    read: jest.fn(async (id: string) => issuedCard(id, { state: 'open', lastFour: '4242' })),
  };
  const repository = {
    add: async (card: Card) => {
      const isTaken = cards.some((it) => it.id === card.id || it.issuerCardId === card.issuerCardId);
      if (!isTaken) cards.push(card);
      return cards.find(({ id }) => id === card.id);
    },
    find: async (id: string) => cards.find((card) => card.id === id),
    update: async (card: Card, { state, lastFour }: IssuedCard) => Object.assign(card, { state, lastFour }),
  };
  const byName = new Map([['laso', issuer as unknown as CardIssuer]] as const);
  const issuers = { chosen: byName.get('laso'), byName };
  return { cards, issuer, purchases: new CardPurchases(issuers, repository as never, { now: () => 7 }) };
}

it('polls a pending card until it is open', async () => {
  const { purchases, issuer, cards } = harness();
  const progress = await purchases.buy(terms, 'p-1');
  expect(progress).toEqual({
    status: 'pending',
    providerId: 'new',
    result: { state: 'pending', lastFour: null },
  });
  expect(cards).toMatchObject([{ id: 'p-1', wallet: 'w', amountCents: 2_500, createdAtMs: 7 }]);
  const found = await purchases.find('p-1', terms, before);
  expect(found).toEqual({
    status: 'completed',
    providerId: 'new',
    result: { state: 'open', lastFour: '4242' },
  });
  expect(issuer.candidates).not.toHaveBeenCalled();
});

it('refunds a closed card only when it never had a number', async () => {
  const { purchases, issuer } = harness();
  await purchases.buy(terms, 'p-1');
  issuer.read.mockResolvedValue(issuedCard('new', { state: 'closed' }));
  expect(await purchases.find('p-1', terms, before)).toMatchObject({ status: 'refunded', providerId: 'new' });
  issuer.read.mockResolvedValue(issuedCard('new', { state: 'closed', lastFour: '4242' }));
  expect(await purchases.find('p-1', terms, before)).toMatchObject({ status: 'completed' });
});

it('assigns each lost card to one purchase', async () => {
  const { purchases, cards } = harness([issuedCard('one'), issuedCard('other')]);
  const found = [];
  for (const id of ['p-1', 'p-2', 'p-3']) found.push(await purchases.find(id, terms, before));
  expect(found.map((it) => it?.providerId)).toEqual(['one', 'other', undefined]);
  expect(cards.map(({ id }) => id)).toEqual(['p-1', 'p-2']);
});

it('keeps the first card that was assigned to a purchase', async () => {
  const { purchases } = harness([issuedCard('one'), issuedCard('other')]);
  await purchases.find('p-1', terms, before);
  expect(await purchases.find('p-1', terms, before)).toMatchObject({ providerId: 'one' });
});

it('does not assign one card to two purchases', async () => {
  const { purchases } = harness([issuedCard('new')]);
  await purchases.find('p-1', terms, before);
  await expect(purchases.buy(terms, 'p-2')).rejects.toMatchObject({ kind: 'unknownOutcome' });
  expect(await purchases.find('p-2', terms, before)).toBeUndefined();
});

it('throws SERVICE_UNAVAILABLE while the issuer is not configured', async () => {
  const { purchases } = harness();
  const lost = purchases.find('p-1', { ...terms, issuer: 'lithic' }, before);
  await expect(lost).rejects.toBeInstanceOf(DomainError);
});
