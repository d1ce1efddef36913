import type { Frozen, Kind } from 'setpoint'
import type { ResourceQuota } from 'setpoint/kinds'
import { counterOf } from '../../quota/index.ts'
import { KeySource } from '../key-source.ts'

export type QuotaObject = Frozen<ResourceQuota>

/** Whether a quota limits objects of a kind in any way. */
export function limits({ spec }: QuotaObject, { group, plural }: Kind): boolean {
  const counter = counterOf(group, plural)
  return Object.keys(spec.hard ?? {}).some((name) => counter?.isAbout(name) === true)
}

/**
 * Reports deleted objects to the quotas that limit them. Objects of every kind are created and
 * deleted, so this has to be cheap in namespaces without quotas: quotas are indexed by namespace.
 */
export class QuotaKeySource {
  readonly #quotas = new Map<string, Map<string, QuotaObject>>()
  readonly #keys = new KeySource()

  /** Adds or updates a quota. */
  put(quota: QuotaObject): void {
    const { name, namespace } = quota.metadata
    const present = this.#quotas.get(namespace) ?? new Map<string, QuotaObject>()
    this.#quotas.set(namespace, present.set(name, quota))
  }

  /** Removes a deleted quota. */
  remove({ metadata: { name, namespace } }: QuotaObject): void {
    const present = this.#quotas.get(namespace)
    present?.delete(name)
    if (present?.size === 0) this.#quotas.delete(namespace)
  }

  /** Reports that an object of a kind was deleted from a namespace, or perhaps from any. */
  removed(kind: Kind, namespace?: string): void {
    for (const where of namespace === undefined ? this.#quotas.keys() : [namespace]) {
      for (const [name, quota] of this.#quotas.get(where) ?? []) {
        if (limits(quota, kind)) this.#keys.add(`${where}/${name}`)
      }
    }
  }

  /** The keys of quotas that have to be counted again. */
  keys(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    return this.#keys.keys(signal)
  }
}
