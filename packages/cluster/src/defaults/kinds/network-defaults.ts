import type {
  DiscoveryEndpointPort,
  IngressClass,
  NetworkPolicy,
  NetworkPolicyPort,
} from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

function fillNetworkPolicy({ spec }: NetworkPolicy): void {
  if ((spec.policyTypes?.length ?? 0) > 0) return
  const hasEgress = (spec.egress?.length ?? 0) > 0
  spec.policyTypes = hasEgress ? ['Ingress', 'Egress'] : ['Ingress']
}

/** The groups networking.k8s.io and discovery.k8s.io. */
export const networkDefaults: TypeDefaults = {
  ...inPackage('k8s.io.api.networking.v1', {
    NetworkPolicy: typed<NetworkPolicy>(fillNetworkPolicy),
    NetworkPolicyPort: typed<NetworkPolicyPort>((port) => {
      port.protocol ??= 'TCP'
    }),
    IngressClass: typed<IngressClass>(({ spec }) => {
      if (spec.parameters !== undefined) spec.parameters.scope ??= 'Cluster'
    }),
  }),
  ...inPackage('k8s.io.api.discovery.v1', {
    EndpointPort: typed<DiscoveryEndpointPort>((port) => {
      port.name ??= ''
      port.protocol ??= 'TCP'
    }),
  }),
}
