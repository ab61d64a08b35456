import { loadConfig } from '@tollbridge/config';
import { lifiSettings } from '../lifi';
import { acrossSettings } from './across.config';

const read = (env: NodeJS.ProcessEnv) => loadConfig({ ...acrossSettings, ...lifiSettings }, env);

it.each(['sandbox', 'production'])('enables only configured swap providers in %s', (environment) => {
  expect(read({ TOLLBRIDGE_ENV: environment })).toMatchObject({
    ACROSS_URL: '',
    ACROSS_API_KEY: '',
    ACROSS_INTEGRATOR_ID: '',
    LIFI_URL: '',
    LIFI_API_KEY: '',
    LIFI_INTEGRATOR: '',
  });
});

it('requires two bytes as the integrator id', () => {
  expect(read({ TOLLBRIDGE_ENV: 'sandbox', ACROSS_INTEGRATOR_ID: '0x01aF' }).ACROSS_INTEGRATOR_ID).toBe(
    '0x01aF',
  );
  for (const value of ['dead', '0x', '0xdea', '0xdeadd', '0xdeag', ' 0xdead'])
    expect(() => read({ TOLLBRIDGE_ENV: 'sandbox', ACROSS_INTEGRATOR_ID: value })).toThrow(
      'ACROSS_INTEGRATOR_ID must be 0x and four',
    );
});
