import type { JsonObject } from 'setpoint/schema'
import { isAbout, type Plugin } from '../plugin.ts'

/** A new node gets the not-ready taint, which the node lifecycle controller removes. */
export const nodeNotReadyTaint: Plugin = {
  name: 'TaintNodesByCondition',
  mutate(attributes) {
    const { operation, object } = attributes
    if (operation !== 'CREATE' || !isAbout(attributes, '', 'nodes')) return
    const spec = (object['spec'] ??= {}) as unknown as { taints?: JsonObject[] }
    const taints = spec.taints ?? []
    const key = 'node.kubernetes.io/not-ready'
    if (taints.some((taint) => taint['key'] === key && taint['effect'] === 'NoSchedule')) return
    spec.taints = [...taints, { key, effect: 'NoSchedule' }]
  },
}
