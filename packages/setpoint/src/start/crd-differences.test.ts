import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import {
  atomic,
  defineResource,
  duration,
  embeddedResource,
  immutable,
  intOrString,
  listMap,
  listSet,
  quantity,
} from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import type { CrdManifest, JsonValue } from '../schema/index.ts'
import { crdDifferences } from './crd-differences.ts'

const Rich = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Rich',
  shortNames: ['ri', 'rc'],
  description: 'One of everything.',
  spec: z.object({
    text: z.string().min(1).max(9).regex(/^a/).default('abc').describe('A text.'),
    choice: z.enum(['b', 'a']).optional(),
    count: z.int32().min(0).max(9).default(0),
    share: z.number().optional(),
    flag: z.boolean().default(false),
    nothing: z.string().nullable().optional(),
    map: z.record(z.string(), z.string()).optional(),
    when: duration().optional(),
    amount: quantity().optional(),
    port: intOrString().optional(),
    pod: embeddedResource().optional(),
    fixed: z.string().check(immutable()).optional(),
    set: z.array(z.string()).check(listSet()).optional(),
    keyed: z
      .array(z.object({ name: z.string(), value: z.string().optional() }))
      .check(listMap('name'))
      .optional(),
    whole: z.array(z.string()).check(atomic()).optional(),
    free: z.looseObject({}).optional(),
  }),
  status: z.object({ seen: z.int32().optional() }),
  conditions: ['Ready'],
  columns: { Text: '.spec.text' },
})

async function installCrd(crd: CrdManifest): Promise<CrdManifest> {
  using host = virtualHost({ seed: 2 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  await client.create(CustomResourceDefinition, crd)
  const { metadata } = crd
  return (await client.get(CustomResourceDefinition, metadata.name)) as unknown as CrdManifest
}

/** The CRD with a change in the schema of its spec. */
function changed(change: (spec: Record<string, JsonValue>) => Record<string, JsonValue>) {
  const crd = structuredClone(Rich.crd())
  const root = crd.spec.versions[0]?.schema?.openAPIV3Schema as {
    properties: Record<string, object>
  }
  root.properties['spec'] = change(root.properties['spec'] as Record<string, JsonValue>)
  return crd
}

test('ignores what a server adds to a CRD', async () => {
  expect(crdDifferences(await installCrd(Rich.crd()), Rich.crd())).toEqual([])
})

test('ignores descriptions, order and implied values', () => {
  const other = changed((spec) => ({
    ...spec,
    description: 'Other words.',
    nullable: false,
    required: [...((spec['required'] ?? []) as JsonValue[])].reverse(),
  }))
  const { spec } = other
  const [version] = spec.versions
  const { singular: _s, listKind: _l, ...names } = spec.names
  const loose = {
    ...other,
    spec: {
      ...spec,
      names: { ...names, shortNames: ['rc', 'ri'] },
      versions: version === undefined ? [] : [{ ...version, additionalPrinterColumns: [] }],
    },
  }
  expect(crdDifferences(loose, Rich.crd())).toEqual([])
})

test('reports by path what changes the allowed objects', () => {
  const desired = Rich.crd()
  const properties = (spec: Record<string, JsonValue>) =>
    spec['properties'] as Record<string, Record<string, JsonValue>>
  const schema = changed((spec) => {
    const { choice: _, ...kept } = properties(spec)
    return { ...spec, properties: { ...kept, text: { ...kept['text'], minLength: 2 } } }
  })
  const path = 'versions.v1.schema.properties.spec.properties'
  expect(crdDifferences(schema, desired)).toEqual([
    `${path}.choice: nothing is installed, {type, enum} is expected`,
    `${path}.text.minLength: 2 is installed, 1 is expected`,
  ])
  const [version] = desired.spec.versions
  const old = {
    ...desired,
    spec: {
      ...desired.spec,
      scope: 'Cluster',
      versions: version === undefined ? [] : [{ ...version, served: false, subresources: {} }],
    },
  }
  expect(crdDifferences(old, desired)).toEqual([
    'scope: "Cluster" is installed, "Namespaced" is expected',
    'versions.v1.served: false is installed, true is expected',
    'versions.v1.subresources.status: nothing is installed, {} is expected',
  ])
  const renamed = version === undefined ? [] : [{ ...version, name: 'v1beta1' }]
  const beta = { ...desired, spec: { ...desired.spec, versions: renamed } }
  expect(crdDifferences(beta, desired).map((line) => line.slice(0, 40))).toEqual([
    'versions.v1: nothing is installed, {serv',
    'versions.v1beta1: {served, storage, sche',
  ])
})
