import type { JsonObject } from 'setpoint/schema'
import type { ApiServer, setCondition } from '../../api/index.ts'

/** The part of an APIService's spec that its availability depends on. */
interface ApiServiceSpec {
  readonly service?: {
    readonly namespace?: string
    readonly name?: string
    readonly port?: number | undefined
  }
}

/** The Available condition of an APIService. */
export type Availability = Parameters<typeof setCondition>[2]

/** The condition of API services that this server serves itself. */
export const localAvailability: Availability = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
}

/**
 * The availability of an APIService; `undefined` if only a request to its server could decide it.
 */
export function serviceAvailability(
  { store }: ApiServer,
  { service }: ApiServiceSpec,
): Availability | undefined {
  if (service === undefined) return localAvailability
  const { namespace = '', name = '', port = 443 } = service
  const about = `service/${name} in ${JSON.stringify(namespace)}`
  const stored = store.get('/services', `${namespace}/${name}`)
  if (stored === undefined) return unavailable('ServiceNotFound', `${about} is not present`)
  const { spec } = JSON.parse(`{${stored.text}`) as {
    spec: { type?: string; ports?: { name?: string; port: number }[] }
  }
  if (spec.type !== 'ClusterIP') return undefined
  const found = (spec.ports ?? []).find((candidate) => candidate.port === port)
  if (found === undefined) {
    return unavailable('ServicePortError', `${about} is not listening on port ${port}`)
  }
  const slices = [...store.list('discovery.k8s.io/endpointslices', `${namespace}/`)].filter(
    ({ labels }) => labels?.['kubernetes.io/service-name'] === name,
  )
  if (slices.length === 0) {
    return unavailable('EndpointsNotFound', `cannot find endpointslices for ${about}`)
  }
  const portName = found.name ?? ''
  const isReady = slices.some(({ text }) =>
    hasReady(JSON.parse(`{${text}`) as JsonObject, portName),
  )
  if (isReady) return undefined
  const why = `endpointslices for ${about} have no addresses with port name ${JSON.stringify(portName)}`
  return unavailable('MissingEndpoints', why)
}

/** The condition of an APIService that cannot be used. */
export function unavailable(reason: string, message: string): Availability {
  return { type: 'Available', status: 'False', reason, message }
}

function hasReady(slice: JsonObject, portName: string): boolean {
  const { ports, endpoints } = slice as {
    ports?: { name?: string }[] | null
    endpoints?: { conditions?: { ready?: boolean } }[] | null
  }
  if (!(ports ?? []).some(({ name = '' }) => name === portName)) return false
  return (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false)
}
