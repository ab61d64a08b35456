import { describeConventions, describeFailedAuthentications } from './specification/conventions.cases';
import { describeMerchant } from './specification/merchant.cases';
import { describeNanoPayments } from './specification/nano.cases';
import { describeOrders } from './specification/orders.cases';
import { describePay } from './specification/pay.cases';
import { describeSales } from './specification/sales.cases';
import { describeServices } from './specification/services.cases';
import { describeExpiredQuote, describeTransactions, quote } from './specification/transactions.cases';
import { closeWalk, openWalk } from './specification/walk';
import { describeWebhooks } from './specification/webhooks.cases';
import { describeWallet } from './specification/wallet.cases';
import { describeOfficialPackages } from './specification/x402-official.cases';

/** Calls every endpoint with raw HTTP, as the specification describes it. */
export function specificationCases(gateway: () => string): void {
  let expiring: unknown;

  beforeAll(async () => {
    await openWalk(gateway());
    expiring = await quote();
  });
  afterAll(closeWalk);

  describe('pay API', describePay);
  describe('pay orders', describeOrders);
  describe('merchant payment API', describeMerchant);
  describe('dashboard, PayLinks, settings and keys', describeWallet);
  describe('webhooks', describeWebhooks);
  describe('service API', describeServices);
  describe('nano-payment gateway', describeNanoPayments);
  describe('the official x402 packages', describeOfficialPackages);
  describe('services sold by 402', describeSales);
  describe('conventions', describeConventions);
  describe('quote and transaction API', describeTransactions);
  describe('failed authentications', describeFailedAuthentications);
  describe('a quote that expires', () => describeExpiredQuote(() => expiring));
}
