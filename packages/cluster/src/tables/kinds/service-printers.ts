import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { labelsText } from '../label-text.ts'
import { loadBalancerAddresses, type LoadBalancerStatus } from '../load-balancer.ts'
import type { CellPrinters } from '../row-printer.ts'

export const servicePrinters: CellPrinters = { '/services': serviceCells }

interface Service {
  readonly spec?: {
    readonly type?: string
    readonly clusterIPs?: readonly string[]
    readonly externalIPs?: readonly string[]
    readonly externalName?: string
    readonly selector?: Readonly<Record<string, string>>
    readonly ports?: readonly {
      readonly port: number
      readonly nodePort?: number
      readonly protocol?: string
    }[]
  }
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus }
}

function serviceCells(object: JsonObject, nowMs: number): JsonValue[] {
  const service = object as unknown as Service
  const { spec } = service
  return [
    nameOf(object),
    spec?.type ?? '',
    spec?.clusterIPs?.[0] ?? '<none>',
    externalAddress(service),
    servicePorts(service),
    ageOf(object, nowMs),
    labelsText(spec?.selector),
  ]
}

function externalAddress({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? []
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length === 0 ? '<none>' : external.join(',')
    case 'LoadBalancer': {
      const addresses = [...loadBalancerAddresses(status?.loadBalancer), ...external]
      return addresses.length === 0 ? '<pending>' : addresses.join(',')
    }
    case 'ExternalName':
      return spec.externalName ?? ''
    default:
      return '<unknown>'
  }
}

function servicePorts({ spec }: Service): string {
  const ports = spec?.ports ?? []
  if (ports.length === 0) return '<none>'
  return ports
    .map(({ port, nodePort = 0, protocol = '' }) =>
      nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    )
    .join(',')
}
