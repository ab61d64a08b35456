import type { DeployedChain } from '@tollbridge/chains';
import type { PayOrdersConfig } from '../../config';
import { RefundAccounts } from './refund-accounts';
import { readManualAccounts, readManualSenders, requireRefundSettings } from '../settings';

const weiPerGwei = 10n ** 9n;
const weiPerMwei = 10n ** 6n;
const weiPerMillicoin = 10n ** 15n;

/** @throws ConfigurationError when REFUND_ACCOUNT is on and a required setting is missing */
export function refundAccountsOf(
  config: PayOrdersConfig,
  chains: readonly Pick<DeployedChain, 'id'>[],
): RefundAccounts {
  requireRefundSettings(config);
  const isOn = config.REFUND_ACCOUNT === 'on';
  return new RefundAccounts(
    {
      readableChains: chains.map(({ id }) => id),
      manualAccounts: readManualAccounts(config.REFUND_MANUAL_ACCOUNTS),
      maxWeiPerGas: BigInt(config.REFUND_MAX_GAS_PRICE_GWEI) * weiPerGwei,
      tipPerGas: config.REFUND_TIP_MWEI === 0 ? undefined : BigInt(config.REFUND_TIP_MWEI) * weiPerMwei,
      gasAlarmWei: BigInt(config.REFUND_GAS_ALARM_MILLICOINS) * weiPerMillicoin,
      maxSenderTransactions: config.REFUND_MAX_SENDER_TRANSACTIONS,
      manualSenders: readManualSenders(config.REFUND_MANUAL_SENDERS),
    },
    isOn ? { phrase: config.REFUND_PHRASE, gasKey: config.REFUND_GAS_KEY } : null,
  );
}
