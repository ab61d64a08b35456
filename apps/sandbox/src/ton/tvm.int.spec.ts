import { eventually } from '@tollbridge/testing';
import * as core from '@ton/core';
import { readGenesis } from './genesis';
import { Tvm, type TvmAnswer, type TvmCall } from './tvm';

let call: () => TvmCall;
beforeAll(async () => {
  const { address, init } = (await readGenesis()).usdt;
  const methodId = core.getMethodId('get_jetton_data');
  call = () => ({ address, ...init, balance: 10n ** 9n, methodId, stack: [], nowS: 1_800_000_000 });
});

const comparable = ({ stack, ...answer }: TvmAnswer) => ({
  ...answer,
  stack: core.serializeTuple(stack).toString(),
});

let tvm: Tvm;
afterEach(() => tvm.close());

it('ends its thread after a time without tasks, and starts another one for the next task', async () => {
  tvm = new Tvm(core, 100);
  expect(tvm.isRunning).toBe(false);
  const first = comparable(await tvm.call(call()));
  expect(tvm.isRunning).toBe(true);
  await eventually(() => expect(tvm.isRunning).toBe(false));
  expect(comparable(await tvm.call(call()))).toEqual(first);
});

it('keeps its thread while tasks arrive', async () => {
  tvm = new Tvm(core, 50);
  const until = performance.now() + 500;
  await tvm.call(call());
  while (performance.now() < until) {
    await tvm.call(call());
    expect(tvm.isRunning).toBe(true);
  }
});

it('fails pending tasks when its thread ends, and executes later ones', async () => {
  tvm = new Tvm(core);
  const waiting = tvm.call(call());
  await Promise.all([
    expect(waiting).rejects.toThrow('the thread of the virtual machine has ended'),
    tvm.close(),
  ]);
  expect(await tvm.call(call())).toMatchObject({ exitCode: 0 });
});
