import { isSetpointError, operator, type AnyOperator } from 'setpoint'
import type { Forwarder, SocketAddress, Sockets } from 'setpoint/host'
import { EndpointSlice, Service } from 'setpoint/kinds'
import { targetsOf } from './service-targets.ts'

/** An open port of a Service on this machine. */
interface OpenPort {
  readonly forwarder: Forwarder
  targets: readonly SocketAddress[]
}

/** A desired port of a Service. */
interface DesiredPort extends SocketAddress {
  readonly targets: readonly SocketAddress[]
}

const serviceLabel = 'kubernetes.io/service-name'

/** The addresses of a cluster on this machine. */
interface ClusterAddresses {
  /** The beginning of cluster IPs: `127.65.`. */
  readonly prefix: string
  /** The addresses of the nodes, for node ports. */
  readonly nodes: readonly string[]
}

/**
 * Replaces kube-proxy: listens on the cluster IPs and the node ports of this cluster, and forwards
 * connections to the ready endpoints, one after the other. It supports only TCP.
 */
export class ServiceForwarder {
  readonly #sockets: Sockets
  readonly #addresses: ClusterAddresses
  /** The open ports by Service, then by address. */
  readonly #open = new Map<string, Map<string, OpenPort>>()
  #isClosed = false

  constructor(sockets: Sockets, addresses: ClusterAddresses) {
    this.#sockets = sockets
    this.#addresses = addresses
  }

  /** The operator that opens and closes the ports. */
  operator(): AnyOperator {
    return operator(Service, { name: 'process-proxy', failureEvents: false })
      .watch(EndpointSlice, ({ metadata }) => {
        const service = metadata.labels?.[serviceLabel]
        return service === undefined ? [] : [`${metadata.namespace}/${service}`]
      })
      .onEvent(async ({ type, object }) => {
        if (type === 'removed') await this.#openOnly(keyOf(object), [])
      })
      .reconcile(async (service, ctx) => {
        const { namespace, name } = service.metadata
        const slices = ctx.list(EndpointSlice, { namespace, labels: { [serviceLabel]: name } })
        const { clusterIP = '', ports = [] } = service.spec
        const { prefix, nodes } = this.#addresses
        const tcp = ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP')
        const desired = tcp.flatMap(({ port, nodePort = 0, name: portName = '' }) => {
          const targets = targetsOf(slices, portName)
          const own = clusterIP.startsWith(prefix) ? [{ hostname: clusterIP, port, targets }] : []
          const onNodes = nodes.map((hostname) => ({ hostname, port: nodePort, targets }))
          return nodePort === 0 ? own : [...own, ...onNodes]
        })
        const problems = await this.#openOnly(keyOf(service), desired)
        for (const message of problems) {
          await ctx.recordEvent({ type: 'Warning', reason: 'PortNotAvailable', message })
        }
      })
  }

  /** Opens and closes ports as desired. Returns the messages of ports that could not be opened. */
  async #openOnly(key: string, desired: readonly DesiredPort[]): Promise<string[]> {
    const open = this.#open.get(key) ?? new Map<string, OpenPort>()
    this.#open.set(key, open)
    const addresses = new Set(desired.map(addressOf))
    const problems: string[] = []
    for (const [address, { forwarder }] of [...open]) {
      if (addresses.has(address)) continue
      open.delete(address)
      await forwarder.close()
    }
    for (const port of desired) {
      const known = open.get(addressOf(port))
      if (known !== undefined) known.targets = port.targets
      else {
        const opened = await this.#openPort(port)
        if (typeof opened === 'string') problems.push(opened)
        else open.set(addressOf(port), opened)
      }
    }
    if (open.size === 0) this.#open.delete(key)
    return problems
  }

  async #openPort({ targets, ...address }: DesiredPort): Promise<OpenPort | string> {
    if (this.#isClosed) return 'the cluster is stopped'
    let turn = 0
    const current = { targets }
    const next = (): SocketAddress | undefined => {
      turn += 1
      return current.targets[turn % Math.max(current.targets.length, 1)]
    }
    try {
      const forwarder = await this.#sockets.forward(address, next)
      return Object.assign(current, { forwarder })
    } catch (error) {
      if (isSetpointError(error)) return error.message
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#open.values()].flatMap((ports) => [...ports.values()])
    await Promise.all(all.map(({ forwarder }) => forwarder.close()))
  }
}

function keyOf({ metadata }: { readonly metadata: { namespace: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`
}

function addressOf({ hostname, port }: SocketAddress): string {
  return `${hostname}:${port}`
}
