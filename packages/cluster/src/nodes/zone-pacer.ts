import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { readyCondition } from './node-health.ts'
import { isExpelling, type Expelling } from './node-taints.ts'
import { emptyingPaceMs, isCutOff, zoneOf } from './zone-disruption.ts'

type NodeObject = Frozen<Node>

/** What is to be done about the pods of a node, and how long until more can be. */
interface Decision {
  readonly expelling: Expelling
  readonly waitMs?: number
}

/** Decides when pods are driven away from nodes that fail: in each zone one node after the other, none where all fail. */
export class ZonePacer {
  /** When the next node may be emptied, by zone. */
  readonly #nextMs = new Map<string, number>()
  #isCutOff = false

  /** `onReturn` is called when nodes come back after all had failed. */
  decide(
    node: NodeObject,
    {
      nodes,
      nowMs,
      onReturn,
    }: { nodes: readonly NodeObject[]; nowMs: number; onReturn: () => void },
  ): Decision {
    const status = readyCondition(node)?.status
    if (status === undefined) return { expelling: 'keep' }
    if (status === 'True') return { expelling: 'clear' }
    const wasCutOff = this.#isCutOff
    this.#isCutOff = isCutOff(nodes)
    if (this.#isCutOff) return { expelling: 'clear' }
    if (wasCutOff) onReturn()
    // One that is being emptied already only learns the new reason.
    if ((node.spec.taints ?? []).some(isExpelling)) return { expelling: 'set' }
    const zone = zoneOf(node)
    const paceMs = emptyingPaceMs(zone, nodes)
    const waitMs = (this.#nextMs.get(zone) ?? nowMs) - nowMs
    if (paceMs === Infinity) return { expelling: 'keep' }
    if (waitMs > 0) return { expelling: 'keep', waitMs }
    this.#nextMs.set(zone, nowMs + paceMs)
    return { expelling: 'set' }
  }
}
