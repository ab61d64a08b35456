import { RpcError } from '@tollbridge/evm';
import { ProviderError, UnreadableReply } from '@tollbridge/http';

/** Why a balance could not be read. Its message may be logged: it quotes nothing that came from outside. */
export class ReadFailure extends Error {
  override readonly name: string = 'ReadFailure';
}

const ours = [ReadFailure, UnreadableReply, ProviderError, RpcError];

/** For the log. Foreign errors are not quoted: they may name a URL, and with it a key. */
export function reasonOf(error: unknown): string {
  const isOurs = ours.some((kind) => error instanceof kind);
  return isOurs ? (error as Error).message : 'failed for an unexpected reason';
}
