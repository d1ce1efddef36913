import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { readyCondition } from './node-health.ts'
import { isEvictionTaint, type EvictionTaint } from './node-taints.ts'
import { evictionIntervalMs, areAllUnready, zoneOf } from './zone-disruption.ts'

type NodeObject = Frozen<Node>

/** The change of the NoExecute taint of a node, and when the next decision is possible. */
interface Decision {
  readonly evictionTaint: EvictionTaint
  readonly waitMs?: number
}

/**
 * Decides when the pods of failing nodes are evicted: one node after the other in each zone, and
 * none if all nodes fail.
 */
export class ZoneEvictionRate {
  /** When the next node may be evicted, by zone. */
  readonly #nextMs = new Map<string, number>()
  #areAllUnready = false

  /** `onRecovery` is called when a node becomes ready after all nodes had failed. */
  decide(
    node: NodeObject,
    {
      nodes,
      nowMs,
      onRecovery,
    }: { nodes: readonly NodeObject[]; nowMs: number; onRecovery: () => void },
  ): Decision {
    const status = readyCondition(node)?.status
    if (status === undefined) return { evictionTaint: 'keep' }
    if (status === 'True') return { evictionTaint: 'clear' }
    const wereAllUnready = this.#areAllUnready
    this.#areAllUnready = areAllUnready(nodes)
    if (this.#areAllUnready) return { evictionTaint: 'clear' }
    if (wereAllUnready) onRecovery()
    // A node that has an eviction taint only gets the new reason.
    if ((node.spec.taints ?? []).some(isEvictionTaint)) return { evictionTaint: 'set' }
    const zone = zoneOf(node)
    const paceMs = evictionIntervalMs(zone, nodes)
    const waitMs = (this.#nextMs.get(zone) ?? nowMs) - nowMs
    if (paceMs === Infinity) return { evictionTaint: 'keep' }
    if (waitMs > 0) return { evictionTaint: 'keep', waitMs }
    this.#nextMs.set(zone, nowMs + paceMs)
    return { evictionTaint: 'set' }
  }
}
