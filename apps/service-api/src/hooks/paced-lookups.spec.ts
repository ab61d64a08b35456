import type { Logger } from '@tollbridge/observability';
import { PacedLookups } from './paced-lookups';

const warned: unknown[] = [];
const logger = { warn: (line: unknown) => warned.push(line) } as unknown as Logger;

let looks: PacedLookups;
beforeEach(() => {
  jest.useFakeTimers();
  warned.splice(0);
  looks = new PacedLookups(logger);
});
afterEach(async () => {
  await looks.onApplicationShutdown();
  jest.useRealTimers();
});

it('looks up immediately, and repeats after a second for requests in between', async () => {
  let count = 0;
  const look = async (): Promise<void> => void count++;
  for (let count = 0; count < 20; count++) looks.request('a', look);
  await jest.advanceTimersByTimeAsync(999);
  expect(count).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(count).toBe(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(count).toBe(2);
  looks.request('a', look);
  looks.request('b', look);
  expect(count).toBe(4);
});

it('runs one lookup per key at a time', async () => {
  let [running, most] = [0, 0];
  const look = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    running--;
  };
  for (let count = 0; count < 5; count++) {
    looks.request('a', look);
    await jest.advanceTimersByTimeAsync(2_000);
  }
  expect(most).toBe(1);
  await jest.advanceTimersByTimeAsync(20_000);
});

it('limits concurrent lookups, and continues after a failure', async () => {
  let count = 0;
  const fail = async (): Promise<void> => {
    count++;
    throw new Error('no');
  };
  for (let thing = 0; thing < 300; thing++) looks.request(String(thing), fail);
  expect(count).toBe(200);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(warned).toHaveLength(200);
  looks.request('0', fail);
  expect(count).toBe(201);
});

it('waits for running lookups on shutdown, and starts no more', async () => {
  let [count, isOver] = [0, false];
  const look = async (): Promise<void> => {
    count++;
    await new Promise((resolve) => setTimeout(resolve, 500));
    isOver = true;
  };
  looks.request('a', look);
  looks.request('a', look);
  const stopped = looks.onApplicationShutdown();
  await jest.advanceTimersByTimeAsync(500);
  await stopped;
  looks.request('b', look);
  await jest.advanceTimersByTimeAsync(5_000);
  expect([count, isOver]).toEqual([1, true]);
});
