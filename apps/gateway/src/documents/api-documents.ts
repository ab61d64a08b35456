import { sandboxApi } from '@tollbridge/contracts';
import { callContext, type BusClient } from '@tollbridge/rpc';
import { withSandboxContracts } from './sandbox-examples';

/** The documents that describe the API, and the sources that they are generated from. */
export interface ApiDocuments {
  /** Returns the same object until the document changes. */
  openApi(): Promise<unknown>;
  asyncApi: unknown;
  /** The HTML of `/docs/errors`. */
  errorsHtml: string;
  /** The content security policy of that page. */
  errorsPolicy: string;
}

/** Injection token of `ApiDocuments`. */
export const ApiDocuments = Symbol('ApiDocuments');

/**
 * Returns the document with the sandbox's token addresses as soon as the sandbox app answers, and the given document
 * before.
 */
export function withSandboxExamples<T>(document: T, bus: Pick<BusClient, 'call'>): () => Promise<T> {
  let local: T | undefined;
  return async () => {
    try {
      local ??= withSandboxContracts(
        document,
        await bus.call(sandboxApi.operations.describe, {}, callContext()),
      );
      return local;
    } catch {
      return document;
    }
  };
}
