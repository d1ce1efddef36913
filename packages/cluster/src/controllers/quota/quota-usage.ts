import type { JsonObject } from 'setpoint/schema'
import {
  isInScope,
  only,
  quantitiesOf,
  sum,
  texts,
  type Counter,
  type Quantities,
} from '../../quota/index.ts'
import type { QuotaObject } from './quota-key-source.ts'

/** The objects of one resource in the namespace of a quota. */
interface Counted {
  readonly counter: Counter
  readonly objects: readonly JsonObject[]
}

/** The status of a quota after a count. A limit on an unknown resource has no usage. */
export function quotaStatus(
  { spec, status }: QuotaObject,
  counted: readonly Counted[],
  nowMs: number,
): NonNullable<QuotaObject['status']> {
  const limited = Object.keys(spec.hard ?? {})
  const parts = counted.map(({ counter, objects }) => {
    const names = limited.filter((name) => counter.isAbout(name))
    const none = quantitiesOf(Object.fromEntries(names.map((name) => [name, '0'])))
    const usages = objects
      .filter((object) => isInScope(spec, counter, object))
      .map((object) => only(counter.usage(object, nowMs), (name) => none.has(name)))
    return usages.reduce(sum, none)
  })
  const used = parts.reduce<Quantities>(sum, new Map())
  // The same amount has several formats. An unchanged amount keeps its format.
  const isUnchanged = isSame(used, quantitiesOf(status?.used))
  const existing = isUnchanged ? (status?.used ?? {}) : texts(used)
  return {
    ...(limited.length === 0 ? {} : { hard: { ...spec.hard } }),
    ...(used.size === 0 ? {} : { used: existing }),
  }
}

function isSame(a: Quantities, b: Quantities): boolean {
  if (a.size !== b.size) return false
  return [...a].every(([name, amount]) => b.get(name)?.cmp(amount) === 0)
}
