import type { NodeView } from '../../placement/node-selector.ts'
import type { PodObject } from '../../pods/pod-state.ts'
import type { DaemonSetObject } from '../daemon-pod.ts'

const known = { resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
const stored = { ...known, namespace: 'default' }

type Template = NonNullable<DaemonSetObject['spec']['template']['spec']>

/** A DaemonSet as the server stores it. */
export function aSet(
  spec: Partial<DaemonSetObject['spec']> = {},
  template: Partial<Template> = {},
): DaemonSetObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { ...stored, name: 'agent', uid: 'set', generation: 1 },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'main', image: 'agent:1' }], ...template },
      },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      ...spec,
    },
  }
}

/** A node as the server stores it. */
export function aNode(name: string, spec: NodeView['spec'] = {}, labels = {}): NodeView {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...known, name, uid: `uid-${name}`, labels },
    spec,
  }
}

interface PodTraits {
  readonly hash?: string
  readonly isReady?: boolean
  readonly isTerminating?: boolean
  readonly isUnplaced?: boolean
  readonly phase?: string
  readonly second?: number
}

/** A pod on a node; by default ready and of the newest template, `new`. */
export function aPod(name: string, node: string, traits: PodTraits = {}): PodObject {
  const { hash = 'new', isReady = true, isTerminating = false, isUnplaced = false } = traits
  const { phase = 'Running', second = 0 } = traits
  const created = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] } as const
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...stored,
      name,
      uid: `uid-${name}`,
      creationTimestamp: created,
      labels: { app: 'agent', 'controller-revision-hash': hash },
      ...(isTerminating && { deletionTimestamp: created }),
    },
    spec: {
      containers: [],
      affinity: { nodeAffinity: required },
      ...(!isUnplaced && { nodeName: node }),
    },
    status: {
      phase: phase as 'Running',
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: created },
      ],
    },
  }
}
