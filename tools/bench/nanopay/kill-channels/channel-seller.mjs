// A process of the seller that is killed and restarted with the same port.
import { freePort } from '../../../local/ports.mjs';

/** A channel without requests is closed after this time, and its last link settled. */
export const closeIdleMs = 4_000;
// Long intervals, so that most kills come between a link and its settlement.
const channelOptions = { settleEveryMs: 400, settleAfterLinks: 20, closeIdleMs };

export class ChannelSeller {
  /** @param {{ folder: string, maxLogBytes?: number }} more further options of channels */
  static async start(deployment, more) {
    const seller = new ChannelSeller();
    const channels = { ...channelOptions, ...more };
    Object.assign(seller, { deployment, options: { tcp: deployment.tcp, channels, port: await freePort() } });
    await seller.#run();
    return seller;
  }

  async #run() {
    this.child = await this.deployment.startSeller(this.options);
  }

  get url() {
    return this.child.url;
  }

  /** Kills the process. Resolves when its successor listens. */
  async kill() {
    await this.child.kill();
    await this.#run();
  }

  async settle() {
    await this.child.ask('settle');
  }

  stop() {
    return this.child.stop();
  }
}
