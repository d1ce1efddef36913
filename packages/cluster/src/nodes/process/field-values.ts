import { ownValue } from '../../object/index.ts'
import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { MissingSource } from './pod-sources.ts'

/** A pod with the addresses that it will have when its containers start. */
export interface PodFacts {
  readonly pod: PodView
  readonly podIP: string
  readonly hostIP: string
}

/** The value of a downward API field. */
export function fieldValue({ pod, podIP, hostIP }: PodFacts, path: string): string {
  const { metadata, spec } = pod
  const keyed = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path)
  if (keyed !== null) {
    return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? ''
  }
  const values: Readonly<Record<string, () => string | undefined>> = {
    'metadata.name': () => metadata.name,
    'metadata.namespace': () => metadata.namespace,
    'metadata.uid': () => metadata.uid,
    'metadata.labels': () => listed(metadata.labels),
    'metadata.annotations': () => listed(metadata.annotations),
    'spec.nodeName': () => spec.nodeName,
    'spec.serviceAccountName': () => spec.serviceAccountName,
    'status.podIP': () => podIP,
    'status.podIPs': () => podIP,
    'status.hostIP': () => hostIP,
    'status.hostIPs': () => hostIP,
  }
  const value = Object.hasOwn(values, path) ? values[path] : undefined
  if (value === undefined) throw new MissingSource(`unsupported fieldPath: ${path}`)
  return value() ?? ''
}

/** A request or limit of a container, in units of the divisor, rounded up. */
export function resourceValue(
  container: Frozen<Container>,
  { resource, divisor = '0' }: { readonly resource: string; readonly divisor?: string },
): string {
  const match = /^(limits|requests)\.(.+)$/.exec(resource)
  if (match === null) throw new MissingSource(`unsupported container resource : ${resource}`)
  const [, kind, name = ''] = match
  const { limits = {}, requests = {} } = container.resources ?? {}
  const amount =
    ownValue(kind === 'limits' ? limits : requests, name) ?? ownValue(limits, name) ?? '0'
  const unit = ['0', ''].includes(divisor) ? '1' : divisor
  const [whole, part] = [thousandths(amount), thousandths(unit)]
  return ((whole + part - 1n) / part).toString()
}

/** Labels or annotations in the format of downward API files: one per line. */
function listed(values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n')
}

function thousandths(text: string): bigint {
  return parseQuantity(text).scaledValue(-3)
}
