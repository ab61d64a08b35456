import { Metrics, type Logger } from '@tollbridge/observability';
import { FacilitatorGas } from './facilitator-gas';
import type { FacilitatorLimits } from './limits';
import { Rails } from './rails';
import type { SettlementRail } from './settlement-rail';

const wallet = (network: string, decimals: number, coins: () => Promise<bigint>) => ({
  network,
  address: 'sender',
  decimals,
  coins,
});

it('FacilitatorGas reports the coins of each sending wallet, and warns below the limit', async () => {
  let isDown = false;
  const coins = async () => {
    if (isDown) throw new Error('no node');
    return 6_000_000n;
  };
  const wallets = [wallet('eip155:1', 18, async () => 2n * 10n ** 18n), wallet('solana:main', 9, coins)];
  const rails = new Rails([{ isActive: true, wallets: () => wallets } as unknown as SettlementRail]);
  const metrics = new Metrics('pay-orders');
  const warn = jest.fn();
  const limits = { gasAlarmMillicoins: 10n } as FacilitatorLimits;
  const gas = new FacilitatorGas(rails, limits, metrics, { warn } as unknown as Logger);

  await gas.check();
  const shown = await metrics.registry.metrics();
  expect(shown).toMatch(/facilitator_gas_coins\{.*eip155:1.*\} 2$/m);
  expect(shown).toMatch(/facilitator_missing_coins\{.*eip155:1.*\} 0$/m);
  expect(shown).toMatch(/facilitator_gas_coins\{.*solana:main.*\} 0\.006$/m);
  expect(shown).toMatch(/facilitator_missing_coins\{.*solana:main.*\} 0\.004$/m);
  expect(warn.mock.calls).toEqual([
    [{ chain: 'solana:main', wallet: 'sender', coins: '6000000' }, 'facilitator gas wallet is low'],
  ]);

  isDown = true;
  await gas.check();
  expect(await metrics.registry.metrics()).not.toContain('solana:main');
});
