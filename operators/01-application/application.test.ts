import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CrdManifest } from 'setpoint'
import { crdDifferences } from '../../test/compare-crds.ts'
import { Application } from './application.ts'

const read = async (name: string): Promise<unknown> =>
  parse(await readFile(new URL(name, import.meta.url), 'utf8'))

test('extends the hand-written CRD of the tutorial that this example follows', async () => {
  const articleCrd = (await read('article-crd.yaml')) as CrdManifest
  // Intended differences: replicas is optional, ports have limits, and unknown fields are pruned
  // instead of preserved (z.looseObject preserves them), so that a misspelt field does not compile.
  expect(crdDifferences(articleCrd, Application.crd())).toMatchInlineSnapshot(`
    [
      ".spec.versions.0.additionalPrinterColumns: (none) -> {0, 1, 2, 3, 4}",
      ".spec.versions.0.schema.description: (none) -> "A web application, run as a Deployment behind a Service."",
      ".spec.versions.0.schema.properties.spec.properties.image.description: (none) -> "The container image to run."",
      ".spec.versions.0.schema.properties.spec.properties.image.minLength: (none) -> 1",
      ".spec.versions.0.schema.properties.spec.properties.port.description: (none) -> "The port the container listens on and the Service serves."",
      ".spec.versions.0.schema.properties.spec.properties.port.format: (none) -> "int32"",
      ".spec.versions.0.schema.properties.spec.properties.port.maximum: (none) -> 65535",
      ".spec.versions.0.schema.properties.spec.properties.port.minimum: (none) -> 1",
      ".spec.versions.0.schema.properties.spec.properties.replicas.default: (none) -> 1",
      ".spec.versions.0.schema.properties.spec.properties.replicas.description: (none) -> "The number of pods."",
      ".spec.versions.0.schema.properties.spec.properties.replicas.format: (none) -> "int32"",
      ".spec.versions.0.schema.properties.spec.properties.replicas.minimum: (none) -> 0",
      ".spec.versions.0.schema.properties.spec.required.1: "replicas" -> "port"",
      ".spec.versions.0.schema.properties.spec.required.2: "port" -> (none)",
      ".spec.versions.0.schema.properties.spec.x-kubernetes-preserve-unknown-fields: true -> (none)",
      ".spec.versions.0.schema.properties.status.properties: (none) -> {url, create, conditions}",
      ".spec.versions.0.schema.properties.status.x-kubernetes-preserve-unknown-fields: true -> (none)",
      ".spec.versions.0.subresources: (none) -> {status}",
    ]
  `)
})

test('applies the defaults to the sample', async () => {
  expect(Application.parse(await read('sample.yaml')).spec).toEqual({
    image: 'ghcr.io/shclub/nginx',
    replicas: 1,
    port: 80,
  })
})

test('accepts the object of the tutorial unchanged', () => {
  const spec = { image: 'ghcr.io/shclub/nginx', replicas: 1, port: 80 }
  const object = {
    apiVersion: 'shclub.github.io/v1',
    kind: 'Application',
    metadata: { name: 'nginx' },
    spec,
  }
  expect(Application.parse(object)).toEqual(object)
})
