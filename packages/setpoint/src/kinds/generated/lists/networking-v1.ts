// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const IngressClass: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const IngressServiceBackend: ListTypes = {
  port: { atomic: true },
}

export const IngressBackend: ListTypes = {
  resource: { atomic: true },
  service: { fields: IngressServiceBackend },
}

export const IngressSpec: ListTypes = {
  defaultBackend: { fields: IngressBackend },
}

export const Ingress: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: IngressSpec },
}

export const IPAddress: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const NetworkPolicySpec: ListTypes = {
  podSelector: { atomic: true },
}

export const NetworkPolicy: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: NetworkPolicySpec },
}

export const ServiceCIDRStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const ServiceCIDR: ListTypes = {
  metadata: { fields: ObjectMeta },
  status: { fields: ServiceCIDRStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  IPAddress,
  Ingress,
  IngressClass,
  NetworkPolicy,
  ServiceCIDR,
}
