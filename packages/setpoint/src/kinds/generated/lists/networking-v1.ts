// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const IngressClass: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const Ingress: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['defaultBackend:f', ['resource:a service:f', ['port:a']]]]

export const IPAddress: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const NetworkPolicy: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['podSelector:a']]

export const ServiceCIDR: ListTable = ['metadata:f status:f', metaV1.ObjectMeta, ['conditions:lmap,ktype,pmerge,gtype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  IPAddress,
  Ingress,
  IngressClass,
  NetworkPolicy,
  ServiceCIDR,
}
