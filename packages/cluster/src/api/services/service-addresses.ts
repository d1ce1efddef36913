import type { Random } from 'setpoint/host'
import { fieldError, goQuote, type FieldError, type JsonObject } from 'setpoint/schema'
import { keyOf, nameOf, namespaceOf, pathSegmentProblems } from '../../object/index.ts'
import { internalError, invalidObject, unexpectedError } from '../../status/index.ts'
import type { Store } from '../../store/index.ts'
import { validateCreate } from '../../validation/index.ts'
import {
  chooseFamilies,
  chooseFamilyPolicy,
  keepsFamilies,
  type ServiceFamilies,
} from './service-ip-families.ts'

interface ServicePort {
  nodePort?: number
  port: number
  protocol?: string
}

/** The fields of a service that its addresses depend on. */
interface ServiceSpec extends ServiceFamilies {
  ports?: ServicePort[]
  allocateLoadBalancerNodePorts?: boolean
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
}

const nodePorts = { first: 30_000, last: 32_767 }

/** Allocates the cluster IPs and node ports of services. */
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

  /**
   * Allocates missing addresses and ports, in place, after preparation and before validation.
   * Throws an ApiError when a requested one cannot be allocated: a real server does not validate
   * such a service.
   */
  complete(
    service: JsonObject,
    { old, isDryRun }: { old: JsonObject | undefined; isDryRun: boolean },
  ): void {
    const spec = service['spec'] as unknown as ServiceSpec
    const oldSpec = old?.['spec'] as unknown as ServiceSpec | undefined
    if (old === undefined) listClusterIp(spec)
    if (spec.type === 'ExternalName') return
    const others = this.#others(service)
    // A dry run allocates no address, so a real server does not check whether it is free; ports are
    // checked.
    this.#completeIp(service, oldSpec, { others: isDryRun ? [] : others, isDryRun })
    this.#completePorts(service, oldSpec, usedPorts(others))
  }

  #others(service: JsonObject): ServiceSpec[] {
    const key = keyOf(namespaceOf(service), nameOf(service))
    const specs: ServiceSpec[] = []
    for (const stored of this.#store.list('/services', '')) {
      if (stored.key === key) continue
      specs.push((JSON.parse(`{${stored.text}`) as { spec: ServiceSpec }).spec)
    }
    return specs
  }

  #completeIp(
    service: JsonObject,
    old: ServiceSpec | undefined,
    { others, isDryRun }: { others: readonly ServiceSpec[]; isDryRun: boolean },
  ): void {
    const spec = service['spec'] as unknown as ServiceSpec
    if (keepsFamilies(spec, old)) return
    chooseFamilyPolicy(spec, old)
    refuse(service, addressErrors(service))
    refuse(service, chooseFamilies(spec, old))
    // Validation checks how an address may change later.
    const isDecided = old !== undefined && old.type !== 'ExternalName'
    if (isDecided || spec.clusterIPs?.[0] === 'None') return
    const [requested = ''] = spec.clusterIPs ?? []
    const used = new Set(others.map(({ clusterIP }) => clusterIP))
    const address = requested === '' ? this.#freeAddress(used) : requested
    if (!isDryRun) refuse(service, parentErrors(service, requested, address))
    if (requested === '') {
      spec.clusterIP = address
      spec.clusterIPs = [spec.clusterIP]
      return
    }
    const problem = this.#addressProblem(requested, used)
    if (problem === undefined) return
    const detail = `failed to allocate IP ${requested}: ${problem}`
    refuse(service, [fieldError.invalid('spec.clusterIPs', [...(spec.clusterIPs ?? [])], detail)])
  }

  #addressProblem(address: string, used: ReadonlySet<string | undefined>): string | undefined {
    const isOwn = address.startsWith(`${this.#prefix}.`)
    // The first address of the range is the network's, the last one is the broadcast address.
    if (!isOwn || address.endsWith('.0.0') || address.endsWith('.255.255')) {
      return `the provided network does not match the current range`
    }
    return used.has(address) ? 'provided IP is already allocated' : undefined
  }

  /** The upper part of the range first: the lower part is for addresses that users choose. */
  #freeAddress(used: ReadonlySet<string | undefined>): string {
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const number = 4096 + Math.floor(this.#host.random() * (65_535 - 4096 - 1))
      const address = `${this.#prefix}.${number >> 8}.${number & 255}`
      if (!used.has(address)) return address
    }
    throw new Error('no service addresses are left')
  }

  #completePorts(service: JsonObject, old: ServiceSpec | undefined, used: Set<number>): void {
    const spec = service['spec'] as unknown as ServiceSpec
    if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
      if (old === undefined) this.#newPorts(service, used)
      else this.#changedPorts(service, old, used)
    }
    if (!needsHealthCheck(spec) || (old !== undefined && needsHealthCheck(old))) return
    const requested = spec.healthCheckNodePort ?? 0
    const problem = requested === 0 ? undefined : portProblem(requested, used)
    if (problem !== undefined) {
      throw internalError(
        `failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`,
      )
    }
    if (requested === 0) spec.healthCheckNodePort = this.#freePort(used)
  }

  /** Ports with the same number and different protocols share their node port. */
  #newPorts(service: JsonObject, used: Set<number>): void {
    const spec = service['spec'] as unknown as ServiceSpec
    const ports = spec.ports ?? []
    const shared = new Map<number, number>()
    for (const [index, port] of ports.entries()) {
      const given = port.nodePort ?? 0
      if (given === 0 && spec.allocateLoadBalancerNodePorts === false) continue
      const before = shared.get(port.port)
      if (before !== undefined) {
        if (given === 0) port.nodePort = before
        else if (given !== before) this.#take(service, { index, nodePort: given, used })
        continue
      }
      const requested = ports.find(
        (other) => other.port === port.port && (other.nodePort ?? 0) !== 0,
      )
      port.nodePort = requested?.nodePort ?? this.#freePort(used)
      this.#take(service, { index, nodePort: port.nodePort, used })
      shared.set(port.port, port.nodePort)
    }
  }

  #changedPorts(service: JsonObject, old: ServiceSpec, used: Set<number>): void {
    const spec = service['spec'] as unknown as ServiceSpec
    const own = new Set((old.ports ?? []).map(({ nodePort }) => nodePort))
    const seen = new Set<string>()
    for (const [index, port] of (spec.ports ?? []).entries()) {
      const given = port.nodePort ?? 0
      if (given === 0 && spec.allocateLoadBalancerNodePorts === false) continue
      if (given === 0) {
        port.nodePort = this.#freePort(used)
        used.add(port.nodePort)
      } else if (!own.has(given)) {
        this.#take(service, { index, nodePort: given, used })
        own.add(given)
      }
      const text = `{${port.protocol ?? ''} ${port.nodePort ?? 0}}`
      if (seen.has(text)) throw unexpectedError(`duplicate nodePort: ${text}`)
      seen.add(text)
    }
  }

  #take(
    service: JsonObject,
    { index, nodePort, used }: { index: number; nodePort: number; used: Set<number> },
  ): void {
    const problem = portProblem(nodePort, used)
    if (problem !== undefined) {
      const field = `spec.ports[${index}].nodePort`
      refuse(service, [fieldError.invalid(field, nodePort, problem)])
    }
    used.add(nodePort)
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

function refuse(service: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  throw invalidObject({ group: '', kind: 'Service' }, nameOf(service), errors)
}

const kind = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
}

/** Errors of the fields that are needed here; a real server reports them without other errors. */
function addressErrors(object: JsonObject): FieldError[] {
  return validateCreate({ ...kind, object }).filter(
    ({ field, message }) =>
      /^spec\.(?:clusterIPs|ipFamilies|ipFamilyPolicy)(?:\[|$)/.test(field) &&
      !message.includes('may not be set to'),
  )
}

function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

function usedPorts(specs: readonly ServiceSpec[]): Set<number> {
  const used = new Set<number>()
  for (const { ports, healthCheckNodePort } of specs) {
    for (const { nodePort } of ports ?? []) if (nodePort !== undefined) used.add(nodePort)
    if (healthCheckNodePort !== undefined) used.add(healthCheckNodePort)
  }
  return used
}

function portProblem(port: number, used: ReadonlySet<number>): string | undefined {
  if (port < nodePorts.first || port > nodePorts.last) {
    const range = `${nodePorts.first}-${nodePorts.last}`
    return `provided port is not in the valid range. The range of valid ports is ${range}`
  }
  return used.has(port) ? 'provided port is already allocated' : undefined
}

/** An address is stored as an IPAddress that names its service, which must be possible. */
function parentErrors(service: JsonObject, requested: string, address: string): FieldError[] {
  const name = nameOf(service)
  const field = 'spec.parentRef.name'
  const problems =
    name === ''
      ? [fieldError.required(field)]
      : pathSegmentProblems(name).map((problem) => fieldError.invalid(field, name, problem))
  if (problems.length === 0) return []
  const texts = problems.map(({ message }) => `${field}: ${message}`)
  const all = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const which = requested === '' ? '' : ` ${requested}`
  const detail = `failed to allocate IP${which}: IPAddress.networking.k8s.io ${goQuote(address)} is invalid: ${all}`
  return [fieldError.invalid('spec.clusterIPs', [requested], detail)]
}

/** Lists the address of a new service, because old clients send only `clusterIP`. */
function listClusterIp(spec: ServiceSpec): void {
  const { clusterIP = '', clusterIPs = [] } = spec
  if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP]
}
