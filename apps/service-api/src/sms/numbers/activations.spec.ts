import { Activations } from './activations';
import type { ActivationState, ListedNumber, VirtualNumbers } from './virtual-numbers';

const listed = (state: ActivationState): ListedNumber => ({
  activationId: '1',
  number: '+1',
  service: 'tg',
  country: 'US',
  rentedAtMs: 0,
  state,
});
const received: ActivationState = { status: 'received', code: '123456' };

/** A fake provider with a slow list that counts reads. */
function provider(delayMs = 0) {
  const it = { reads: 0, state: { status: 'waiting' } as ActivationState };
  const active = async (): Promise<ListedNumber[]> => {
    it.reads++;
    const list = [listed(it.state)];
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return list;
  };
  return { it, numbers: { active } as unknown as VirtualNumbers };
}

it('Activations caches the list until it expires or is invalidated', async () => {
  const { it, numbers } = provider();
  const activations = new Activations(numbers, 60_000);
  expect(await activations.state('1')).toEqual({ status: 'waiting' });
  it.state = received;
  expect(await activations.state('1')).toEqual({ status: 'waiting' });
  activations.forget();
  expect(await activations.state('1')).toEqual(received);
  expect(it.reads).toBe(2);
});

it('Activations repeats a read that was invalidated during the read', async () => {
  const { it, numbers } = provider(100);
  const activations = new Activations(numbers, 60_000);
  const asked = activations.state('1');
  await new Promise((resolve) => setTimeout(resolve, 20));
  it.state = received;
  activations.forget();
  expect(await asked).toEqual(received);
  expect(it.reads).toBe(2);
});

it('Activations limits reads of the list', async () => {
  const { it, numbers } = provider();
  const activations = new Activations(numbers, 60_000);
  const begunMs = performance.now();
  for (let news = 0; news < 50; news++) {
    activations.forget();
    const asked = activations.state('1');
    await new Promise((resolve) => setTimeout(resolve, 10));
    void asked;
  }
  await activations.state('1');
  expect(it.reads).toBeLessThanOrEqual(2 + (performance.now() - begunMs) / 250);
});
