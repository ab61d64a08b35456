import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { OfficialRequirements } from '../../x402/official-types';
import { FileVoucherStore } from './file-voucher-store';
import { VoucherSales, type VoucherSurroundings } from './voucher-sales';
import type { VoucherAccount, VoucherOptions, VoucherStore } from './voucher-options';

export interface VouchersOptions extends Omit<VoucherSurroundings, 'store'> {
  /** Called when vouchers could not be claimed. They are claimed together with the next ones. */
  onFailed: (error: unknown) => void;
}

/** Sales by `batch-settlement` for each account of the seller. */
export class Vouchers {
  private readonly accounts = new Map<string, Promise<VoucherSales>>();
  private readonly files: FileVoucherStore[] = [];
  private readonly timer: NodeJS.Timeout | undefined;
  private collecting: Promise<void> | undefined;

  constructor(private readonly options: VouchersOptions) {
    const { claimEveryMs = 0 } = options.options;
    if (claimEveryMs > 0) this.timer = setInterval(() => void this.collect(), claimEveryMs).unref();
  }

  /** Opens the store of an account. Vouchers of an earlier process are then claimed even without a request. */
  open({ network, payTo, asset }: VoucherAccount): Promise<VoucherSales> {
    const key = keyOf({ network, payTo, asset: asset.address });
    const open = this.accounts.get(key) ?? this.start({ network, payTo, asset }, key);
    this.accounts.set(key, open);
    // A request for the account fails too.
    open.catch((error: unknown) => {
      this.accounts.delete(key);
      this.options.onFailed(error);
    });
    return open;
  }

  /**
   * Returns the sales for the account of an offer.
   * @throws Error if the store of the account cannot be opened
   */
  of(offer: OfficialRequirements): Promise<VoucherSales> {
    const open = this.accounts.get(keyOf(offer));
    const { network, payTo, asset: address } = offer;
    return open ?? this.open({ network, payTo, asset: { address, decimals: 0 } });
  }

  private async start(account: VoucherAccount, key: string): Promise<VoucherSales> {
    const store = await this.storeOf(account, key);
    return VoucherSales.open(account, { ...this.options, store });
  }

  private async storeOf(account: VoucherAccount, key: string): Promise<VoucherStore> {
    const { folder, store }: VoucherOptions = this.options.options;
    if (store) return store(account);
    const file = await FileVoucherStore.open(join(folder!, key));
    this.files.push(file);
    return file;
  }

  /** Claims and settles now. Failures are reported and retried later. */
  collect(): Promise<void> {
    this.collecting ??= this.collectAll().finally(() => (this.collecting = undefined));
    return this.collecting;
  }

  private async collectAll(): Promise<void> {
    for (const account of [...this.accounts.values()])
      await account.then((sales) => sales.collect()).catch(this.options.onFailed);
  }

  /** Stops without a claim, because the vouchers stay in the store. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.collecting;
    await Promise.allSettled(this.accounts.values());
    await Promise.all(this.files.map((file) => file.close()));
  }
}

/** A short key, because the path of a socket has a maximum length. */
const keyOf = ({ network, payTo, asset }: { network: string; payTo: string; asset: string }): string =>
  createHash('sha256').update(`${network} ${payTo} ${asset}`.toLowerCase()).digest('hex').slice(0, 16);
