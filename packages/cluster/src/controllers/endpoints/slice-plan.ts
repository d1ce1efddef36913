import { jsonEquals } from 'setpoint/schema'
import type { Endpoint, EndpointPort, SliceObject } from './endpoint-rules.ts'

/** Endpoints with the same ports. They share slices. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

/** A desired slice; without `existing` it is created. */
export interface PlannedSlice {
  readonly existing: SliceObject | undefined
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

/** The writes for the slices of one IP family. */
interface SlicePlan {
  readonly write: readonly PlannedSlice[]
  readonly remove: readonly SliceObject[]
}

/** The maximum number of endpoints in a slice. */
const endpointsMax = 100

/**
 * Distributes endpoints to slices with as few writes as possible. Correct endpoints stay in their
 * slice. New ones fill slices that change anyway, then one slice with enough room, then new slices.
 * A service always has at least one slice.
 */
export function planSlices(
  existing: readonly SliceObject[],
  groups: readonly EndpointGroup[],
  isOutdated: (slice: SliceObject) => boolean,
): SlicePlan {
  const write: PlannedSlice[] = []
  const unused = new Set(existing)
  const desired: PlannedSlice[] = []
  for (const { ports, endpoints } of groups) {
    const slices = existing.filter((slice) => jsonEquals(slice.ports ?? [], ports))
    for (const slice of slices) unused.delete(slice)
    const planned = planGroup(slices, { ports, endpoints })
    for (const slice of planned) {
      if (slice.endpoints.length > 0) desired.push(slice)
      else if (slice.existing !== undefined) unused.add(slice.existing)
    }
  }
  // Slices that would be deleted are reused before new ones are created.
  const spare = [...unused]
  if (desired.length === 0)
    desired.push({ existing: placeholderAmong(spare), ports: [], endpoints: [] })
  for (const slice of desired) {
    const { ports, endpoints } = slice
    const known = slice.existing ?? spare.shift()
    if (known !== undefined) remove(spare, known)
    const isSame =
      known !== undefined &&
      !isOutdated(known) &&
      jsonEquals(known.endpoints ?? [], endpoints) &&
      jsonEquals(known.ports ?? [], ports)
    if (!isSame) write.push({ existing: known, ports, endpoints })
  }
  return { write, remove: spare }
}

function planGroup(
  slices: readonly SliceObject[],
  { ports, endpoints }: EndpointGroup,
): PlannedSlice[] {
  const left = new Map(endpoints.map((endpoint) => [endpointId(endpoint), endpoint]))
  const kept: (PlannedSlice & { endpoints: Endpoint[] })[] = slices.map((slice) => {
    const found = (slice.endpoints ?? []).flatMap(
      (endpoint) => left.get(endpointId(endpoint)) ?? [],
    )
    for (const endpoint of found) left.delete(endpointId(endpoint))
    return { existing: slice, ports, endpoints: found }
  })
  const fill = (slice: PlannedSlice & { endpoints: Endpoint[] }): void => {
    for (const [id, endpoint] of left) {
      if (slice.endpoints.length >= endpointsMax) return
      slice.endpoints.push(endpoint)
      left.delete(id)
    }
  }
  const changes = ({ existing, endpoints: now }: PlannedSlice): boolean =>
    now.length > 0 && !jsonEquals(existing?.endpoints ?? [], now)
  for (const slice of kept
    .filter(changes)
    .sort((a, b) => b.endpoints.length - a.endpoints.length)) {
    fill(slice)
  }
  const withRoom = kept
    .filter((slice) => !changes(slice) && slice.endpoints.length + left.size <= endpointsMax)
    .filter((slice) => slice.endpoints.length > 0)
    .sort((a, b) => b.endpoints.length - a.endpoints.length)
  if (left.size > 0 && withRoom[0] !== undefined) fill(withRoom[0])
  while (left.size > 0) {
    const slice = { existing: undefined, ports, endpoints: [] as Endpoint[] }
    fill(slice)
    kept.push(slice)
  }
  return kept
}

function placeholderAmong(slices: readonly SliceObject[]): SliceObject | undefined {
  return slices.find(
    ({ endpoints, ports }) => (endpoints ?? []).length === 0 && (ports ?? []).length === 0,
  )
}

/** The identity of an endpoint, independent of its conditions. */
function endpointId({ addresses, hostname, nodeName, targetRef }: Endpoint): string {
  return JSON.stringify([[...addresses].sort(), hostname, nodeName, targetRef?.uid])
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
