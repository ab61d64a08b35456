import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomBytes } from 'node:crypto';
import { BusConnection, type BusOptions } from '../bus/bus-connection';
import { BusServer, type BusServerHooks, type BusServerOptions } from '../bus/bus-server';
import type { CallContext } from '../calls/call-context';
import { Text } from '../declarations/fields';
import { Handles } from '../declarations/handlers';
import { feature, operation } from '../declarations/operation';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter';
import { developmentIdentity } from '../bus/service-identity';

/** Returns a unique app name, so that tests on a shared server do not share subjects and streams. */
export const randomApp = (): string => `shop-${randomBytes(6).toString('hex')}`;

export class Question {
  @Text('What is asked', { maxLength: 2_000_000 })
  text: string;
}

export class Answer {
  @Text('What is answered', { maxLength: 2_000_000 })
  text: string;
}

/** An app with three similar operations: a plain one, one with a short time-out, and one that ends with its caller. */
export function shopApi(app: string) {
  const ask = { summary: 'Ask', input: Question, output: Answer, auth: 'public' } as const;
  return feature(app, 'questions', 'Questions', {
    ask: operation('POST /questions', ask),
    askInHaste: operation('POST /questions', { ...ask, timeoutMs: 300 }),
    askAndWait: operation('POST /questions', { ...ask, endsWithCaller: true }),
  });
}

export type Respond = (question: Question, context: CallContext) => Answer | Promise<Answer>;

export interface Shop {
  bus: BusConnection;
  /** Closes only the server, the first step of a shutdown. */
  stopAnswering(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a replica of the app with Nest and NATS, as in production. */
export async function openShop(
  url: string,
  app: string,
  respond: Respond,
  hooks: BusServerHooks = {},
  options: Partial<BusServerOptions> = {},
  connection: Partial<BusOptions> = {},
): Promise<Shop> {
  @Controller()
  @Handles(shopApi(app))
  class Questions {
    async ask(question: Question, context: CallContext): Promise<Answer> {
      return respond(question, context);
    }
    async askInHaste(question: Question, context: CallContext): Promise<Answer> {
      return respond(question, context);
    }
    async askAndWait(question: Question, context: CallContext): Promise<Answer> {
      return respond(question, context);
    }
  }
  @Module({ controllers: [Questions] })
  class ShopModule {}
  const bus = await BusConnection.open({ app, url, ...connection });
  const strategy = new BusServer(bus, { identity: developmentIdentity(app), hooks, ...options });
  const nest = await NestFactory.createMicroservice(ShopModule, {
    strategy,
    logger: false,
    abortOnError: false,
  });
  nest.useGlobalFilters(new RpcExceptionFilter());
  await nest.listen();
  return {
    bus,
    stopAnswering: () => strategy.close(),
    async close() {
      await nest.close();
      await bus.close();
    },
  };
}

/** The URL of the shared server of this test run. */
export function sharedNatsUrl(): string {
  const url = process.env['TEST_NATS_URL'];
  if (!url)
    throw new Error('TEST_NATS_URL is not set: run this by npm test, or by jest --selectProjects int');
  return url;
}

/** A promise that is resolved by `open`. */
export function gate<T = void>(): { opened: Promise<T>; open(value: T): void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open };
}
