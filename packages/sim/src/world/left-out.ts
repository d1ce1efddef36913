import type { LeftOut } from '@setpoint/cluster'

/** What programs hardly ever read. Without it a run costs half as much. */
export const leftOut: readonly LeftOut[] = ['events', 'endpoints', 'heartbeats']

const resources = {
  events: /^(events\.k8s\.io)?\/events$/,
  endpoints: /^\/endpoints$|^discovery\.k8s\.io\/endpointslices$/,
  heartbeats: /^\/nodes$/,
} satisfies Readonly<Record<LeftOut, RegExp>>

/** What can be left out for a program with these reads, such as `list apps/deployments`. */
export function withoutUnread(reads: Iterable<string>): LeftOut[] {
  const buckets = [...reads].map((read) => read.split(' ')[1] ?? '')
  return leftOut.filter((part) => !buckets.some((bucket) => resources[part].test(bucket)))
}
