import type { HttpHandler } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import type { Store } from '../store/index.ts'
import { OutboundError } from './outbound-error.ts'

/** A Service in the configuration of a webhook or of an APIService. */
export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  /** Default 443. */
  readonly port?: number | undefined
  readonly path?: string | undefined
}

/** How the simulated nodes answer requests to a pod; `undefined` if its port is closed. */
type PodServer = (pod: JsonObject, port: number) => HttpHandler | undefined

/** Where a request to a Service goes: to an address of the network, or to a simulated pod. */
type Destination = { readonly origin: string } | { readonly handle: HttpHandler }

interface RouteOptions {
  readonly store: Store
  /** Without it, cluster IPs are addresses of this machine (process nodes). */
  readonly podServer: PodServer | undefined
}

interface ServiceSpec {
  readonly type?: string
  readonly clusterIP?: string
  readonly externalName?: string
  readonly ports?: readonly { readonly name?: string; readonly port: number }[]
}

interface Slice {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[]
        readonly conditions?: { readonly ready?: boolean }
        readonly targetRef?: { readonly kind?: string; readonly name?: string }
      }[]
    | null
}

const portDefault = 443

/** Finds the servers behind Services, as the network of a cluster does. */
export class ServiceRoutes {
  readonly #options: RouteOptions
  readonly #forwarded = new Map<string, string>()
  #turn = 0

  constructor(options: RouteOptions) {
    this.#options = options
  }

  /**
   * Sends requests for a Service (`namespace/name`) to this origin instead of its pods: to a server
   * of this process or machine. Disposing the returned value ends it.
   */
  forward(service: string, origin: string): Disposable {
    this.#forwarded.set(service, origin.replace(/\/$/, ''))
    return { [Symbol.dispose]: () => void this.#forwarded.delete(service) }
  }

  /** Whether requests for a Service (`namespace/name`) do not go to its pods. */
  isForwarded(service: string): boolean {
    return this.#forwarded.has(service)
  }

  /** The URL of a Service in messages; throws an `OutboundError` if it has none. */
  origin(service: ServiceReference): string {
    const forwarded = this.#forwarded.get(`${service.namespace}/${service.name}`)
    return forwarded ?? this.#address(service).origin
  }

  /** The destination of a request to a Service; throws an `OutboundError` if it has none. */
  resolve(service: ServiceReference): Destination {
    const { namespace, name } = service
    const forwarded = this.#forwarded.get(`${namespace}/${name}`)
    if (forwarded !== undefined) return { origin: forwarded }
    const { origin, portName } = this.#address(service)
    const { podServer } = this.#options
    if (podServer === undefined || portName === undefined) return { origin }
    const servers = this.#servers({ namespace, name }, portName, podServer)
    const server = servers[this.#turn++ % Math.max(servers.length, 1)]
    if (server !== undefined) return server
    const address = origin.slice('https://'.length)
    throw new OutboundError(`dial tcp ${address}: connect: connection refused`)
  }

  /** The address of a Service; the name of the port if its endpoints serve it. */
  #address({ namespace, name, port = portDefault }: ServiceReference): {
    readonly origin: string
    readonly portName?: string
  } {
    const stored = this.#options.store.get('/services', `${namespace}/${name}`)
    if (stored === undefined) throw new OutboundError(`service "${name}" not found`)
    const { spec } = JSON.parse(`{${stored.text}`) as { spec: ServiceSpec }
    const { type = 'ClusterIP', clusterIP = '', externalName = '' } = spec
    if (type === 'ExternalName') return { origin: `https://${externalName}:${port}` }
    if (clusterIP === '' || clusterIP === 'None') {
      throw new OutboundError('cannot route to service with ClusterIP "None"')
    }
    const found = spec.ports?.find((candidate) => candidate.port === port)
    if (found === undefined) {
      throw new OutboundError(`no service port ${port} found for service "${name}"`)
    }
    return { origin: `https://${clusterIP}:${port}`, portName: found.name ?? '' }
  }

  #servers(
    { namespace, name }: Pick<ServiceReference, 'namespace' | 'name'>,
    portName: string,
    podServer: PodServer,
  ): Destination[] {
    const { store } = this.#options
    const slices = [...store.list('discovery.k8s.io/endpointslices', `${namespace}/`)]
      .filter(({ labels }) => labels?.['kubernetes.io/service-name'] === name)
      .map(({ text }) => JSON.parse(`{${text}`) as Slice)
    return slices.flatMap(({ ports, endpoints }) => {
      const port = ports?.find((candidate) => (candidate.name ?? '') === portName)?.port
      if (port === undefined) return []
      const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false)
      return ready.flatMap(({ targetRef, addresses }): Destination[] => {
        if (targetRef?.kind !== 'Pod') {
          return addresses.map((address) => ({ origin: `https://${address}:${port}` }))
        }
        const pod = store.get('/pods', `${namespace}/${targetRef.name ?? ''}`)
        const handle = pod && podServer(JSON.parse(`{${pod.text}`) as JsonObject, port)
        return handle === undefined ? [] : [{ handle }]
      })
    })
  }
}
