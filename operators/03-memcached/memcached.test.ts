import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CrdManifest } from 'setpoint'
import { crdDifferences } from '../../test/compare-crds.ts'
import { Memcached } from './memcached.ts'

const read = async (name: string): Promise<unknown> =>
  parse(await readFile(new URL(name, import.meta.url), 'utf8'))

test('extends the CRD that controller-gen generates from the Go types of the tutorial', async () => {
  const articleCrd = (await read('article-crd.yaml')) as CrdManifest
  // Intended differences: the spec is required, and the fields of the status are optional.
  expect(crdDifferences(articleCrd, Memcached.crd())).toMatchInlineSnapshot(`
    [
      ".spec.versions.0.additionalPrinterColumns: (none) -> {0, 1, 2, 3}",
      ".spec.versions.0.schema.properties.spec.properties.size.description: (none) -> "How many memcached pods run."",
      ".spec.versions.0.schema.properties.spec.properties.size.minimum: (none) -> 0",
      ".spec.versions.0.schema.properties.status.properties.conditions: (none) -> {type, description, x-kubernetes-list-type, x-kubernetes-list-map-keys, items}",
      ".spec.versions.0.schema.properties.status.properties.nodes.description: (none) -> "The names of the pods that run memcached."",
      ".spec.versions.0.schema.properties.status.properties.selector: (none) -> {type, description}",
      ".spec.versions.0.schema.properties.status.properties.size: (none) -> {type, format, description}",
      ".spec.versions.0.schema.properties.status.required: {0} -> (none)",
      ".spec.versions.0.schema.required: (none) -> {0}",
      ".spec.versions.0.subresources.scale: (none) -> {specReplicasPath, statusReplicasPath, labelSelectorPath}",
    ]
  `)
})

test('accepts the sample, and refuses a Memcached without a size', async () => {
  expect(Memcached.parse(await read('sample.yaml')).spec).toEqual({ size: 3 })
  expect(() => Memcached.parse({ spec: {} })).toThrow('spec.size: Required value')
})
