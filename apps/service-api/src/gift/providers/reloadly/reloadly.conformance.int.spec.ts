import { loadConfig } from '@tollbridge/config';
import { ManualClock } from '@tollbridge/testing';
import { reloadlySettings as environmentOf, startReloadly } from '../../../testing/reloadly-simulator';
import { describeAirtimeProvider } from '../../testing/airtime-conformance';
import { describeBillProvider } from '../../testing/bill-conformance';
import { describeGiftCardProvider } from '../../testing/gift-card-conformance';
import { reloadlySettings } from './reloadly.config';
import { reloadly } from './reloadly.provider';

/** Opens the adapters as the app does, with the simulator of the sandbox. */
async function open() {
  const clock = new ManualClock();
  const running = await startReloadly(clock);
  const env = { TOLLBRIDGE_ENV: 'sandbox', ...environmentOf(`${running.url}/reloadly`) };
  const adapters = reloadly.open(loadConfig(reloadlySettings, env), clock)!;
  return { clock, adapters, close: running.close };
}

const order = { productId: 1001, quantity: 2, unitPrice: '25', senderName: 'Ada', recipientEmail: null };
describeGiftCardProvider('reloadly', async () => {
  const { adapters, close } = await open();
  return {
    provider: adapters.giftCards!,
    country: 'US',
    terms: order,
    declined: { ...order, quantity: 1, unitPrice: '10.61' },
    unknownProductId: 999,
    unservedCountry: 'ZZ',
    close,
  };
});

const topUp = {
  operatorId: 3001,
  amount: '10',
  useLocalAmount: false,
  countryCode: 'NG',
  phone: '2348031234567',
};
describeAirtimeProvider('reloadly', async () => {
  const { adapters, close } = await open();
  return {
    provider: adapters.airtime!,
    terms: topUp,
    withPin: { ...topUp, operatorId: 3201, countryCode: 'US', phone: '12015550123' },
    declined: { ...topUp, amount: '10.61', phone: '2348031234568' },
    unknownOperatorId: 1,
    undetectable: { phone: '2348031230000', countryCode: 'NG' },
    close,
  };
});

const payment = {
  billerId: 5001,
  subscriberAccountNumber: '04223568280',
  amount: '5000',
  useLocalAmount: true,
  amountId: null,
};
describeBillProvider('reloadly', async () => {
  const { clock, adapters, close } = await open();
  return {
    provider: adapters.bills!,
    country: 'SN',
    terms: payment,
    declined: { ...payment, amount: '5000.62' },
    unknownBillerId: 1,
    passTime: () => clock.advance(2_000),
    close,
  };
});
