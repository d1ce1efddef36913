import { operator, RetryLaterError, type AnyOperator, type ReconcileContext } from 'setpoint'
import { EndpointSlice, Node, Pod, Service } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import { isNamespaceTerminating } from '../pods/pod-control.ts'
import type { PodObject } from '../pods/pod-state.ts'
import {
  endpointOf,
  endpointPorts,
  hasSelectedPods,
  headlessLabel,
  isHeadless,
  isReachable,
  triggerTimeAnnotation,
  type Endpoint,
  type EndpointPort,
  type ServiceObject,
  type SliceObject,
} from './endpoint-rules.ts'
import { selectorPairs, servicesOf } from './service-pods.ts'
import { planSlices, type EndpointGroup, type PlannedSlice } from './slice-plan.ts'
import { TriggerTimes } from './trigger-times.ts'

const nameLabel = 'kubernetes.io/service-name'
const managerLabel = 'endpointslice.kubernetes.io/managed-by'
const manager = 'endpointslice-controller.k8s.io'
const reservedLabels = [nameLabel, managerLabel, headlessLabel]

type SliceContext = ReconcileContext<
  typeof EndpointSlice | typeof Node | typeof Pod | typeof Service,
  typeof EndpointSlice
>

/** Keeps the EndpointSlices of each service up to date. */
export function endpointSliceController(): AnyOperator {
  const triggers = new TriggerTimes()
  return operator(Service, { ...controllerOptions, name: 'endpoint-slice-controller' })
    .index('selector', selectorPairs)
    .owns(EndpointSlice)
    .watch(Node, () => [])
    .watch(Pod, servicesOf)
    .onEvent(async ({ type, object }) => {
      if (type === 'removed') triggers.forget(object.metadata.uid)
    })
    .reconcile(async (service, ctx) => {
      if (!hasSelectedPods(service)) return
      const { namespace } = service.metadata
      const pods = ctx.list(Pod, { namespace, labels: service.spec.selector })
      const time = triggers.next(service, pods)
      const slices = ctx
        .owned(EndpointSlice)
        .filter(({ metadata }) => metadata.labels?.[managerLabel] === manager)
      const families: readonly string[] = service.spec.ipFamilies ?? ['IPv4']
      for (const slice of slices) {
        if (!families.includes(slice.addressType)) await ctx.delete(EndpointSlice, slice)
      }
      const lost = pods.filter((pod) => !hasNode(pod, ctx) && isReachable(pod, true))
      const isStrict = service.spec.publishNotReadyAddresses !== true
      const seen = isStrict ? pods.filter((pod) => !lost.includes(pod)) : pods
      for (const family of families) {
        const existing = slices.filter(({ addressType }) => addressType === family)
        const groups = groupsOf(service, seen, { family, ctx })
        const labels = labelsOf(service)
        const plan = planSlices(
          existing,
          groups,
          ({ metadata }) => !hasLabels(metadata.labels, labels),
        )
        for (const slice of plan.write) await write(slice, { service, family, time, ctx })
        for (const slice of plan.remove) await ctx.delete(EndpointSlice, slice)
      }
      if (lost.length > 0 && isStrict) await recordLost(service, lost, ctx)
    })
}

/** Records an Event for pods whose node is unknown, and retries. They are not endpoints. */
async function recordLost(
  { metadata: { namespace, name } }: ServiceObject,
  lost: readonly PodObject[],
  ctx: SliceContext,
): Promise<never> {
  const service = `Service ${namespace}/${name}`
  const each = lost.map(
    ({ metadata, spec }) =>
      `skipping Pod ${metadata.name} for ${service}: Node ${spec.nodeName ?? ''} Not Found`,
  )
  const details = each.length === 1 ? each.join('') : `[${each.join(', ')}]`
  const message = `Error updating Endpoint Slices for ${service}: ${details}`
  await ctx.recordEvent({ type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
  throw new RetryLaterError(details)
}

function hasNode({ spec }: PodObject, ctx: SliceContext): boolean {
  return spec.nodeName !== undefined && ctx.get(Node, spec.nodeName) !== undefined
}

/** The endpoints of a service, by the ports they have. */
function groupsOf(
  service: ServiceObject,
  pods: readonly PodObject[],
  { family, ctx }: { readonly family: string; readonly ctx: SliceContext },
): EndpointGroup[] {
  const groups: {
    ports: EndpointPort[]
    endpoints: Endpoint[]
  }[] = []
  for (const pod of pods) {
    if (!isReachable(pod, true)) continue
    const ports = endpointPorts(service, pod)
    let group = groups.find((one) => jsonEquals(one.ports, ports))
    if (group === undefined) {
      group = { ports, endpoints: [] }
      groups.push(group)
    }
    const node = pod.spec.nodeName === undefined ? undefined : ctx.get(Node, pod.spec.nodeName)
    const endpoint = endpointOf(service, pod, { node, family })
    if (endpoint.addresses.length > 0) group.endpoints.push(endpoint)
  }
  return groups
}

/** The labels of a slice: those of its service, and the reserved ones. */
function labelsOf(service: ServiceObject): Record<string, string> {
  const own = Object.entries(service.metadata.labels ?? {}).filter(
    ([name]) => !reservedLabels.includes(name),
  )
  return {
    ...Object.fromEntries(own),
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [nameLabel]: service.metadata.name,
    [managerLabel]: manager,
  }
}

/** Whether a slice has the labels of its service. The reserved labels alone cause no write. */
function hasLabels(
  known: Readonly<Record<string, string>> = {},
  desired: Readonly<Record<string, string>>,
): boolean {
  const plain = (labels: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(labels).filter(([name]) => !reservedLabels.includes(name)))
  return jsonEquals(plain(known), plain(desired))
}

interface WriteOptions {
  readonly service: ServiceObject
  readonly family: string
  readonly time: string | undefined
  readonly ctx: SliceContext
}

async function write(
  { existing, ports, endpoints }: PlannedSlice,
  { service, family, time, ctx }: WriteOptions,
): Promise<void> {
  const labels = labelsOf(service)
  const { [triggerTimeAnnotation]: _, ...others } = existing?.metadata.annotations ?? {}
  const annotations = time === undefined ? others : { ...others, [triggerTimeAnnotation]: time }
  const content = { addressType: family, ports, endpoints }
  if (existing !== undefined) {
    const metadata = { ...existing.metadata, labels, annotations }
    await ctx.update(EndpointSlice, { ...existing, ...content, metadata } as SliceObject)
    return
  }
  const metadata = { generateName: `${service.metadata.name}-`, labels, annotations }
  try {
    await ctx.create(EndpointSlice, { metadata, ...content } as never)
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw error
  }
}
