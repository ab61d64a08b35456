import {
  Catch,
  Controller,
  Injectable,
  Module,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestMicroservice,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { map, of, tap, throwError, type Observable } from 'rxjs';
import { BusClient } from '../bus/bus-client';
import { BusConnection } from '../bus/bus-connection';
import { BusServer } from '../bus/bus-server';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import { Handles } from './handlers';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter';
import { developmentIdentity } from '../bus/service-identity';
import { Answer, Question, randomApp, sharedNatsUrl, shopApi } from '../testing/shop';

// Tests every kind of Nest enhancer over a real bus: on a method, on a class and globally.

const app = randomApp();
const api = shopApi(app);

/** Names of the enhancers and methods that ran for a call, in order. */
let ran: string[] = [];
let timedMs: number[] = [];

@Injectable()
class Clerk {
  readonly name = 'clerk';
}

@Injectable()
class ClosedGuard implements CanActivate {
  constructor(private readonly clerk: Clerk) {}
  canActivate(context: ExecutionContext): boolean {
    const rpc = context.switchToRpc();
    const { principal } = rpc.getContext<CallContext>();
    ran.push(
      `guard ${context.getHandler().name} ${rpc.getData<Question>().text} ${principal} ${this.clerk.name}`,
    );
    if (rpc.getData<Question>().text === 'closed') throw new DomainError('FORBIDDEN', 'The shop is closed.');
    return rpc.getData<Question>().text !== 'false';
  }
}

@Injectable()
class TimingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const startedMs = performance.now();
    ran.push(`interceptor ${context.getClass().name}`);
    return next.handle().pipe(tap(() => timedMs.push(performance.now() - startedMs)));
  }
}

/** Nest runs pipes for the RPC context too. This pipe leaves the context unchanged. */
class TrimPipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    return { ...(value as Question), text: (value as Question).text.trim() };
  }
}

class SoldOut extends Error {}

@Catch(SoldOut)
class SoldOutFilter implements ExceptionFilter {
  catch(): Observable<never> {
    ran.push('filter');
    return throwError(() => new DomainError('CONFLICT', 'Sold out.'));
  }
}

class GlobalInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    ran.push('global interceptor');
    return next.handle().pipe(map((answer) => ({ ...(answer as Answer) })));
  }
}

const globalGuard: CanActivate = { canActivate: () => ran.push('global guard') > 0 };

@Controller()
@UseInterceptors(TimingInterceptor)
@Handles(api)
class Questions {
  constructor(private readonly clerk: Clerk) {}

  @UseGuards(ClosedGuard)
  @UsePipes(TrimPipe)
  @UseFilters(SoldOutFilter)
  async ask({ text }: Question): Promise<Answer> {
    if (text === 'sold out') throw new SoldOut();
    if (text === 'broken') throw new TypeError('secret');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { text: `${text} by ${this.clerk.name}` };
  }
  askInHaste(): Answer {
    return of({ text: 'an Observable' }) as unknown as Answer;
  }
  askAndWait({ text }: Question): Answer {
    return { text };
  }
}

@Module({ controllers: [Questions], providers: [Clerk] })
class ShopModule {}

let bus: BusConnection;
let callerBus: BusConnection;
let nest: INestMicroservice;
let client: BusClient;
let faults: unknown[] = [];

beforeAll(async () => {
  bus = await BusConnection.open({ app, url: sharedNatsUrl() });
  const onFault = (_fields: object, _subject: string, cause: unknown) => void faults.push(cause);
  const strategy = new BusServer(bus, { identity: developmentIdentity(app), hooks: { onFault } });
  nest = await NestFactory.createMicroservice(ShopModule, { strategy, logger: false, abortOnError: false });
  nest.useGlobalFilters(new RpcExceptionFilter());
  nest.useGlobalGuards(globalGuard);
  nest.useGlobalInterceptors(new GlobalInterceptor());
  await nest.listen();
  callerBus = await BusConnection.open({ app: 'gateway', url: sharedNatsUrl() });
  client = new BusClient(callerBus, developmentIdentity('gateway'));
});

afterAll(async () => {
  client.close();
  await nest.close();
  await Promise.all([bus.close(), callerBus.close()]);
});

beforeEach(() => {
  ran = [];
  timedMs = [];
  faults = [];
});

const { ask, askInHaste, askAndWait } = api.operations;
const caller = callContext({ principal: 'wallet:0x1' });

describe('Handles with Nest enhancers', () => {
  it('runs enhancers in the order of Nest, with the method, the class, the payload and the call context', async () => {
    await expect(client.call(ask, { text: ' tea ' }, caller)).resolves.toEqual({ text: 'tea by clerk' });
    expect(ran).toEqual([
      'global guard',
      'guard ask  tea  wallet:0x1 clerk',
      'global interceptor',
      'interceptor Questions',
    ]);
  });

  it('returns the error that a guard throws, without calling the method', async () => {
    await expect(client.call(ask, { text: 'closed' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'The shop is closed.',
    });
    expect(ran.filter((it) => it.startsWith('interceptor'))).toEqual([]);
  });

  it('returns INTERNAL_ERROR when a guard returns false', async () => {
    await expect(client.call(ask, { text: 'false' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('runs the guard of a method for that method only', async () => {
    await expect(client.call(askAndWait, { text: 'closed' })).resolves.toEqual({ text: 'closed' });
    expect(ran).toEqual(['global guard', 'global interceptor', 'interceptor Questions']);
  });

  it('runs an interceptor of the class around the call', async () => {
    await client.call(ask, { text: 'tea' });
    expect(timedMs).toHaveLength(1);
    expect(timedMs[0]).toBeGreaterThanOrEqual(15);
  });

  it('runs a pipe on the payload before it is decoded', async () => {
    const { text } = await client.call(ask, { text: '   spaces   ' });
    expect(text).toBe('spaces by clerk');
  });

  it('returns the error that a filter of the method creates from an exception', async () => {
    await expect(client.call(ask, { text: 'sold out' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(ran).toContain('filter');
    expect(faults).toEqual([]);
  });

  it('returns INTERNAL_ERROR for an exception without a filter, and passes the cause only to onFault', async () => {
    const failure = (await client
      .call(ask, { text: 'broken' })
      .catch((error: unknown) => error)) as DomainError;
    expect(failure.code).toBe('INTERNAL_ERROR');
    expect(failure.message).not.toContain('secret');
    expect(faults).toMatchObject([{ cause: { message: 'secret' } }]);
  });

  it('returns the value of an Observable', async () => {
    const patient = { ...askInHaste, timeoutMs: 10_000 };
    await expect(client.call(patient, { text: 'tea?' })).resolves.toEqual({ text: 'an Observable' });
  });

  it('validates the input after the guards, and rejects it with every invalid field', async () => {
    await expect(client.call(askAndWait, { colour: 1 } as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'colour' }, { field: 'text' }],
    });
  });
});
