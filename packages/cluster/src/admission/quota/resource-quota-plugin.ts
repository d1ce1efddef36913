import type { ResourceQuota } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { refusal, type Plugin } from '../plugin.ts'
import {
  counterOf,
  increase,
  isInScope,
  only,
  quantitiesOf,
  shown,
  sum,
  texts,
  withoutZeros,
  type Counter,
  type Quantities,
} from '../../quota/index.ts'

/** Writes the status of an object as the server itself, synchronously. */
export type WriteStatus = (object: JsonObject) => void

type StoredQuota = Pick<ResourceQuota, 'metadata'> & {
  readonly spec: NonNullable<ResourceQuota['spec']>
  readonly status: NonNullable<ResourceQuota['status']>
}

interface Quota {
  readonly object: JsonObject
  readonly name: string
  readonly hard: Quantities
  readonly used: Quantities
  readonly spec: StoredQuota['spec']
}

/** Adds a created object to the usage of its namespace's quotas, or refuses it. */
export function resourceQuota(cluster: ClusterReader, writeStatus: WriteStatus): Plugin {
  return {
    name: 'ResourceQuota',
    validate(attributes) {
      const { resource, namespace, operation, subresource } = attributes
      if (!resource.namespaced || operation === 'DELETE' || operation === 'CONNECT') return
      if (operation === 'CREATE' && subresource !== '') return
      const counter = counterOf(resource.group, resource.plural)
      if (counter?.counts(attributes) !== true) return
      const quotas = [...cluster.list('/resourcequotas', `${namespace}/`)]
        .map(readQuota)
        .filter((quota) => applies(quota, counter, attributes.object))
      if (quotas.length === 0) return
      for (const quota of quotas) checkCountable(quota, counter, attributes)
      const charged = quotas.flatMap((quota) => charge(quota, counter, attributes))
      if (attributes.isDryRun) return
      for (const { quota, used } of charged) {
        const status = { ...(quota.object['status'] as JsonObject), used: texts(used) }
        writeStatus({ ...quota.object, status })
      }
    },
  }
}

function readQuota(object: JsonObject): Quota {
  const { metadata, spec, status } = object as unknown as StoredQuota
  return {
    object,
    name: metadata.name,
    hard: quantitiesOf(status.hard),
    used: quantitiesOf(status.used),
    spec,
  }
}

function applies({ hard, spec }: Quota, counter: Counter, object: JsonObject): boolean {
  const isAbout = [...hard.keys()].some((name) => counter.isAbout(name))
  return isAbout && isInScope(spec, counter, object)
}

/** The object must set the limited resources, and the quota must have a usage for them. */
function checkCountable(
  { name, hard, used }: Quota,
  counter: Counter,
  attributes: AdmissionAttributes,
): void {
  const limited = [...hard.keys()].filter((each) => counter.isAbout(each)).sort()
  const missing = counter.missing?.(attributes.object, limited)
  if (missing !== undefined) throw refusal(attributes, `failed quota: ${name}: ${missing}`)
  if (limited.every((each) => used.has(each))) return
  const resources = limited.join(',')
  throw refusal(attributes, `status unknown for quota: ${name}, resources: ${resources}`)
}

interface Charge {
  readonly quota: Quota
  readonly used: Quantities
}

/** The new usage of a quota; empty when it does not change. */
function charge(quota: Quota, counter: Counter, attributes: AdmissionAttributes): Charge[] {
  const { object, old, subresource } = attributes
  const usage = counter.usage(object)
  const isKnown = old !== undefined && applies(quota, counter, old)
  const more = withoutZeros(isKnown ? increase(usage, counter.usage(old)) : usage)
  const requested = only(more, (name) => quota.hard.has(name))
  if (requested.size === 0) return []
  const used = sum(quota.used, requested)
  const exceeds = (name: string): boolean => {
    const limit = quota.hard.get(name)
    const newUsage = used.get(name)
    return limit !== undefined && newUsage !== undefined && newUsage.cmp(limit) > 0
  }
  const exceeding = only(requested, exceeds)
  if (exceeding.size === 0 || subresource === 'status') return [{ quota, used }]
  const [usedNow, limited] = [
    only(quota.used, (name) => exceeding.has(name)),
    only(quota.hard, (name) => exceeding.has(name)),
  ]
  throw refusal(
    attributes,
    `exceeded quota: ${quota.name}, requested: ${shown(exceeding)}, used: ${shown(usedNow)}, limited: ${shown(limited)}`,
  )
}
