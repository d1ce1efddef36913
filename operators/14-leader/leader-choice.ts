import * as z from 'zod'
import {
  defineResource,
  type Frozen,
  type InferResource,
  intOrString,
  minProperties,
  rule,
} from 'setpoint'

/** The choice of one pod among several: the leader of an application that elects none itself. */
export const LeaderChoice = defineResource({
  group: 'leadership.example.com',
  version: 'v1',
  kind: 'LeaderChoice',
  shortNames: ['leader'],
  description: 'Chooses one of the selected pods, labels it, and keeps a Service that follows it.',
  spec: z.object({
    selector: z
      .record(z.string(), z.string())
      .check(minProperties(1))
      .describe('The labels of the pods among which the leader is chosen.'),
    ports: z
      .array(
        z.object({
          name: z.string(),
          port: z.int32().min(1).max(65_535),
          targetPort: intOrString().optional(),
        }),
      )
      .min(1)
      .max(10)
      .describe('The ports of the Service of the leader.'),
    leaseSeconds: z
      .int32()
      .min(3)
      .max(3600)
      .default(15)
      .describe('How long a leader that is not ready stays leader.'),
  }),
  status: z.object({
    leader: z.string().optional().describe('The name of the pod.'),
    since: z.iso.datetime().optional(),
    transitions: z.int32().describe('How often the leader has changed.'),
  }),
  conditions: ['Ready'],
  columns: {
    Leader: '.status.leader',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Transitions: '.status.transitions',
    Since: { jsonPath: '.status.since', type: 'date' },
  },
  rules: [
    rule('size(self.metadata.name) <= 50', {
      message: 'the name must have at most 50 characters, because a label contains it',
    }),
  ],
})

/** A LeaderChoice as the functions of the operator receive it. */
export type Choice = Frozen<InferResource<typeof LeaderChoice>>

/** The label of the leader. Every LeaderChoice has its own, so a pod can lead for several. */
export function leaderLabel({ metadata: { name } }: Choice): string {
  return `leader.leadership.example.com/${name}`
}
