import { expect, test } from 'vitest';
import { Supply } from '../../src/daemon/supply.ts';

test('makes a batch before the first is taken, and another at half', async () => {
  const batches: number[] = [];
  let next = 0;
  const supply = new Supply(
    4,
    async (count) => {
      batches.push(count);
      return Array.from({ length: count }, () => next++);
    },
    () => {},
    () => {},
  );
  await supply.fill();
  expect(supply.size).toBe(4);
  supply.tryTake();
  supply.tryTake();
  expect(batches).toEqual([4]);
  supply.tryTake();
  expect(batches).toEqual([4, 3]);
});

test('who finds it empty waits for the next batch; all of them are served', async () => {
  let next = 0;
  const supply = new Supply(
    2,
    async (count) => Array.from({ length: count }, () => next++),
    () => {},
    () => {},
  );
  const taken = await Promise.all(Array.from({ length: 9 }, () => supply.take()));
  expect(new Set(taken).size).toBe(9);
  expect(taken).not.toContain(null);
});

test('a batch that cannot be made answers null and tells why', async () => {
  const failures: string[] = [];
  const supply = new Supply<number>(
    2,
    () => Promise.reject(new Error('no space')),
    () => {},
    (error) => failures.push(error.message),
  );
  expect(await supply.take()).toBeNull();
  expect(failures).toContain('no space');
});

test('closing discards the stock, and sends the waiting away', async () => {
  const discarded: number[] = [];
  const supply = counting(discarded);
  await supply.fill();
  supply.close();
  expect(discarded).toEqual([0, 1]);
  expect(await supply.take()).toBeNull();
});

test('what was being made when it was closed is discarded too', async () => {
  const discarded: number[] = [];
  const supply = counting(discarded);
  const filling = supply.fill();
  const waiting = supply.take();
  supply.close();
  expect(await waiting).toBeNull();
  await filling;
  expect(discarded).toEqual([0, 1]);
});

function counting(discarded: number[]): Supply<number> {
  return new Supply(
    2,
    async (count) => Array.from({ length: count }, (_, i) => i),
    (item) => discarded.push(item),
    () => {},
  );
}
