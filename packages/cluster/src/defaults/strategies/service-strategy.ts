import type { JsonObject } from 'setpoint/schema'
import type { Service, ServiceSpec } from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { isExternallyAccessible } from '../kinds/service-defaults.ts'
import type { ChangedObject, Strategy } from './strategy.ts'
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

/** Fields that only some types of services have, each with a test for these types. */
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

function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

function hasNewNodePorts(spec: ServiceSpec, before: ServiceSpec): boolean {
  const known = new Set(itemsOf(before.ports).map(({ nodePort = 0 }) => nodePort))
  return itemsOf(spec.ports).some(({ nodePort = 0 }) => nodePort !== 0 && !known.has(nodePort))
}

/**
 * Keeps `clusterIP` and `clusterIPs` equal; `clusterIP` wins because old clients send only that.
 */
function alignClusterIps(spec: ServiceSpec, before: ServiceSpec): void {
  const given = spec.clusterIP ?? ''
  const isListed = (spec.clusterIPs ?? []).length > 0
  const isSame = given === (before.clusterIP ?? '')
  if (!isListed && isSame && before.clusterIPs !== undefined) {
    spec.clusterIPs = [...before.clusterIPs]
  } else if (!isSame && same(spec, before, ['clusterIPs'])) {
    if (given === '') delete spec.clusterIPs
    else spec.clusterIPs = [given]
  }
}

/** An update that omits allocated addresses and ports keeps them. */
function keepAllocated(spec: ServiceSpec, before: ServiceSpec): void {
  if (usesClusterIp(before) && usesClusterIp(spec)) {
    if ((spec.clusterIP ?? '') === '' && before.clusterIP !== undefined) {
      spec.clusterIP = before.clusterIP
    }
    if ((spec.clusterIPs ?? []).length === 0 && before.clusterIPs !== undefined) {
      spec.clusterIPs = [...before.clusterIPs]
    }
  }
  if (usesNodePorts(before) && usesNodePorts(spec)) keepNodePorts(spec, before)
  if (usesHealthCheckPort(before) && usesHealthCheckPort(spec)) {
    if (before.healthCheckNodePort !== undefined) {
      spec.healthCheckNodePort ||= before.healthCheckNodePort
    }
  }
}

function keepNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  const claimed = new Set(itemsOf(spec.ports).map(({ nodePort }) => nodePort))
  const byName = new Map(itemsOf(before.ports).map(({ name, nodePort }) => [name ?? '', nodePort]))
  for (const port of itemsOf(spec.ports)) {
    const kept = byName.get(port.name ?? '')
    if ((port.nodePort ?? 0) === 0 && kept !== undefined && !claimed.has(kept)) {
      port.nodePort = kept
    }
  }
}

/** ExternalName services have no traffic policy; validation refuses an invalid one. */
function dropIdlePolicy(spec: ServiceSpec): void {
  const isKnown = ['Cluster', 'Local'].includes(spec.internalTrafficPolicy ?? '')
  if (spec.type === 'ExternalName' && isKnown) delete spec.internalTrafficPolicy
}

/**
 * A change of type removes the fields that only the old type has, unless the client changed them
 * too (then validation refuses them).
 */
function dropFieldsOfOldType({ object, old }: ChangedObject): void {
  const { spec, status } = object as unknown as Service
  const { spec: before } = old as unknown as Service
  for (const [uses, keys] of dependentFields) {
    if (!uses(before) || uses(spec) || !same(spec, before, keys)) continue
    for (const key of keys) Reflect.deleteProperty(spec, key)
  }
  if (mayHaveNodePorts(before) && !mayHaveNodePorts(spec) && !hasNewNodePorts(spec, before)) {
    for (const port of spec.ports ?? []) delete port.nodePort
  }
  if (spec.type !== 'LoadBalancer' && status !== undefined) status.loadBalancer = {}
}

/** Services; addresses and node ports are allocated elsewhere. */
export const serviceStrategy: Strategy = {
  status: 'wiped',
  emptyStatus: () => ({ loadBalancer: {} }),
  onCreate: ({ object }) => {
    const { spec } = object as unknown as Service
    dropIdlePolicy(spec)
  },
  onUpdate: (changed) => {
    const { spec } = changed.object as unknown as Service
    const { spec: before } = changed.old as unknown as Service
    keepAllocated(spec, before)
    alignClusterIps(spec, before)
    dropFieldsOfOldType(changed)
    dropIdlePolicy(spec)
  },
}
