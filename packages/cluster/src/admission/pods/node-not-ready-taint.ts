import type { JsonObject } from 'setpoint/schema'
import { isAbout, type Plugin } from '../plugin.ts'

/** A node takes no pods before somebody says that it is ready. */
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
