import { createHash } from 'node:crypto'
import type { JsonObject } from 'setpoint/schema'
import { crd, definitions, version } from '../../test/conformance/cases/widgets.ts'
import { del, get, merge, post, setup } from '../../test/conformance/requests.ts'
import { runCase } from '../../test/conformance/run-case.ts'
import type { Target } from '../../test/conformance/target.ts'
import { Choices } from './choices.ts'
import type { FuzzedKind } from './fuzzed-kinds.ts'
import { randomText } from './random-values.ts'

/** A kind with a random schema, which must be defined before the scripts run. */
interface CustomKind extends FuzzedKind {
  readonly definition: JsonObject
}

/** Custom kinds of a seed. Their group names depend on their content, so that runs can share them. */
export function customKinds(seed: string, count: number): CustomKind[] {
  return Array.from({ length: count }, (_, index) =>
    customKind(new Choices(`${seed}/kind/${index}`)),
  )
}

function customKind(choices: Choices): CustomKind {
  const schema = {
    type: 'object',
    ...(choices.isLikely(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    properties: {
      spec: objectSchema(choices, 3),
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  }
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const subresources = {
    ...(choices.isLikely(0.6) ? { status: {} } : {}),
    ...(choices.isLikely(0.3) ? { scale } : {}),
  }
  const hash = createHash('sha256').update(JSON.stringify({ schema, subresources })).digest('hex')
  const group = `x${hash.slice(0, 12)}.fuzz.example.com`
  const definition = crd([version(schema, { subresources })], { group })
  const apiVersion = `${group}/v1`
  return {
    apiVersion,
    kind: 'Widget',
    plural: 'widgets',
    collection: `/apis/${apiVersion}/namespaces/{ns}/widgets`,
    isNamespaced: true,
    subresources: Object.keys(subresources),
    schema: undefined,
    manifests: [1, 2, 3].map(() => manifest(choices, apiVersion)),
    isOnlyTried: false,
    definition: { ...definition, metadata: { name: `widgets.${group}` } },
  }
}

/** Defines the kinds on a server and waits until it serves them. */
export async function define(target: Target, kinds: readonly CustomKind[]): Promise<void> {
  for (const { definition, collection } of kinds) {
    const steps = [
      post(definitions, definition),
      setup(get(pathOf(definition))),
      setup(get(collection.replace('{ns}', 'default'), { until: { code: 200 } })),
    ]
    await runCase(target, { name: 'define', steps, isClusterWide: true }, 'default')
  }
}

/** Removes the definitions, so that discovery is the same again. */
export async function undefine(target: Target, kinds: readonly CustomKind[]): Promise<void> {
  const paths = kinds.map(({ definition }) => pathOf(definition))
  // Objects with finalizers would keep a definition.
  const steps = paths.flatMap((path) => [
    del(path),
    merge(path, { metadata: { finalizers: null } }),
  ])
  await runCase(target, { name: 'undefine', steps, isClusterWide: true }, 'default')
}

function pathOf(definition: JsonObject): string {
  return `${definitions}/${(definition['metadata'] as { name: string }).name}`
}

function manifest(choices: Choices, apiVersion: string): JsonObject {
  const spec: JsonObject = {}
  for (const name of choices.some(names, 4)) {
    spec[name] = choices.one<JsonObject[string]>([
      'a',
      1,
      true,
      1.5,
      null,
      ['a', 'b'],
      [{ a: 'x', b: 1 }],
      { a: 'x' },
      { a: { b: 1 } },
      randomText(choices),
    ])
  }
  return { apiVersion, kind: 'Widget', metadata: { name: 'a' }, spec }
}

const names = ['a', 'b', 'c', 'd', 'replicas', 'list'] as const

function objectSchema(choices: Choices, depth: number): JsonObject {
  const properties: JsonObject = { replicas: { type: 'integer' } }
  for (const name of choices.some(names, 4)) {
    if (name !== 'replicas') properties[name] = anySchema(choices, depth - 1)
  }
  const required = choices.isLikely(0.2) ? { required: [choices.one(names)] } : {}
  const open = choices.isLikely(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}
  const atomic = choices.isLikely(0.1) ? { 'x-kubernetes-map-type': 'atomic' } : {}
  return { type: 'object', properties, ...required, ...open, ...atomic }
}

/** Every schema here is valid: the cases of definitions have those that are refused. */
function anySchema(choices: Choices, depth: number): JsonObject {
  const nullable = choices.isLikely(0.1) ? { nullable: true } : {}
  const type = choices.one(
    depth <= 0 ? (['string', 'integer', 'boolean', 'number'] as const) : allTypes,
  )
  switch (type) {
    case 'string':
      return { type, ...nullable, ...choices.one<JsonObject>(stringRules) }
    case 'integer':
    case 'number':
      return { type, ...nullable, ...choices.one<JsonObject>(numberRules) }
    case 'boolean':
      return { type, ...nullable }
    case 'any':
      return { 'x-kubernetes-preserve-unknown-fields': true }
    case 'int-or-string':
      return { 'x-kubernetes-int-or-string': true }
    case 'map':
      return { type: 'object', additionalProperties: anySchema(choices, depth - 1), ...nullable }
    case 'object':
      return { ...objectSchema(choices, depth), ...nullable }
    case 'array': {
      const isSet = choices.isLikely(0.3)
      const items = isSet ? { type: 'string' } : anySchema(choices, depth - 1)
      return {
        type,
        items,
        ...(isSet ? { 'x-kubernetes-list-type': 'set' } : choices.one<JsonObject>(listRules)),
        ...nullable,
      }
    }
    case 'keyed-list':
      return {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
        items: {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string' }, b: { type: 'integer' } },
        },
      }
  }
}

const allTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'any',
  'int-or-string',
  'map',
  'object',
  'array',
  'keyed-list',
] as const
const stringRules: readonly JsonObject[] = [
  {},
  { minLength: 2 },
  { maxLength: 1 },
  { pattern: '^a' },
  { enum: ['a', 'b'] },
  { default: 'd' },
  { format: 'date-time' },
  { format: 'ipv4' },
  { format: 'byte' },
  { format: 'email' },
  { format: 'duration' },
]
const numberRules: readonly JsonObject[] = [
  {},
  { minimum: 1 },
  { maximum: 0 },
  { minimum: 1, exclusiveMinimum: true },
  { multipleOf: 2 },
  { default: 4 },
  { enum: [1, 2] },
  { format: 'int32' },
]
const listRules: readonly JsonObject[] = [
  {},
  { minItems: 1 },
  { maxItems: 1 },
  { 'x-kubernetes-list-type': 'atomic' },
]
