import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { readyCondition } from './node-health.ts'

type NodeObject = Frozen<Node>

const excluded = 'node.kubernetes.io/exclude-disruption'
const unhealthyShare = 0.55
const largeZone = 50

/**
 * The interval between evictions of two nodes of a zone: the default, and the one when most of a
 * large zone fails.
 */
const paceMs = 10_000
const slowPaceMs = 100_000

/** The failure domain of a node. */
export function zoneOf({ metadata: { labels = {} } }: NodeObject): string {
  const [region, zone] = ['region', 'zone'].map(
    (what) =>
      labels[`failure-domain.beta.kubernetes.io/${what}`] ??
      labels[`topology.kubernetes.io/${what}`] ??
      '',
  )
  return `${region}/${zone}`
}

/**
 * Whether no node is ready at all: then the control plane itself is probably disconnected, and no
 * pods are evicted.
 */
export function areAllUnready(nodes: readonly NodeObject[]): boolean {
  return watched(nodes).every((node) => !isReady(node))
}

/**
 * The interval between evictions of two nodes of a zone; Infinity if most nodes of a small zone
 * fail.
 */
export function evictionIntervalMs(zone: string, nodes: readonly NodeObject[]): number {
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
