/** Documents that a 1.36 server published for definitions, without its prose. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { customResources } from '../resources/custom-resources.ts'
import { customDocument } from './custom-document.ts'

interface Recording {
  readonly definitions: readonly JsonObject[]
  readonly documents: Readonly<Record<string, JsonObject>>
}

const recording = JSON.parse(
  readFileSync(new URL('testdata/custom-documents.json', import.meta.url), 'utf8'),
) as Recording

const resources = recording.definitions.flatMap((definition) => customResources(definition, 1))

test.each(Object.entries(recording.documents))(
  '%s is published as by a real server',
  (version, document) => {
    const own = resources.filter((resource) => resource.version === version)
    const served = { version, isCustom: true, resources: own }
    const published = customDocument('oapi.h4.example.com', served)
    const { paths, components, ...rest } = published
    expect(rest).toEqual({ openapi: document['openapi'], info: document['info'] })
    expect(components).toEqual(document['components'])
    expect(paths).toEqual(document['paths'])
    expect(Object.keys(paths as JsonObject)).toEqual(Object.keys(document['paths'] as JsonObject))
    expect(customDocument('oapi.h4.example.com', served)).toBe(published)
  },
)
