/** Checks the types of definitions at compile time; wrong uses have `@ts-expect-error`. */
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import {
  defineResource,
  listMap,
  type InferManifest,
  type InferResource,
  type InferVersion,
  type Scope,
  type AnyResourceDefinition,
} from 'setpoint'

const Database = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Database',
  spec: z.object({
    engine: z.enum(['postgres', 'mysql']),
    replicas: z.int32().default(1),
    labels: z.record(z.string(), z.string()).optional(),
    ports: z.array(z.object({ name: z.string(), port: z.int32() })).check(listMap('name')),
  }),
  status: z.object({ endpoint: z.string(), replicas: z.int32() }),
  conditions: ['Ready', 'BackedUp'],
  columns: {
    Engine: '.spec.engine',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    First: '.spec.ports[0].name',
    Team: '.spec.labels.team',
    Name: { jsonPath: '.metadata.name', priority: 1 },
  },
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  selectableFields: ['.spec.engine'],
  versions: {
    v1beta1: {
      spec: z.object({ type: z.enum(['postgres', 'mysql']) }),
      status: z.object({ address: z.string() }),
      up: ({ spec, status }) => ({
        spec: { engine: spec.type, ports: [] },
        ...(status === undefined ? {} : { status: { endpoint: status.address, replicas: 0 } }),
      }),
      // A literal keeps its type, although the compiler infers it before the schema.
      down: ({ spec }) => ({ spec: { type: spec.replicas > 1 ? 'postgres' : 'mysql' } }),
    },
  },
})

type Database = InferResource<typeof Database>

test('a read object has defaults, conditions and complete metadata', () => {
  expectTypeOf<Database['apiVersion']>().toEqualTypeOf<'example.com/v1'>()
  expectTypeOf<Database['kind']>().toEqualTypeOf<'Database'>()
  expectTypeOf<Database['spec']['replicas']>().toEqualTypeOf<number>()
  expectTypeOf<Database['metadata']['namespace']>().toEqualTypeOf<string>()
  expectTypeOf<Database['metadata']['uid']>().toEqualTypeOf<string>()
  type Conditions = NonNullable<NonNullable<Database['status']>['conditions']>
  expectTypeOf<Conditions[number]['type']>().toEqualTypeOf<'Ready' | 'BackedUp'>()
})

test('a cluster-scoped resource has no namespace', () => {
  const Zone = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Zone',
    scope: 'Cluster',
    spec: z.object({}),
  })
  type Zone = InferResource<typeof Zone>
  expectTypeOf(Zone.scope).toEqualTypeOf<Scope>()
  expectTypeOf<Zone['metadata']['namespace']>().toEqualTypeOf<undefined>()
})

test('fields with defaults are optional in a manifest', () => {
  type Spec = InferManifest<typeof Database>['spec']
  expectTypeOf<Spec['replicas']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Spec['engine']>().toEqualTypeOf<'postgres' | 'mysql'>()
})

test('each version has its own type', () => {
  type Old = InferVersion<typeof Database, 'v1beta1'>
  expectTypeOf<Old['apiVersion']>().toEqualTypeOf<'example.com/v1beta1'>()
  expectTypeOf<Old['spec']>().toEqualTypeOf<{ type: 'postgres' | 'mysql' }>()
  expectTypeOf(Database.convert<'v1beta1'>).returns.toEqualTypeOf<Old>()
  expectTypeOf(Database.versions).toEqualTypeOf<readonly ('v1' | 'v1beta1')[]>()
})

test('any definition is an AnyResourceDefinition', () => {
  const general: AnyResourceDefinition = Database
  expectTypeOf(general.kind).toEqualTypeOf<string>()
})

test('schemas of zod/mini give the same types', () => {
  const Mini = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Mini',
    spec: mini.object({ size: mini._default(mini.int32(), 1) }),
    columns: { Size: '.spec.size' },
  })
  expectTypeOf(Mini.versions).toEqualTypeOf<readonly 'v1'[]>()
  expectTypeOf<InferResource<typeof Mini>['spec']>().toEqualTypeOf<{ size: number }>()
})

const identity = { group: 'example.com', version: 'v1', kind: 'Wrong' } as const
const spec = z.object({ size: z.int32(), name: z.string().optional() })

/** Never called: the compiler must refuse each line. */
export function wrongUses(database: Database): void {
  // @ts-expect-error: the field is called replicas
  void database.spec.replica
  // @ts-expect-error: there is no such condition
  void (database.status?.conditions?.[0]?.type === 'Reedy')
  // @ts-expect-error: ports is required
  void ({ engine: 'mysql' } satisfies InferManifest<typeof Database>['spec'])
  // @ts-expect-error: oracle is not one of the engines
  void ({ engine: 'oracle', ports: [] } satisfies InferManifest<typeof Database>['spec'])
  // @ts-expect-error: a definition needs a spec
  defineResource(identity)
  // @ts-expect-error: spec is a zod schema
  defineResource({ ...identity, spec: { size: 'number' } })
  // @ts-expect-error: no field of the spec is called sise
  defineResource({ ...identity, spec, columns: { Size: '.spec.sise' } })
  // @ts-expect-error: size has no fields
  defineResource({ ...identity, spec, columns: { Size: '.spec.size.value' } })
  // @ts-expect-error: the same in the long form
  defineResource({ ...identity, spec, columns: { Size: { jsonPath: '.spec.sise' } } })
  defineResource({
    ...identity,
    spec,
    conditions: ['Ready'],
    // @ts-expect-error: the condition is not declared
    columns: { Ready: '.status.conditions[?(@.type=="Reedy")].status' },
  })
  defineResource({
    ...identity,
    spec,
    // @ts-expect-error: there is no status to find replicas in
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
  })
  // @ts-expect-error: no field of the spec is called nam
  defineResource({ ...identity, spec, selectableFields: ['.spec.nam'] })
  defineResource({
    ...identity,
    spec,
    versions: {
      v1beta1: {
        spec: z.object({ length: z.int32() }),
        // @ts-expect-error: up must give the spec of v1
        up: ({ spec: old }) => ({ spec: { length: old.length } }),
        down: ({ spec: now }) => ({ spec: { length: now.size } }),
      },
      v1beta2: {
        spec: z.object({ length: z.int32() }),
        up: ({ spec: old }) => ({ spec: { size: old.length } }),
        // @ts-expect-error: the name of v1 is not a number
        down: ({ spec: now }) => ({ spec: { length: now.name } }),
      },
      // @ts-expect-error: down is missing
      v1beta3: { spec, up: ({ spec: old }) => ({ spec: old }) },
    },
  })
  // @ts-expect-error: there is no version v2
  Database.convert(database, 'v2')
  // @ts-expect-error: the entries have no field key
  z.array(z.object({ name: z.string() })).check(listMap('key'))
}
