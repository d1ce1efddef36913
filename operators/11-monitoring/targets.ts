import type { CacheView, Frozen } from 'setpoint'
import { EndpointSlice, Pod, Service, selects } from 'setpoint/kinds'
import type { PodMonitor } from './kinds/pod-monitor.ts'
import type { ServiceMonitor } from './kinds/service-monitor.ts'
import { namespacesOf, type Stack } from './monitoring-stack.ts'

type Monitor = Frozen<ServiceMonitor> | Frozen<PodMonitor>
/** The kinds from which targets follow. */
export type TargetView = CacheView<typeof Service | typeof EndpointSlice | typeof Pod>

/** Some addresses with their labels, as in the files that Prometheus reads. */
export interface TargetGroup {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/** The namespaces that both the monitor and the stack select. */
export function targetNamespaces(stack: Stack, { metadata, spec }: Monitor): readonly string[] {
  const { any = false, matchNames = [] } = spec.namespaceSelector ?? {}
  const wanted = matchNames.length === 0 ? [metadata.namespace] : matchNames
  return namespacesOf(stack).filter((namespace) => any || wanted.includes(namespace))
}

/**
 * The targets of a port of a ServiceMonitor: the endpoints of the selected Services. Endpoints that
 * are not ready are scraped too: a pod that does not answer must be seen. Terminating ones are not.
 */
export function serviceTargets(
  stack: Stack,
  { monitor, port }: { readonly monitor: Frozen<ServiceMonitor>; readonly port: string },
  { list }: TargetView,
): TargetGroup[] {
  const { selector, jobLabel } = monitor.spec
  const targetsOf = ({ metadata }: Frozen<Service>): TargetGroup[] => {
    const { name: service, namespace } = metadata
    const labels = { 'kubernetes.io/service-name': service }
    const job = labelValue(metadata.labels, jobLabel) ?? service
    return list(EndpointSlice, { namespace, labels }).flatMap(({ endpoints, ports }) => {
      const number = ports?.find(({ name }) => name === port)?.port
      if (number === undefined) return []
      return (endpoints ?? [])
        .filter(({ conditions }) => conditions?.terminating !== true)
        .map(({ addresses, targetRef }) => ({
          targets: addresses.slice(0, 1).map((address) => hostPort(address, number)),
          labels: {
            job,
            namespace,
            service,
            endpoint: port,
            ...(targetRef?.kind === 'Pod' ? { pod: targetRef.name ?? '' } : {}),
          },
        }))
    })
  }
  return targetNamespaces(stack, monitor)
    .flatMap((namespace) => list(Service, { namespace }))
    .filter(({ metadata }) => selects(selector, metadata.labels))
    .flatMap(targetsOf)
    .sort(byTarget)
}

/** The targets of a port of a PodMonitor: the selected pods that have an address. */
export function podTargets(
  stack: Stack,
  { monitor, port }: { readonly monitor: Frozen<PodMonitor>; readonly port: string },
  { list }: TargetView,
): TargetGroup[] {
  const { selector, jobLabel } = monitor.spec
  return targetNamespaces(stack, monitor)
    .flatMap((namespace) => list(Pod, { namespace }))
    .filter(({ metadata, status }) => {
      const hasEnded = status?.phase === 'Failed' || status?.phase === 'Succeeded'
      const isDeleted = metadata.deletionTimestamp !== undefined
      return !hasEnded && !isDeleted && selects(selector, metadata.labels)
    })
    .flatMap(({ metadata, spec, status }) => {
      const { name: pod, namespace } = metadata
      const job = labelValue(metadata.labels, jobLabel) ?? keyOf(monitor)
      return spec.containers.flatMap(({ name: container, ports = [] }) =>
        ports
          .filter(({ name }) => name === port && status?.podIP !== undefined)
          .map(({ containerPort }) => ({
            targets: [hostPort(status?.podIP ?? '', containerPort)],
            labels: { job, namespace, pod, container, endpoint: port },
          })),
      )
    })
    .sort(byTarget)
}

function labelValue(
  labels: Readonly<Record<string, string>> | undefined,
  name: string | undefined,
): string | undefined {
  return name === undefined ? undefined : labels?.[name]
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

function keyOf({ metadata }: Monitor): string {
  return `${metadata.namespace}/${metadata.name}`
}

function byTarget(left: TargetGroup, right: TargetGroup): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}
