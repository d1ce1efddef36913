import type { JsonObject } from 'setpoint/schema'
import type { Service, ServiceSpec } from 'setpoint/kinds'
import { isExternallyAccessible } from '../kinds/service.ts'
import type { ChangedObject, Preparation } from './preparation.ts'
import { semanticEquals } from './semantic-equals.ts'

function usesClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName'
}

function usesNodePorts({ type, allocateLoadBalancerNodePorts: allocates }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocates !== false)
}

function usesHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

function isLoadBalancer({ type }: ServiceSpec): boolean {
  return type === 'LoadBalancer'
}

type Key = keyof ServiceSpec

/** Fields that only some types of services have, and how to tell those. */
const dependentFields: readonly (readonly [(spec: ServiceSpec) => boolean, readonly Key[]])[] = [
  [usesClusterIp, ['clusterIP', 'clusterIPs']],
  [usesClusterIp, ['ipFamilies']],
  [usesClusterIp, ['ipFamilyPolicy']],
  [usesHealthCheckPort, ['healthCheckNodePort']],
  [isLoadBalancer, ['allocateLoadBalancerNodePorts']],
  [isLoadBalancer, ['loadBalancerClass']],
  [isExternallyAccessible, ['externalTrafficPolicy']],
]

function same(a: ServiceSpec, b: ServiceSpec, keys: readonly Key[]): boolean {
  return keys.every((key) => semanticEquals((a as JsonObject)[key], (b as JsonObject)[key]))
}

function samePorts(a: ServiceSpec, b: ServiceSpec): boolean {
  const portsOf = (spec: ServiceSpec): number[] =>
    (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort).filter((port) => port !== 0)
  const before = new Set(portsOf(b))
  const now = portsOf(a)
  return now.length === before.size && now.every((port) => before.has(port))
}

/**
 * A service that changes its type loses what only the old type had, unless its author changed that
 * too (then validation complains).
 */
function dropFieldsOfOldType({ object, old }: ChangedObject): void {
  const { spec, status } = object as unknown as Service
  const { spec: before } = old as unknown as Service
  for (const [uses, keys] of dependentFields) {
    if (!uses(before) || uses(spec) || !same(spec, before, keys)) continue
    for (const key of keys) Reflect.deleteProperty(spec, key)
  }
  if (usesNodePorts(before) && !usesNodePorts(spec) && samePorts(spec, before)) {
    for (const port of spec.ports ?? []) delete port.nodePort
  }
  if (spec.type !== 'LoadBalancer' && status !== undefined) status.loadBalancer = {}
}

/** Services; addresses and node ports are handed out elsewhere. */
export const servicePreparation: Preparation = {
  status: 'wiped',
  emptyStatus: () => ({ loadBalancer: {} }),
  onUpdate: dropFieldsOfOldType,
}
