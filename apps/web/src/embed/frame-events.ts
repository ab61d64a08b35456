/** What a checkout page reports to the page that shows it. Amounts are in the smallest unit. */
export interface EmbedEvent {
  type: 'opened' | 'resized' | 'submitted' | 'completed' | 'failed' | 'expired' | 'closed';
  payment_request_id?: string;
  paylink_id?: string;
  payment_id?: string | null;
  amount?: string | null;
  currency?: string;
  chain?: string;
  /** In `resized`: height of the page in pixels. */
  height?: number;
  /** Of `closed`: why, and the success or cancel URL of the request. */
  reason?: 'completed' | 'canceled';
  url?: string;
}

const types = ['opened', 'resized', 'submitted', 'completed', 'failed', 'expired', 'closed'];

/**
 * Calls back with the events of one frame or window. Messages of other windows and other origins are ignored. Each page
 * of a checkout reports its state, so a known state is not passed on a second time.
 * @returns ends it
 */
export function followFrame(
  target: Window,
  origin: string,
  listener: (event: EmbedEvent) => void,
): () => void {
  let known = '';
  const receive = ({ source, origin: sender, data }: MessageEvent): void => {
    if (source !== target || sender !== origin || data?.tollbridge !== 1) return;
    const event = data.event as EmbedEvent | undefined;
    if (!event || !types.includes(event.type)) return;
    if (event.type !== 'resized' && event.type !== 'closed') {
      const state = event.type === 'opened' ? 'opened' : `${event.type} ${event.payment_id}`;
      if (state === known || (state === 'opened' && known !== '')) return;
      known = state;
    }
    listener(event);
  };
  addEventListener('message', receive);
  return () => removeEventListener('message', receive);
}
