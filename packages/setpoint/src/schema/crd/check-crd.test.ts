import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  checkCrd,
  checkStructuralSchema,
  type CrdManifest,
  type StructuralSchema,
} from '../index.ts'

interface Recorded {
  readonly case: string
  readonly sent: CrdManifest
  readonly code: number
  readonly causes?: readonly { field: string; reason: string; message: string }[]
  readonly warnings?: readonly string[]
}

/** Responses of a real 1.36 server; `scripts/record-schema-cases.ts` records them again. */
const recorded = readFileSync(new URL('../testdata/crd-create.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

/** Refusals that need a CEL compiler, which is not part of this folder. */
const needsCel = new Set([
  'default breaks a rule',
  'CEL does not compile',
  'CEL unknown field',
  'CEL not bool',
  'CEL unknown function',
  'CEL types differ',
  'CEL messageExpression not string',
  'CEL too costly',
  'CEL oldSelf inside an atomic list',
  'CEL on metadata labels',
  'CEL optionalOldSelf without oldSelf',
  'CEL division by a constant zero',
])

function crd(change: { schema?: StructuralSchema; jsonPath?: string } = {}): CrdManifest {
  const { schema = { type: 'object' }, jsonPath } = change
  const column = { name: 'Column', type: 'string', jsonPath: jsonPath ?? '' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Gadget', plural: 'gadgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(jsonPath === undefined ? {} : { additionalPrinterColumns: [column] }),
        },
      ],
    },
  }
}

test('accepts or refuses every recorded CRD with the same causes in the same order', () => {
  const cases = recorded.filter(({ case: name, code }) => code !== 400 && !needsCel.has(name))
  expect(cases.length).toBeGreaterThan(265)
  for (const { case: name, sent, causes = [] } of cases) {
    const errors = checkCrd(sent).errors.map(({ field, type, message }) => ({
      field,
      reason: type,
      message,
    }))
    expect([name, errors]).toEqual([name, causes])
  }
})

test('excludes only the CEL cases from the comparison, and they pass the other checks', () => {
  const left = recorded.filter(({ case: name }) => needsCel.has(name))
  expect(left).toHaveLength(needsCel.size)
  for (const { case: name, sent } of left) expect([name, checkCrd(sent).errors]).toEqual([name, []])
})

test('lists the warnings of the server first', () => {
  const warned = recorded.filter(({ warnings }) => warnings !== undefined)
  expect(warned.length).toBeGreaterThan(0)
  for (const { sent, warnings = [] } of warned) {
    const ours = checkCrd(sent).warnings.slice(0, warnings.length)
    expect(ours.toSorted()).toEqual(warnings.toSorted())
  }
})

test('reports wrong types of a manifest that a server could not decode', () => {
  const broken = recorded.filter(({ code }) => code === 400)
  const found = broken.map(({ case: name, sent }) => [name, checkCrd(sent).errors[0]?.field])
  const at = (keyword: string) =>
    `spec.versions[0].schema.openAPIV3Schema.properties[spec].${keyword}`
  expect(found).toEqual([
    ['minimum wrong type', 'spec.versions[0].schema.openAPIV3Schema.properties[a].minimum'],
    ['minLength with a fraction', at('minLength')],
    ['minLength beyond int64', at('minLength')],
    ['maxItems beyond int64', at('maxItems')],
    ['column priority with a fraction', 'spec.versions[0].additionalPrinterColumns[0].priority'],
    ['column priority beyond int32', '<nil>'],
    ['apiVersion of another group', 'apiVersion'],
    ['kind of something else', 'kind'],
  ])
  const noise = { spec: { versions: [{ name: 1 }], names: [] } } as unknown as CrdManifest
  expect(checkCrd(noise).errors.map(({ field }) => field)).toEqual([
    'spec.names',
    'spec.versions[0].name',
  ])
  expect(checkCrd(null as unknown as CrdManifest).errors).toHaveLength(1)
})

test('refuses a generated name', () => {
  const generated = { ...crd(), metadata: { generateName: 'gadgets-' } } as unknown as CrdManifest
  expect(checkCrd(generated).errors.map(({ field }) => field)).toEqual([
    'metadata.generateName',
    'metadata.name',
  ])
})

test('accepts nulls in a schema', () => {
  const schema = { type: 'object', properties: { a: null, b: { type: 'array', items: null } } }
  const errors = checkStructuralSchema(schema as unknown as StructuralSchema, 'schema')
  expect(errors.map(({ field }) => field)).toEqual([
    'schema.properties[a].type',
    'schema.properties[b].items',
  ])
})

test('warns about a column with an unknown path and names the fields that exist', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { image: { type: 'string' } } } },
  }
  expect(checkCrd(crd({ schema, jsonPath: '.spec.image' })).warnings).toEqual([])
  expect(checkCrd(crd({ schema, jsonPath: '.spec.imege' })).warnings).toEqual([
    'version v1, column "Column": the path .spec.imege finds nothing: the schema has no field "imege" at step 2; there are image',
  ])
  expect(checkCrd(crd({ schema, jsonPath: '.spec..image' })).warnings).toEqual([
    'version v1, column "Column": the path cannot be read: recursive descent (..) is not supported in .spec..image',
  ])
})

test('warns about a CRD above 256 KiB, and refuses one above 1.5 MiB', () => {
  const withProse = (bytes: number) =>
    crd({ schema: { type: 'object', description: 'x'.repeat(bytes) } })
  expect(checkCrd(withProse(200_000)).warnings).toEqual([])
  expect(checkCrd(withProse(300_000)).warnings[0]).toMatch(/client-side apply cannot carry it/)
  expect(checkCrd(withProse(1_600_000)).errors.map((error) => error.message)).toEqual([
    'Too long: may not be more than 1572864 bytes',
  ])
})
