import type { Service, ServiceSpec } from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

/** Three hours, the default timeout of session affinity. */
const stickySeconds = 10_800

function fillSessionAffinity(spec: ServiceSpec): void {
  spec.sessionAffinity ??= 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  else if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: stickySeconds } }
  }
}

/** Whether a service accepts traffic from outside of the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true
  return spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0
}

const hasClusterTraffic = new Set(['ClusterIP', 'NodePort', 'LoadBalancer'])

function fillService({ spec, status }: Service): void {
  fillSessionAffinity(spec)
  spec.type ??= 'ClusterIP'
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP'
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
      port.targetPort = port.port
    }
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ??= 'Cluster'
  if (hasClusterTraffic.has(spec.type)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type !== 'LoadBalancer') return
  spec.allocateLoadBalancerNodePorts ??= true
  for (const ingress of status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip !== undefined) ingress.ipMode ??= 'VIP'
  }
}

/** Services; addresses and node ports are allocated elsewhere. */
export const serviceDefaults: TypeDefaults = inPackage('k8s.io.api.core.v1', {
  Service: typed<Service>(fillService),
})
