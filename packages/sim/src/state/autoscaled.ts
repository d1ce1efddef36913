import type { ClusterSnapshot } from '@setpoint/cluster'
import { isJsonObject, type JsonObject } from 'setpoint/schema'

const autoscalers = 'autoscaling/horizontalpodautoscalers'
const buckets: Readonly<Record<string, string>> = {
  Deployment: 'apps/deployments',
  StatefulSet: 'apps/statefulsets',
  ReplicaSet: 'apps/replicasets',
}

/** The autoscalers and what they scale: how many replicas there are follows from the load. */
export function autoscaledIn({ buckets: stored }: ClusterSnapshot): ReadonlySet<string> {
  const found = (stored[autoscalers] ?? []).flatMap(({ key, text }) => {
    const { spec } = JSON.parse(`{${text}`) as JsonObject
    const target = isJsonObject(spec) ? spec['scaleTargetRef'] : undefined
    const { kind, name } = isJsonObject(target) ? target : {}
    const own = `${autoscalers} ${key}`
    if (typeof kind !== 'string' || typeof name !== 'string') return [own]
    const bucket = buckets[kind]
    const namespace = key.slice(0, key.indexOf('/') + 1)
    return bucket === undefined ? [own] : [own, `${bucket} ${namespace}${name}`]
  })
  return new Set(found)
}

/** Removes the fields of an object that say how many replicas there are. */
export function withoutReplicas(fields: Map<string, string>): void {
  for (const field of fields.keys()) {
    if (/^(spec\.replicas|status\..*replicas)$/i.test(field)) fields.delete(field)
  }
}
