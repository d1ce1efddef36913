import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { readyCondition } from './node-health.ts'

type NodeObject = Frozen<Node>

const excluded = 'node.kubernetes.io/exclude-disruption'
const unhealthyShare = 0.55
const largeZone = 50

/** The time between two nodes of a zone that are emptied: usually, and where most of them fail at once. */
const paceMs = 10_000
const slowPaceMs = 100_000

/** The part of a cluster that a node fails together with. */
export function zoneOf({ metadata: { labels = {} } }: NodeObject): string {
  const [region, zone] = ['region', 'zone'].map(
    (what) =>
      labels[`failure-domain.beta.kubernetes.io/${what}`] ??
      labels[`topology.kubernetes.io/${what}`] ??
      '',
  )
  return `${region}/${zone}`
}

/** Whether no node at all is ready: then it is the control plane that is cut off, and nobody is made to leave. */
export function isCutOff(nodes: readonly NodeObject[]): boolean {
  return watched(nodes).every((node) => !isReady(node))
}

/** How long after one node of a zone the next may be emptied; never where many fail in a small zone. */
export function emptyingPaceMs(zone: string, nodes: readonly NodeObject[]): number {
  const inZone = watched(nodes).filter((node) => zoneOf(node) === zone)
  const failed = inZone.filter((node) => !isReady(node)).length
  const isDisrupted =
    failed < inZone.length && failed > 2 && failed / inZone.length >= unhealthyShare
  if (!isDisrupted) return paceMs
  return inZone.length > largeZone ? slowPaceMs : Infinity
}

function watched(nodes: readonly NodeObject[]): NodeObject[] {
  return nodes.filter(({ metadata }) => metadata.labels?.[excluded] === undefined)
}

function isReady(node: NodeObject): boolean {
  return readyCondition(node)?.status === 'True'
}
