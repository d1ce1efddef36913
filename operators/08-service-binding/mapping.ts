import * as z from 'zod'
import { defineResource, type Frozen, type InferResource, type Problem, problem } from 'setpoint'
import { parseJsonPath } from 'setpoint/schema'
import { fixedPath } from './paths.ts'

const container = z.object({
  path: z.string().describe('A JSONPath that finds the containers.'),
  name: z.string().optional().describe('A fixed JSONPath in a container: its name.'),
  env: z.string().optional().describe('A fixed JSONPath in a container; .env unless given.'),
  volumeMounts: z
    .string()
    .optional()
    .describe('A fixed JSONPath in a container; .volumeMounts unless given.'),
})

const version = z.object({
  version: z.string().min(1).describe('The version of the workload, or * for all others.'),
  annotations: z.string().optional().describe('A fixed JSONPath: the annotations of the pods.'),
  containers: z.array(container).optional().describe('Where the containers are.'),
  volumes: z.string().optional().describe('A fixed JSONPath: the volumes of the pods.'),
})

const spec = z.object({ versions: z.array(version).optional() })

/** Says where the containers of a kind of workload are, if they are not in `.spec.template`. */
export const ClusterWorkloadResourceMapping = defineResource({
  group: 'servicebinding.io',
  version: 'v1',
  kind: 'ClusterWorkloadResourceMapping',
  scope: 'Cluster',
  description: 'Where the containers of a kind of workload are. Its name is PLURAL.GROUP.',
  spec,
  versions: {
    v1beta1: {
      spec,
      up: ({ spec: fields }) => ({ spec: fields }),
      down: ({ spec: fields }) => ({ spec: fields }),
    },
  },
})

type Resource = Frozen<InferResource<typeof ClusterWorkloadResourceMapping>>

/** The places of a pod template in a workload. */
export interface Mapping {
  readonly annotations: string
  readonly volumes: string
  readonly containers: readonly {
    readonly path: string
    readonly name?: string | undefined
    readonly env: string
    readonly volumeMounts: string
  }[]
}

type Container = z.infer<typeof container>

const podTemplate = '.spec.template.spec'
const podContainers = ['containers', 'initContainers'].map((list) => ({
  path: `${podTemplate}.${list}[*]`,
  name: '.name',
}))

/** The mapping of a version of a workload: its own, the one of `*`, or that of a pod template. */
export function mappingFor(resource: Resource | undefined, wanted: string): Mapping {
  const versions = resource?.spec.versions ?? []
  const found =
    versions.find((one) => one.version === wanted) ?? versions.find((one) => one.version === '*')
  const containers = found?.containers ?? []
  return {
    annotations: found?.annotations ?? '.spec.template.metadata.annotations',
    volumes: found?.volumes ?? `${podTemplate}.volumes`,
    containers: (containers.length === 0 ? podContainers : containers).map((one: Container) => ({
      ...one,
      env: one.env ?? '.env',
      volumeMounts: one.volumeMounts ?? '.volumeMounts',
    })),
  }
}

/** Why a mapping cannot be used: duplicate versions, and paths that are not valid. */
export function problemsOf({ spec: { versions = [] } }: Resource): Problem<'spec.versions'>[] {
  const names = versions.map((one) => one.version)
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  const fixed = versions.flatMap(({ annotations, volumes, containers = [] }) => [
    annotations,
    volumes,
    ...containers.flatMap(({ name, env, volumeMounts }) => [name, env, volumeMounts]),
  ])
  const paths = versions.flatMap(({ containers = [] }) => containers.map(({ path }) => path))
  const texts = [
    ...twice.map((name) => `the version ${name} is there twice`),
    ...fixed.flatMap((path) => problemOf(() => path === undefined || fixedPath(path))),
    ...paths.flatMap((path) => parseJsonPath(path).problem ?? []),
  ]
  return texts.map((text) => problem('spec.versions', text))
}

function problemOf(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
