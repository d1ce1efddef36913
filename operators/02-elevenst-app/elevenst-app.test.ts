import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ElevenStApp } from './elevenst-app.ts'

test('has the names that the tutorial shows with kubectl api-resources', () => {
  const { metadata, spec } = ElevenStApp.crd()
  expect(metadata.name).toBe('elevenstapps.11st.example.com')
  // NAME           SHORTNAMES   APIVERSION            NAMESPACED   KIND
  // elevenstapps                11st.example.com/v1   true         ElevenStApp
  expect(spec).toMatchObject({
    group: '11st.example.com',
    scope: 'Namespaced',
    names: { plural: 'elevenstapps', singular: 'elevenstapp', kind: 'ElevenStApp' },
    versions: [{ name: 'v1', served: true, storage: true }],
  })
  expect(spec.names.shortNames).toBeUndefined()
})

test('applies the defaults to the sample of the tutorial', async () => {
  const sample: unknown = parse(await readFile(new URL('sample.yaml', import.meta.url), 'utf8'))
  expect(ElevenStApp.parse(sample)).toMatchObject({
    metadata: { name: 'elevenst-service' },
    spec: { replicas: 1, port: 8080 },
  })
})
