import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { encodeJson, parseJson } from '../../codec/index.ts'
import { metadataOf } from '../../object/index.ts'

/**
 * `autoscaling/v1` knows one number, the CPU target; whatever else an autoscaler has travels in
 * annotations, so that a client of the old version can write back what it read without loss.
 */
const prefix = 'autoscaling.alpha.kubernetes.io/'
const carried = { metrics: 'metrics', behavior: 'behavior' } as const
const carriedStatus = { conditions: 'conditions', currentMetrics: 'current-metrics' } as const

/** A v2 autoscaler as v1 shows it. */
export function autoscalerFromV2(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const metrics = listAt(spec, 'metrics')
  const cpu = metrics.find(isCpuTarget)
  const others = metrics.filter((metric) => metric !== cpu)
  const annotations: Record<string, string> = { ...metadataOf(object).annotations }
  carry(annotations, carried.metrics, others)
  if (spec['behavior'] !== undefined) carry(annotations, carried.behavior, [spec['behavior']])
  carry(annotations, carriedStatus.conditions, listAt(status, 'conditions'))
  carry(annotations, carriedStatus.currentMetrics, listAt(status, 'currentMetrics'))
  const utilization = cpu === undefined ? undefined : utilizationOf(cpu)
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: metadataWith(object, annotations),
    spec: {
      ...pick(spec, ['scaleTargetRef', 'minReplicas', 'maxReplicas']),
      ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }),
    },
    status: {
      currentReplicas: 0,
      ...pick(status, [
        'observedGeneration',
        'lastScaleTime',
        'currentReplicas',
        'desiredReplicas',
      ]),
    },
  }
}

/** A v1 autoscaler as it is stored. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const annotations: Record<string, string> = { ...metadataOf(object).annotations }
  const target = spec['targetCPUUtilizationPercentage']
  const metrics = [
    ...(target === undefined ? [] : [cpuTarget(target)]),
    ...uncarry(annotations, carried.metrics),
  ]
  const [behavior] = uncarry(annotations, carried.behavior)
  const conditions = uncarry(annotations, carriedStatus.conditions)
  const currentMetrics = uncarry(annotations, carriedStatus.currentMetrics)
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: metadataWith(object, annotations),
    spec: {
      ...pick(spec, ['scaleTargetRef', 'minReplicas', 'maxReplicas']),
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      desiredReplicas: 0,
      ...pick(status, [
        'observedGeneration',
        'lastScaleTime',
        'currentReplicas',
        'desiredReplicas',
      ]),
      currentMetrics: currentMetrics.length === 0 ? null : currentMetrics,
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

function isCpuTarget(metric: JsonValue): boolean {
  return utilizationOf(metric) !== undefined
}

function utilizationOf(metric: JsonValue): JsonValue | undefined {
  if (!isJsonObject(metric) || metric['type'] !== 'Resource') return undefined
  const resource = objectAt(metric, 'resource')
  if (resource['name'] !== 'cpu') return undefined
  return objectAt(resource, 'target')['averageUtilization']
}

function carry(annotations: Record<string, string>, name: string, values: JsonValue[]): void {
  if (values.length > 0) annotations[prefix + name] = encodeJson(values)
}

function uncarry(annotations: Record<string, string>, name: string): JsonValue[] {
  const text = annotations[prefix + name]
  if (text === undefined) return []
  Reflect.deleteProperty(annotations, prefix + name)
  try {
    const { value } = parseJson(text)
    return Array.isArray(value) ? value : []
  } catch {
    // An annotation that somebody broke by hand carries nothing; the rest of the object still counts.
    return []
  }
}

function metadataWith(object: JsonObject, annotations: Record<string, string>): JsonObject {
  const { annotations: _old, ...rest } = metadataOf(object)
  const metadata = Object.keys(annotations).length === 0 ? rest : { ...rest, annotations }
  return metadata as unknown as JsonObject
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

function listAt(object: JsonObject, name: string): JsonValue[] {
  const value = object[name]
  return Array.isArray(value) ? value : []
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = object[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
