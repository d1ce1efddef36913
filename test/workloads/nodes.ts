import type { JsonObject } from 'setpoint/schema'

/** What a pod asks for that is only for the nodes of its scenario. */
export const pickNode = { scenario: '{ns}' }

/**
 * A node of the scenario, as a machine reports itself: `{ns}-LETTER`, ready unless said. Those that are called `any-1`
 * and so on are not told apart: which of them is taken first is left to chance.
 */
export function node(letter: string, further: JsonObject = {}, ready = 'True'): JsonObject {
  const time = '2026-01-01T00:00:00Z'
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `{ns}-${letter}`,
      labels: {
        ...pickNode,
        letter: letter.slice(0, 3),
        // Nodes of other scenarios must not count when a zone is judged.
        'topology.kubernetes.io/zone': '{ns}',
      },
    },
    ...further,
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '110' },
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [
        {
          type: 'Ready',
          status: ready,
          reason: ready === 'True' ? 'KubeletReady' : 'KubeletNotReady',
          message: 'as a scenario wants it',
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        },
      ],
    },
  }
}
