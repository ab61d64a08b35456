/** An event that a checkout page sends to the page that embeds it. Amounts are in the smallest unit. */
export interface EmbedEvent {
  type: 'opened' | 'resized' | 'submitted' | 'completed' | 'failed' | 'expired' | 'closed';
  payment_request_id?: string;
  paylink_id?: string;
  payment_id?: string | null;
  amount?: string | null;
  currency?: string;
  chain?: string;
  /** For `resized`: the height of the page in pixels. */
  height?: number;
  /** For `closed`: the reason, and the success or cancel URL of the request. */
  reason?: 'completed' | 'canceled';
  url?: string;
}

const types = ['opened', 'resized', 'submitted', 'completed', 'failed', 'expired', 'closed'];

/**
 * Calls back with the events of one frame or window. Ignores messages of other windows and other origins. Each page of
 * a checkout reports its state, so a repeated state is not forwarded.
 * @returns a function that ends it
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
