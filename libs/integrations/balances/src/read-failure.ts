import { RpcError } from '@tollbridge/evm';
import { ProviderError, UnreadableReply } from '@tollbridge/http';

/** The reason why a balance could not be read. The message may be logged, because it quotes no external text. */
export class ReadFailure extends Error {
  override readonly name: string = 'ReadFailure';
}

const ours = [ReadFailure, UnreadableReply, ProviderError, RpcError];

/** Returns the reason for logs. Foreign errors are not quoted, because they may contain a URL with a key. */
export function reasonOf(error: unknown): string {
  const isOurs = ours.some((kind) => error instanceof kind);
  return isOurs ? (error as Error).message : 'failed for an unexpected reason';
}
