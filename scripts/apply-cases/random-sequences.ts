import type { Sequence, Step } from './sequence.ts'

/** A small seeded generator, so that a difference can be reproduced. */
function generator(seed: number) {
  let state = seed >>> 0
  return (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

type Random = ReturnType<typeof generator>

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T

function subset<T>(random: Random, items: readonly T[]): T[] {
  return items.filter(() => random(2) === 0).sort(() => random(3) - 1)
}

const values = ['1', '2']

function fields(random: Random, names: readonly string[]) {
  return Object.fromEntries(subset(random, names).map((name) => [name, pick(random, values)]))
}

const makers: Readonly<Record<string, (random: Random) => unknown>> = {
  text: (random) => pick(random, values),
  count: (random) => random(3),
  flag: (random) => random(2) === 0,
  either: (random) => pick<unknown>(random, [1, '1', 2]),
  maybe: (random) => pick(random, [null, 'x']),
  defaulted: (random) => pick(random, ['d', 'e']),
  struct: (random) => ({
    ...fields(random, ['a', 'b']),
    ...(random(2) === 0 ? { deep: fields(random, ['c', 'd']) } : {}),
  }),
  atomicStruct: (random) => fields(random, ['a', 'b']),
  map: (random) => fields(random, ['x', 'y', 'z']),
  atomicMap: (random) => fields(random, ['x', 'y']),
  structs: (random) =>
    Object.fromEntries(
      subset(random, ['p', 'q']).map((name) => [name, fields(random, ['x', 'y'])]),
    ),
  set: (random) => subset(random, ['a', 'b', 'c', 'd']),
  numbers: (random) => subset(random, [1, 2, 10, 1.5]),
  atomicList: (random) => subset(random, ['a', 'b']),
  plainList: (random) => subset(random, ['a', 'b']).map((name) => ({ name })),
  items: (random) =>
    subset(random, ['a', 'b', 'c', 'd']).map((name) => ({
      name,
      ...(random(2) === 0 ? { value: pick(random, values) } : {}),
      ...(random(3) === 0 ? { tags: subset(random, ['x', 'y']) } : {}),
      ...(random(3) === 0 ? { options: fields(random, ['a', 'b']) } : {}),
    })),
  ports: (random) =>
    subset(random, [1, 2]).flatMap((port) =>
      pick<object[]>(random, [
        [{ port }],
        [{ port, protocol: 'UDP' }],
        [{ port }, { port, protocol: 'UDP', name: 'n' }],
      ]),
    ),
  groups: (random) =>
    subset(random, [1, 2]).map((id) => ({
      id,
      ...(random(2) === 0
        ? {
            members: subset(random, ['m', 'n']).map((name) => ({
              name,
              role: pick(random, values),
            })),
          }
        : {}),
    })),
  free: (random) =>
    pick<unknown>(random, [
      {},
      { a: 1 },
      { a: { b: 1 } },
      { a: [1], c: {} },
      { a: { b: 2, d: { e: 1 } } },
    ]),
  halfFree: (random) =>
    pick<unknown>(random, [{}, { known: 'k' }, { inner: { a: '1' }, u: 1 }, { u: { v: 1 } }]),
  anything: (random) => pick<unknown>(random, ['x', 1, [1], { a: 1 }, { a: { b: 1 } }, {}]),
}

function randomSpec(random: Random) {
  const names = Object.keys(makers).filter(() => random(3) === 0)
  return Object.fromEntries(names.map((name) => [name, makers[name]?.(random)]))
}

function randomStep(random: Random): Step {
  const by = pick(random, ['one', 'two', 'three'])
  const body = {
    spec: randomSpec(random),
    ...(random(4) === 0 ? { metadata: { labels: fields(random, ['l', 'm']) } } : {}),
  }
  const version = random(6) === 0 ? { apiVersion: 'applycases.setpoint.dev/v2' } : {}
  const choice = random(10)
  if (choice < 6) return { verb: 'apply', by, body, force: random(3) > 0, ...version }
  if (choice < 8) return { verb: 'merge', by, body, ...version }
  return {
    verb: 'put',
    by,
    body: (live: object) => ({ ...live, spec: body.spec }),
    ...version,
  }
}

/** Sequences of writes with random content. */
export function randomSequences(seed: number, count: number): Sequence[] {
  const random = generator(seed)
  return Array.from({ length: count }, (_, index) => ({
    name: `random ${seed}/${index}`,
    resource: 'gadgets',
    kind: 'Gadget',
    apiVersion: 'applycases.setpoint.dev/v1',
    steps: [
      { verb: 'apply' as const, by: 'one', body: { spec: randomSpec(random) } },
      ...Array.from({ length: 7 }, () => randomStep(random)),
    ],
  }))
}
