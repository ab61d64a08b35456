import type { BusConnection } from './bus-connection';
import { streamOf } from './events';

/**
 * How many events of the app's stream each durable consumer has not acknowledged.
 * @param declared consumers that the stream must have; one that is missing has acknowledged nothing
 */
export async function consumerLags(
  { app, nats }: BusConnection,
  declared: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const manager = await nats.jetstreamManager({ checkAPI: false });
  const { state } = await manager.streams.info(streamOf(app));
  const lags = new Map(declared.map((consumer) => [consumer, state.messages]));
  for await (const { config, num_pending, num_ack_pending } of manager.consumers.list(streamOf(app)))
    if (config.durable_name) lags.set(config.durable_name, num_pending + num_ack_pending);
  return lags;
}
