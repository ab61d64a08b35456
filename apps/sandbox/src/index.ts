export { agentmailKey } from './agentmail/agentmail.simulator';
export { settings } from './config';
export { mailDomains } from './mail/domains';
export { startMailSimulators, type RunningMailSimulators } from './mail/start-mail-simulators';
export { migrations } from './migrations';
export {
  startOneClick,
  type DepositName,
  type OneClickOptions,
  type RunningOneClick,
} from './oneclick/start-oneclick';
export { resendKey } from './resend/resend.simulator';
export {
  startSwapSimulators,
  type RunningSwapSimulators,
  type SwapSimulatorsOptions,
} from './simulators/start-swap-simulators';
export { openExchangeRatesAppId } from './rates/open-exchange-rates.simulator';
export type { RateChange } from './rates/rate-table';
export { startRateSimulators, type RunningRateSimulators } from './rates/start-rate-simulators';
export type { Reloadly } from './reloadly/reloadly';
export { sandboxClient as reloadlyClient } from './reloadly/tokens';
export { providerRates } from './simulators/request-rate';
export { startServiceSimulators, type RunningServiceSimulators } from './simulators/service-simulators';
export { startSmsSimulators, type RunningSmsSimulators } from './simulators/start-sms-simulators';
export { smsActivateKey } from './sms-activate/sms-activate';
export { fiveSimToken } from './fivesim/fivesim';
export { twilioAccount } from './twilio/twilio';
export { migrateSandbox } from './simulators/open-simulators';
export { lithicSandboxKey } from './lithic/lithic';
export { payProgram as solanaPayProgram, sandboxSolanaKey } from './solana/genesis';
export { localSolana } from './solana/local-solana';
export { startSolanaSimulator, type RunningSolanaSimulator } from './solana/start-solana-simulator';
export { start } from './start';
export { localTon } from './ton/local-ton';
export { startTonSimulator, type RunningTonSimulator } from './ton/start-ton-simulator';
export { readGenesis as readTonGenesis, type Genesis as TonGenesis } from './ton/genesis';
export { startTronSimulator, type RunningTronSimulator } from './tron/start-tron-simulator';
export { localTron } from './tron/local-tron';
export { localSui } from './sui/local-sui';
export { startSuiSimulator, type RunningSuiSimulator } from './sui/start-sui-simulator';
