import { isAbout, type Plugin } from '../plugin.ts'
import type { Toleration } from './merge-tolerations.ts'

/** Pods tolerate an unreachable or unready node for five minutes by default. */
export const defaultTolerationSeconds: Plugin = {
  name: 'DefaultTolerationSeconds',
  mutate(attributes) {
    const { operation, object } = attributes
    if (operation === 'DELETE' || !isAbout(attributes, '', 'pods')) return
    const spec = object['spec'] as unknown as { tolerations?: Toleration[] }
    for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
      const tolerations = spec.tolerations ?? []
      if (tolerations.some((toleration) => tolerates(toleration, key))) continue
      const added = { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
      spec.tolerations = [...tolerations, added]
    }
  },
}

function tolerates({ key = '', effect = '' }: Toleration, taintKey: string): boolean {
  return (key === '' || key === taintKey) && (effect === '' || effect === 'NoExecute')
}
