import type { JsonObject } from 'setpoint/schema'

/** A node selector for the nodes of the scenario. */
export const pickNode = { scenario: '{ns}' }

/**
 * A node of the scenario, as a kubelet reports it: `{ns}-LETTER`, ready by default. The names of
 * nodes called `any-1` and so on are normalised, because the order in which they are used is
 * random.
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
        // Nodes of other scenarios must not count for the zone.
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
