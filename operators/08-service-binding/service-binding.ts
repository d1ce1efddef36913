import * as z from 'zod'
import { atomic, defineResource, type Frozen, immutable, type InferResource, rule } from 'setpoint'

const selector = z
  .object({
    matchLabels: z.record(z.string(), z.string()).optional(),
    matchExpressions: z
      .array(
        z.object({
          key: z.string(),
          operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
          values: z.array(z.string()).optional(),
        }),
      )
      .optional(),
  })
  .check(atomic())

const workload = z
  .object({
    apiVersion: z.string().min(1).check(immutable()).describe('The API version of the workload.'),
    kind: z.string().min(1).check(immutable()).describe('The kind of the workload.'),
    name: z.string().min(1).optional().describe('The name of the workload.'),
    selector: selector.optional().describe('The labels of the workloads, instead of a name.'),
    containers: z
      .array(z.string())
      .optional()
      .describe('The names of the containers that are bound; all unless given.'),
  })
  .check(rule('has(self.name) != has(self.selector)', { message: 'set name or selector' }))

const spec = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}$/)
    .check(rule("self != '.' && self != '..'", { message: 'must be the name of a directory' }))
    .optional()
    .describe('The name of the directory in the container; the name of this object unless given.'),
  type: z.string().optional().describe('The type of the service; overrides that of the Secret.'),
  provider: z
    .string()
    .optional()
    .describe('The provider of the service; overrides that of the Secret.'),
  service: z
    .object({
      apiVersion: z.string().min(1),
      kind: z.string().min(1),
      name: z.string().min(1),
    })
    .describe('An object whose status.binding.name is the name of a Secret, or a Secret.'),
  workload: workload.describe('The objects whose containers get the Secret.'),
  env: z
    .array(
      z.object({
        name: z.string().min(1).describe('The name of the environment variable.'),
        key: z.string().min(1).describe('The key in the Secret.'),
      }),
    )
    .optional()
    .describe('Keys of the Secret that become environment variables.'),
})

const status = z.object({
  binding: z.object({ name: z.string() }).optional().describe('The projected Secret.'),
  observedGeneration: z.int().optional(),
})

/** The two versions of the specification have the same fields. */
const same = <Content>({ spec: fields, status: observed }: Content & VersionContent<Content>) => ({
  spec: fields,
  status: observed,
})

interface VersionContent<Content> {
  readonly spec: Content extends { spec: infer Spec } ? Spec : never
  readonly status?: Content extends { status?: infer Status } ? Status : never
}

/** Connects a service with a workload: the Secret of the service becomes files in its containers. */
export const ServiceBinding = defineResource({
  group: 'servicebinding.io',
  version: 'v1',
  kind: 'ServiceBinding',
  description: 'Projects the Secret of a service into the containers of workloads.',
  spec,
  status,
  conditions: ['Ready', 'ServiceAvailable', 'WorkloadProjected'],
  columns: {
    Secret: '.status.binding.name',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Reason: '.status.conditions[?(@.type=="Ready")].reason',
  },
  versions: { v1beta1: { spec, status, up: same, down: same } },
})

/** A ServiceBinding as the functions of the operator receive it. */
export type Binding = Frozen<InferResource<typeof ServiceBinding>>
