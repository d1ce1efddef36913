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
import type { QuotaObject } from './quota-feed.ts'

/** What there is of one resource in the namespace of a quota. */
interface Counted {
  readonly counter: Counter
  readonly objects: readonly JsonObject[]
}

/** What a quota says when everything that it limits has been counted. A limit that is about nothing that exists has no usage. */
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
  // The same amount can be written in two ways; what is said already stays.
  const isSaid = isSame(used, quantitiesOf(status?.used))
  const said = isSaid ? (status?.used ?? {}) : texts(used)
  return {
    ...(limited.length === 0 ? {} : { hard: { ...spec.hard } }),
    ...(used.size === 0 ? {} : { used: said }),
  }
}

function isSame(a: Quantities, b: Quantities): boolean {
  if (a.size !== b.size) return false
  return [...a].every(([name, amount]) => b.get(name)?.cmp(amount) === 0)
}
