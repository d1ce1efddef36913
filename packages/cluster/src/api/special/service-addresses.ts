import type { Random } from 'setpoint/host'
import { fieldError, type FieldError, type JsonObject } from 'setpoint/schema'
import type { Store } from '../../store/index.ts'

interface ServicePort {
  nodePort?: number
  port: number
  protocol?: string
}

/** The parts of a service that addresses are about. */
interface ServiceSpec {
  type?: string
  clusterIP?: string
  clusterIPs?: string[]
  ipFamilies?: string[]
  ipFamilyPolicy?: string
  selector?: Record<string, string>
  ports?: ServicePort[]
  allocateLoadBalancerNodePorts?: boolean
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
}

const nodePorts = { first: 30_000, last: 32_767 }

/** The addresses of services: taken from a range, given back when the service goes. */
export class ServiceAddresses {
  readonly #store: Store
  readonly #host: Random
  /** The first two bytes of a /16 range. */
  readonly #prefix: string

  constructor(store: Store, host: Random, range = '10.96.0.0/16') {
    this.#store = store
    this.#host = host
    const match = /^(\d+\.\d+)\.0\.0\/16$/.exec(range)
    if (match === null) throw new Error(`the service range must be a /16 network, not ${range}`)
    this.#prefix = match[1] ?? ''
  }

  /** Gives a service what it needs and lacks; the problems when it asks for what it cannot have. */
  complete(service: JsonObject, old: JsonObject | undefined): FieldError[] {
    const spec = service['spec'] as unknown as ServiceSpec
    const oldSpec = old?.['spec'] as unknown as ServiceSpec | undefined
    if (spec.type === 'ExternalName') return []
    const others = this.#others(service)
    const errors = this.#completeIp(spec, oldSpec, others)
    if (errors.length > 0) return errors
    return this.#completePorts(spec, oldSpec, others)
  }

  #others(service: JsonObject): ServiceSpec[] {
    const { namespace = '', name = '' } = service['metadata'] as {
      namespace?: string
      name?: string
    }
    const specs: ServiceSpec[] = []
    for (const stored of this.#store.list('/services', '')) {
      if (stored.key === `${namespace}/${name}`) continue
      specs.push((JSON.parse(`{${stored.text}`) as { spec: ServiceSpec }).spec)
    }
    return specs
  }

  #completeIp(
    spec: ServiceSpec,
    old: ServiceSpec | undefined,
    others: readonly ServiceSpec[],
  ): FieldError[] {
    const isHeadless = spec.clusterIP === 'None'
    const isBare = isHeadless && Object.keys(spec.selector ?? {}).length === 0
    spec.ipFamilyPolicy ??= isBare ? 'RequireDualStack' : 'SingleStack'
    spec.ipFamilies ??=
      isBare && spec.ipFamilyPolicy !== 'SingleStack' ? ['IPv4', 'IPv6'] : ['IPv4']
    if (isHeadless) {
      spec.clusterIPs ??= ['None']
      return []
    }
    const wanted = spec.clusterIP ?? ''
    const used = new Set(others.map(({ clusterIP }) => clusterIP))
    if (wanted === '') {
      const address = this.#freeAddress(used)
      spec.clusterIP = address
      spec.clusterIPs = [address]
      return []
    }
    spec.clusterIPs ??= [wanted]
    if (wanted === old?.clusterIP) return []
    const problem = this.#addressProblem(wanted, used)
    if (problem === undefined) return []
    const detail = `failed to allocate IP ${wanted}: ${problem}`
    return [fieldError.invalid('spec.clusterIPs', [...spec.clusterIPs], detail)]
  }

  #addressProblem(address: string, used: ReadonlySet<string | undefined>): string | undefined {
    if (!address.startsWith(`${this.#prefix}.`)) {
      return `the provided network does not match the current range`
    }
    return used.has(address) ? 'provided IP is already allocated' : undefined
  }

  /** The upper part of the range first: the lower one is for people who choose addresses by hand. */
  #freeAddress(used: ReadonlySet<string | undefined>): string {
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const number = 4096 + Math.floor(this.#host.random() * (65_535 - 4096 - 1))
      const address = `${this.#prefix}.${number >> 8}.${number & 255}`
      if (!used.has(address)) return address
    }
    throw new Error('no service addresses are left')
  }

  #completePorts(
    spec: ServiceSpec,
    old: ServiceSpec | undefined,
    others: readonly ServiceSpec[],
  ): FieldError[] {
    const isLoadBalancer = spec.type === 'LoadBalancer'
    const needsPorts =
      spec.type === 'NodePort' || (isLoadBalancer && spec.allocateLoadBalancerNodePorts !== false)
    const used = usedPorts(others)
    const errors: FieldError[] = []
    for (const [index, port] of (spec.ports ?? []).entries()) {
      if (port.nodePort === undefined || port.nodePort === 0) {
        const kept = old?.ports?.find(
          (before) => before.port === port.port && before.protocol === port.protocol,
        )?.nodePort
        if (needsPorts) port.nodePort = kept ?? this.#freePort(used)
      } else if (!isOwn(old, port.nodePort)) {
        errors.push(...portProblems(`spec.ports[${index}].nodePort`, port.nodePort, used))
      }
      if (port.nodePort !== undefined) used.add(port.nodePort)
    }
    if (isLoadBalancer && spec.externalTrafficPolicy === 'Local') {
      spec.healthCheckNodePort ??= old?.healthCheckNodePort ?? this.#freePort(used)
    }
    return errors
  }

  #freePort(used: ReadonlySet<number>): number {
    const count = nodePorts.last - nodePorts.first + 1
    for (let attempt = 0; attempt < 10_000; attempt += 1) {
      const port = nodePorts.first + Math.floor(this.#host.random() * count)
      if (!used.has(port)) return port
    }
    throw new Error('no node ports are left')
  }
}

function usedPorts(specs: readonly ServiceSpec[]): Set<number> {
  const used = new Set<number>()
  for (const { ports, healthCheckNodePort } of specs) {
    for (const { nodePort } of ports ?? []) if (nodePort !== undefined) used.add(nodePort)
    if (healthCheckNodePort !== undefined) used.add(healthCheckNodePort)
  }
  return used
}

function isOwn(old: ServiceSpec | undefined, port: number): boolean {
  return old?.ports?.some(({ nodePort }) => nodePort === port) ?? false
}

function portProblems(field: string, port: number, used: ReadonlySet<number>): FieldError[] {
  if (port < nodePorts.first || port > nodePorts.last) {
    const range = `${nodePorts.first}-${nodePorts.last}`
    const detail = `provided port is not in the valid range. The range of valid ports is ${range}`
    return [fieldError.invalid(field, port, detail)]
  }
  return used.has(port)
    ? [fieldError.invalid(field, port, 'provided port is already allocated')]
    : []
}
