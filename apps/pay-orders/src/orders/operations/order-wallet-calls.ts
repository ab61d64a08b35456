import { Inject, Injectable } from '@nestjs/common';
import type { WalletCallQuery, WalletCallReply } from '@tollbridge/contracts';
import { ChainAdapters, type ChainAdapter, type WalletCall } from '@tollbridge/chain-port';
import { canonicalAddress, findToken, type Chain, type Token } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import { DomainError, uuidOf } from '@tollbridge/rpc';
import { createdReply, directOrderOf, walletCallView } from '../create-order';
import { depositTransferOf } from '../deposit-transfer';
import { OrdersRepository, type StoredOrder } from '../storage/orders.repository';
import { SubmittedTransactions } from '../submitted-transactions';

/** Builds the wallet call that pays a stored order. Amount and receiver come from the order, never from the client. */
@Injectable()
export class OrderWalletCalls {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly adapters: ChainAdapters,
    private readonly submitted: SubmittedTransactions,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws DomainError when the order cannot be paid by a call, or no node answers */
  async make(query: WalletCallQuery): Promise<WalletCallReply> {
    const order = await this.findOrder(query.id);
    const adapter = this.adapters.find(order.payChain);
    const token = adapter && findToken(adapter.chain, order.payToken);
    if (!adapter || !token)
      throw new DomainError(
        'ROUTE_UNAVAILABLE',
        `This deployment does not accept payments on ${order.payChain} at present.`,
      );
    const asked = { order, adapter, token, payer: query.payer };
    return order.method === 'Direct' ? this.payContract(asked) : this.payDeposit(asked);
  }

  private async payContract({ order, adapter, token, payer: text }: Asked): Promise<WalletCallReply> {
    const canBePaid = order.status === 'waiting_payment' || (await this.isPaidInVain(order));
    if (!canBePaid || order.expiresAtMs <= this.clock.now()) throw new DomainError('ORDER_NOT_WAITING');
    const direct = directOrderOf(order, { token });
    const { contractAddress } = adapter.instructions(direct);
    // The order belongs to an earlier deployment of the contract, which wallets must not pay any more.
    if (contractAddress !== order.direct?.contractAddress)
      throw new DomainError('ROUTE_UNAVAILABLE', 'The payment contract has changed. Create the order again.');
    const payer = readPayer(text, adapter, order);
    const call = await made(adapter.walletCall(direct, payer));
    const { payment_order } = createdReply(order, null).direct!;
    return { ...replyOf(order, call), contract_address: contractAddress, payment_order };
  }

  private async payDeposit({ order, adapter, token, payer: text }: Asked): Promise<WalletCallReply> {
    const isPaidInVain = await this.isPaidInVain(order);
    const facts = { chain: adapter.chain, token, nowMs: this.clock.now(), isPaidInVain };
    const transfer = depositTransferOf(order, facts);
    const payer = readAddress(adapter.chain, text);
    const call = await made(adapter.transferCall(transfer, payer));
    return { ...replyOf(order, call), deposit_address: order.deposit!.address };
  }

  /** Whether a submitted transaction does not pay: no deposit has arrived, and none is in transit. */
  private async isPaidInVain(order: StoredOrder): Promise<boolean> {
    const hasArrived = order.deposit ? order.deposit.state !== 'waiting' : order.paidHeight !== null;
    if (order.status !== 'settling' || hasArrived) return false;
    return !(await this.submitted.isInFlight(order));
  }

  private async findOrder(text: string): Promise<StoredOrder> {
    const id = uuidOf(text);
    const order = id && (await this.orders.find(id));
    if (!order) throw new DomainError('NOT_FOUND', 'The order does not exist. Check its id.');
    return order;
  }
}

interface Asked {
  order: StoredOrder;
  adapter: ChainAdapter;
  token: Token;
  /** The address as the client sent it. */
  payer: string;
}

const made = (call: Promise<WalletCall | null>): Promise<WalletCall | null> =>
  call.catch((error: unknown) => {
    throw new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error });
  });

const replyOf = (order: StoredOrder, call: WalletCall | null): WalletCallReply => ({
  order_id: order.id,
  chain: order.payChain,
  contract_address: null,
  deposit_address: null,
  payment_order: null,
  wallet_call: walletCallView(call),
});

function readPayer(text: string, { chain, canPayerReceive }: ChainAdapter, order: StoredOrder): string {
  const payer = readAddress(chain, text);
  const receivers = [order.merchantAddress, ...(order.feeAmount > 0n ? [order.feeReceiver] : [])];
  if (!canPayerReceive && receivers.includes(payer))
    throw DomainError.invalid([{ field: 'payer', message: 'must not be a receiver of the payment' }]);
  return payer;
}

function readAddress(chain: Chain, text: string): string {
  const read = canonicalAddress(chain, text);
  if (!read.ok) throw DomainError.invalid([{ field: 'payer', message: read.reason }]);
  return read.address;
}
