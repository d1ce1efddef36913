import * as z from 'zod'
import { defineResource } from 'setpoint'

/** A number of memcached servers: the resource of the Operator SDK tutorial. */
export const Memcached = defineResource({
  group: 'cache.my.domain',
  version: 'v1alpha1',
  kind: 'Memcached',
  spec: z.object({ size: z.int32().min(0).describe('How many memcached pods run.') }),
  status: z.object({
    nodes: z.array(z.string()).optional().describe('The names of the pods that run memcached.'),
    size: z.int32().optional().describe('How many memcached pods there are.'),
    selector: z.string().optional().describe('The label selector of the pods, for autoscalers.'),
  }),
  conditions: ['Ready'],
  scale: {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  },
  columns: {
    Size: '.spec.size',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Nodes: { jsonPath: '.status.nodes', priority: 1 },
  },
})
