import { operator, type Frozen, type AnyOperator } from 'setpoint'
import { Endpoints, EndpointSlice, Service } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import { isNamespaceTerminating } from '../pods/pod-control.ts'
import { triggerTimeAnnotation, type Endpoint, type SliceObject } from './endpoint-rules.ts'
import { planSlices, type EndpointGroup } from './slice-plan.ts'

type EndpointsObject = Frozen<Endpoints>
type Address = NonNullable<NonNullable<EndpointsObject['subsets']>[number]['addresses']>[number]

const managerLabel = 'endpointslice.kubernetes.io/managed-by'
const manager = 'endpointslicemirroring-controller.k8s.io'
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'
const notCopied = [triggerTimeAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']

/** Mirrors Endpoints that users create by hand to EndpointSlices, which most consumers read. */
export const mirroringController: AnyOperator = operator(Endpoints, {
  ...controllerOptions,
  name: 'endpoint-slice-mirroring-controller',
})
  .owns(EndpointSlice)
  .watch(Service, ({ metadata }) => [`${metadata.namespace}/${metadata.name}`])
  .reconcile(async (endpoints, ctx) => {
    const { namespace, name } = endpoints.metadata
    const existing = ctx.owned(EndpointSlice)
    const service = ctx.get(Service, `${namespace}/${name}`)
    if (service === undefined || service.spec.selector !== undefined || !isMirrored(endpoints)) {
      for (const slice of existing) await ctx.delete(EndpointSlice, slice)
      return
    }
    const { labels, annotations } = copiedFrom(endpoints)
    const isOutdated = ({ metadata }: SliceObject): boolean =>
      !jsonEquals(metadata.labels, labels) || !jsonEquals(metadata.annotations ?? {}, annotations)
    for (const addressType of ['IPv4', 'IPv6'] as const) {
      const slices = existing.filter((slice) => slice.addressType === addressType)
      const groups = groupsOf(endpoints, addressType)
      if (groups.length === 0) {
        for (const slice of slices) await ctx.delete(EndpointSlice, slice)
        continue
      }
      const plan = planSlices(slices, groups, isOutdated)
      for (const { existing: known, ports, endpoints: members } of plan.write) {
        const content = { addressType, ports, endpoints: members }
        if (known !== undefined) {
          const { generateName: _, ...kept } = known.metadata
          const metadata = { ...kept, labels, annotations }
          await ctx.update(EndpointSlice, { ...known, ...content, metadata })
          continue
        }
        const metadata = { generateName: `${name}-`, labels, annotations }
        await unlessTerminating(ctx.create(EndpointSlice, { metadata, ...content }))
      }
      for (const slice of plan.remove) await ctx.delete(EndpointSlice, slice)
    }
  })

/** Whether Endpoints should be mirrored: no skip label, and no leader election lock. */
function isMirrored({ metadata }: EndpointsObject): boolean {
  const { labels = {}, annotations = {} } = metadata
  return labels[skipLabel] !== 'true' && annotations[leaderAnnotation] === undefined
}

function copiedFrom({ metadata }: EndpointsObject): {
  labels: Record<string, string>
  annotations: Record<string, string>
} {
  const { name, labels, annotations = {} } = metadata
  const copied = Object.entries(annotations).filter(([key]) => !notCopied.includes(key))
  return {
    labels: { ...labels, 'kubernetes.io/service-name': name, [managerLabel]: manager },
    annotations: Object.fromEntries(copied),
  }
}

function groupsOf({ subsets }: EndpointsObject, family: string): EndpointGroup[] {
  return (subsets ?? []).flatMap(({ addresses, notReadyAddresses, ports }) => {
    const members = [
      ...(addresses ?? []).map((address) => endpointOf(address, true)),
      ...(notReadyAddresses ?? []).map((address) => endpointOf(address, false)),
    ].filter((endpoint) => endpoint.addresses[0]?.includes(':') === (family === 'IPv6'))
    return members.length === 0 ? [] : [{ ports: ports ?? [], endpoints: members }]
  })
}

function endpointOf({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  }
}

async function unlessTerminating(created: Promise<unknown>): Promise<void> {
  try {
    await created
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw error
  }
}
