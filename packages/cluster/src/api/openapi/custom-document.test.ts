/** OpenAPI documents that a 1.36 server published for definitions, without its own descriptions. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { customResources } from '../resources/custom-resources.ts'
import { customDocument } from './custom-document.ts'

interface Document {
  readonly openapi: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
}

interface Line {
  readonly definition?: JsonObject
  readonly version?: string
  readonly document?: Document
}

const lines = readFileSync(new URL('testdata/custom-documents.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
const group = 'oapi.h4.example.com'
const noConversions = {
  calls: { post: () => Promise.reject(new Error('no webhook converts')) },
  host: { uuid: () => '' },
}
const resources = lines.flatMap(({ definition }) =>
  definition === undefined ? [] : customResources(definition, 1, noConversions),
)

test.each(['v1', 'v1beta1'])('publishes %s like a real server', (version) => {
  const expected = lines.find((line) => line.version === version)?.document
  const own = resources.filter((resource) => resource.version === version)
  const served = { version, isCustom: true, resources: own }
  const published = customDocument(group, served) as unknown as Document
  expect(published.paths).toEqual(expected?.paths)
  expect(Object.keys(published.paths)).toEqual(Object.keys(expected?.paths ?? {}))
  const { openapi, info } = published
  expect({ openapi, info }).toEqual({ openapi: expected?.openapi, info: expected?.info })
  expect(withoutProse(withoutDeletionKinds(published))).toEqual(expected?.components.schemas)
  expect(customDocument(group, served)).toBe(published)
})

/** The recording lacks them: a real server lists versions here that it does not serve. */
function withoutDeletionKinds({ components }: Document): Record<string, JsonObject> {
  const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
  const { 'x-kubernetes-group-version-kind': _kinds, ...deletion } = components.schemas[name] ?? {}
  return { ...components.schemas, [name]: deletion }
}

/**
 * Removes Kubernetes' own descriptions, which the recording lacks, and keeps those of definitions.
 */
function withoutProse(schemas: Record<string, JsonObject>): unknown {
  const own =
    /^(APIVersion defines|Kind is a string|Standard (object's|list) metadata|List of \w+\.)/
  const text = JSON.stringify(schemas, (key, value: unknown) =>
    key === 'description' && own.test(String(value)) ? undefined : value,
  )
  return JSON.parse(text) as unknown
}

test('describes the fields that every object has', () => {
  const own = resources.filter(({ version }) => version === 'v1')
  const document = customDocument(group, { version: 'v1', isCustom: true, resources: own })
  const { schemas } = (document as unknown as Document).components
  const { kind, plural } = own[0] ?? {}
  const described = (name: string): string[] => {
    const { properties } = schemas[`com.example.h4.oapi.v1.${name}`] as {
      properties: Record<string, { description?: string }>
    }
    const fields = ['apiVersion', 'items', 'kind', 'metadata']
    return fields.map((field) => properties[field]?.description?.slice(0, 20) ?? '')
  }
  const [version, kindText] = ['APIVersion defines t', 'Kind is a string val']
  expect(described(kind ?? '')).toEqual([version, '', kindText, "Standard object's me"])
  const list = `List of ${plural}. More info`.slice(0, 20)
  expect(described(`${kind}List`)).toEqual([version, list, kindText, 'Standard list metada'])
})
