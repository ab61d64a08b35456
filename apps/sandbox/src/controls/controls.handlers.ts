import { Controller, Inject } from '@nestjs/common';
import {
  sandboxControlsApi,
  type LedgerDepositReply,
  type LedgerDepositRequest,
  type NanopayDepositReply,
  type NanopayDepositRequest,
  type PassDeadlineReply,
  type PassDeadlineRequest,
  type SetExchangeRateReply,
  type SetExchangeRateRequest,
  type SetOutageReply,
  type SetOutageRequest,
  type SetPriceReply,
  type SetPriceRequest,
  type TonFaucetReply,
  type TonFaucetRequest,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { rawAddressOf } from '@tollbridge/ton';
import { generateTxHash } from '../oneclick/deposit-address';
import type { Swap } from '../oneclick/swap';
import { Simulators } from '../simulators/simulators';

/** Controls that let a user or a test change the state of the simulators. */
@Controller()
@Handles(sandboxControlsApi)
export class ControlsHandlers {
  constructor(
    private readonly simulators: Simulators,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async depositToLedger(request: LedgerDepositRequest): Promise<LedgerDepositReply> {
    const swap = await this.swapOf(request);
    const { chain } = swap.origin;
    if (swap.depositKey !== null)
      throw new DomainError('CONFLICT', `${chain.name} has a local node: send a real transfer there.`);
    const txHash = generateTxHash(chain);
    await this.simulators.swaps.addToLedger(swap.id, BigInt(request.amount), txHash, this.clock.now());
    return { tx_hash: txHash };
  }

  async setPrice({ symbol, usd, frozen_at }: SetPriceRequest): Promise<SetPriceReply> {
    if (/^[0.]+$/.test(usd)) throw DomainError.invalid([{ field: 'usd', message: 'must be greater than 0' }]);
    const frozenAt = frozen_at === undefined ? null : new Date(frozen_at);
    if (!(await this.simulators.prices.set({ symbol, usd, frozenAt })))
      throw new DomainError('NOT_FOUND', 'Unknown token symbol. Use the spelling of GET /api/v1/pay/chains.');
    return { symbol, usd };
  }

  setExchangeRate(request: SetExchangeRateRequest): SetExchangeRateReply {
    const { currency, per_usd: perUsd, source: provider, frozen_at } = request;
    if (/^[0.]+$/.test(perUsd))
      throw DomainError.invalid([{ field: 'per_usd', message: 'must be greater than 0' }]);
    const frozenAt = frozen_at === undefined ? undefined : new Date(frozen_at);
    if (!this.simulators.rates.set({ currency, perUsd, provider, frozenAt }))
      throw new DomainError(
        'NOT_FOUND',
        'The source does not publish this currency. USD is the base of all rates.',
      );
    return { currency, per_usd: perUsd };
  }

  async passDeadline(request: PassDeadlineRequest): Promise<PassDeadlineReply> {
    const { id } = await this.swapOf(request);
    const nowMs = this.clock.now();
    await this.simulators.swaps.setDeadline(id, nowMs);
    return { deadline: new Date(nowMs).toISOString() };
  }

  setOutage({ mode, provider = 'oneclick' }: SetOutageRequest): SetOutageReply {
    this.simulators.outageOf(provider).mode = mode;
    return { mode };
  }

  async fundTonAccount({ address, ton, usdt }: TonFaucetRequest): Promise<TonFaucetReply> {
    if (ton === undefined && usdt === undefined)
      throw DomainError.invalid([{ field: 'ton', message: 'must be given, unless usdt is' }]);
    const to = await tonAccount(address);
    const gift = { address: to, nano: BigInt(ton ?? 0), usdtAtomic: BigInt(usdt ?? 0) };
    return { address: to, ...(await this.simulators.ton.fund(gift)) };
  }

  async depositToNanopay({ address, amount }: NanopayDepositRequest): Promise<NanopayDepositReply> {
    const sender = await tonAccount(address);
    const amountAtomic = BigInt(amount);
    return { address: sender, ...(await this.simulators.ton.depositForNanopay({ sender, amountAtomic })) };
  }

  private async swapOf({
    deposit_address,
    deposit_memo = '',
  }: {
    deposit_address: string;
    deposit_memo?: string;
  }): Promise<Swap> {
    const swap = await this.simulators.swaps.find(deposit_address, deposit_memo);
    if (!swap) throw new DomainError('NOT_FOUND', 'No committed quote has this deposit address and memo.');
    return swap;
  }
}

/** Returns the raw address. Only the basechain has wallets. */
async function tonAccount(text: string): Promise<string> {
  const address = await rawAddressOf(text, { allowTestForm: true });
  if (!address?.startsWith('0:'))
    throw DomainError.invalid([{ field: 'address', message: 'must be a TON account of the basechain' }]);
  return address;
}
