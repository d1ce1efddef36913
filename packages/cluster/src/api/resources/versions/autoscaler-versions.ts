import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { encodeJson, parseJson } from '../../../codec/index.ts'
import { metadataOf } from '../../../object/index.ts'
import { newBehavior, oldBehavior } from './autoscaler-behavior.ts'
import { newMetric, oldMetric } from './autoscaler-metric-versions.ts'

/**
 * `autoscaling/v1` has one metric, the CPU target. Other metrics, the behavior and the conditions
 * are carried in annotations, so that a client of v1 can write back what it read without loss.
 */
const prefix = 'autoscaling.alpha.kubernetes.io/'
const names = { metrics: 'metrics', behavior: 'behavior', conditions: 'conditions' } as const
const currentMetrics = 'current-metrics'
const carried = [
  ...Object.values(names),
  currentMetrics,
  'scale-down-tolerance',
  'scale-up-tolerance',
].map((name) => prefix + name)

const counters = ['observedGeneration', 'lastScaleTime', 'currentReplicas', 'desiredReplicas']

/** Removes the annotations of older versions, which have no meaning in v2. */
export function withoutCarried(object: JsonObject): JsonObject {
  const annotations = metadataOf(object).annotations ?? {}
  if (!carried.some((name) => Object.hasOwn(annotations, name))) return object
  return { ...object, metadata: metadataWith(object, plainAnnotations(object)) }
}

/** The annotations that carry a status are those of the stored object, like its status. */
export function keepCarriedStatus(object: JsonObject, old: JsonObject | undefined): void {
  const metadata = metadataOf(object)
  const annotations = { ...metadata.annotations }
  for (const name of [prefix + currentMetrics, prefix + names.conditions]) {
    const kept = old === undefined ? undefined : metadataOf(old).annotations?.[name]
    if (kept === undefined) delete annotations[name]
    else annotations[name] = kept
  }
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations
  else delete metadata.annotations
}

function plainAnnotations(object: JsonObject): Record<string, string> {
  const annotations = Object.entries(metadataOf(object).annotations ?? {})
  return Object.fromEntries(annotations.filter(([name]) => !carried.includes(name)))
}

/** Converts a v2 autoscaler to v1. */
export function autoscalerFromV2(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const metrics = listAt(spec, 'metrics')
  const current = listAt(status, 'currentMetrics')
  const cpu = metrics.find((metric) => cpuUtilization(metric, 'target') !== undefined)
  const others = metrics.filter((metric) => cpuUtilization(metric, 'target') === undefined)
  const annotations = plainAnnotations(object)
  const carry = (name: string, value: JsonValue[]) => {
    if (value.length > 0) annotations[prefix + name] = encodeJson(value)
  }
  carry(
    names.metrics,
    others.map((metric) => oldMetric(metric, 'target')),
  )
  carry(
    currentMetrics,
    current.map((metric) => oldMetric(metric, 'current')),
  )
  if (isJsonObject(spec['behavior'])) {
    annotations[prefix + names.behavior] = encodeJson(oldBehavior(spec['behavior']))
  }
  carry(names.conditions, listAt(status, 'conditions').map(orderedCondition))
  const target = cpu && cpuUtilization(cpu, 'target')
  const measured = current.map((metric) => cpuUtilization(metric, 'current'))
  const utilization = measured.findLast((percent) => percent !== undefined)
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: metadataWith(object, annotations),
    spec: {
      ...pick(spec, ['scaleTargetRef', 'minReplicas', 'maxReplicas']),
      ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
    },
    status: {
      ...pick({ currentReplicas: 0, ...status }, counters),
      ...(utilization === undefined ? {} : { currentCPUUtilizationPercentage: utilization }),
    },
  }
}

/** Converts a v1 autoscaler to v2. Without any metric, the target is 80% CPU. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const target = spec['targetCPUUtilizationPercentage']
  const utilization = status['currentCPUUtilizationPercentage']
  const metrics = [
    ...(carriedList(object, names.metrics) ?? []).map((metric) => newMetric(metric, 'target')),
    ...(target === undefined ? [] : [cpuTarget(target)]),
  ]
  const behavior = newBehavior(carriedValue(object, names.behavior) ?? null)
  const conditions = carriedList(object, names.conditions) ?? []
  const measured =
    carriedList(object, currentMetrics)?.map((metric) => newMetric(metric, 'current')) ??
    (utilization === undefined
      ? []
      : [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageUtilization: utilization } },
          },
        ])
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: metadataWith(object, plainAnnotations(object)),
    spec: {
      ...pick(spec, ['scaleTargetRef', 'minReplicas', 'maxReplicas']),
      metrics: metrics.length === 0 ? [cpuTarget(80)] : metrics,
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      desiredReplicas: 0,
      ...pick(status, counters),
      currentMetrics: measured.length === 0 ? null : measured,
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  }
}

function cpuTarget(averageUtilization: JsonValue): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  }
}

function cpuUtilization(metric: JsonObject, use: 'target' | 'current'): JsonValue | undefined {
  const resource = objectAt(metric, 'resource')
  if (metric['type'] !== 'Resource' || resource['name'] !== 'cpu') return undefined
  return objectAt(resource, use)['averageUtilization']
}

/** In the order of Go's struct, because the annotation is text. */
function orderedCondition(condition: JsonObject): JsonObject {
  const lastTransitionTime = condition['lastTransitionTime'] ?? null
  return {
    ...pick(condition, ['type', 'status']),
    lastTransitionTime,
    ...pick(condition, ['reason', 'message']),
  }
}

/**
 * The value in an annotation; `undefined` when a user has edited it so that it is no longer valid.
 */
function carriedValue(object: JsonObject, name: string): JsonValue | undefined {
  const text = metadataOf(object).annotations?.[prefix + name]
  if (text === undefined) return undefined
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

function carriedList(object: JsonObject, name: string): JsonObject[] | undefined {
  const value = carriedValue(object, name)
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined
}

function metadataWith(object: JsonObject, annotations: Record<string, string>): JsonObject {
  const { annotations: _old, ...rest } = metadataOf(object)
  const sorted = Object.fromEntries(
    Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const metadata = Object.keys(sorted).length === 0 ? rest : { ...rest, annotations: sorted }
  return metadata as unknown as JsonObject
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

function listAt(object: JsonObject, name: string): JsonObject[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = object[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
