import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compileStrict } from '../../../../test/compile-strict.ts'
import { readModel } from '../../../../scripts/generate-kinds/definitions.ts'
import { generateKinds, outdatedFiles } from '../../../../scripts/generate-kinds/generate.ts'
import * as kinds from './index.ts'
import type { Kind } from './kind.ts'

const dataFolder = new URL('../../../../scripts/generate-kinds/data/', import.meta.url)
const values = new Map<string, unknown>(Object.entries(kinds))

test("has committed files equal to the generator's output", () => {
  expect(outdatedFiles()).toEqual([])
})

test('generates the same bytes every time', () => {
  expect([...generateKinds()]).toEqual([...generateKinds()])
})

test('exports every resource of the API server with its identity in discovery', () => {
  const resources = [...readModel().definitions.values()].filter(
    (one) => one.resource !== undefined,
  )
  expect(resources).toHaveLength(68)
  for (const { name, apiVersion, kind, resource } of resources) {
    expect(values.get(name), name).toMatchObject({
      apiVersion,
      kind,
      plural: resource?.resource,
      scope: resource?.scope,
      subresources: (resource?.subresources ?? []).map(({ subresource }) => subresource),
    } satisfies Partial<Record<keyof Kind, unknown>>)
  }
})

test('gives the plain name to the more common of two kinds', () => {
  expect(kinds.HorizontalPodAutoscaler.apiVersion).toBe('autoscaling/v2')
  expect(kinds.HorizontalPodAutoscalerV1.apiVersion).toBe('autoscaling/v1')
  expect(kinds.Event.apiVersion).toBe('v1')
  expect(kinds.EventsEvent.apiVersion).toBe('events.k8s.io/v1')
  expect(kinds.ResourceClaim.apiVersion).toBe('resource.k8s.io/v1')
})

test('lists verbs exactly for the kinds that lack some', () => {
  const withVerbs = [...values].filter(
    ([, value]) => typeof value === 'object' && value !== null && 'verbs' in value,
  )
  expect(withVerbs.map(([name]) => name).sort()).toEqual([
    'Binding',
    'ComponentStatus',
    'LocalSubjectAccessReview',
    'Namespace',
    'SelfSubjectAccessReview',
    'SelfSubjectReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
    'TokenReview',
  ])
})

test('has types that match objects of a real API server', () => {
  const objects = JSON.parse(
    gunzipSync(readFileSync(new URL('stored-objects.json.gz', dataFolder))).toString(),
  ) as { type: string; case: string; object: unknown }[]
  const lines = objects.map(
    ({ type, object }, index) => `export const o${index}: k.${type} = ${JSON.stringify(object)}`,
  )
  const source = [`import type * as k from './index.ts'`, ...lines].join('\n')
  const problems = compileStrict({ 'stored-objects.ts': source }).map((problem) => {
    const line = Number(/:(\d+) /.exec(problem)?.[1])
    const { type, case: name } = objects[line - 2] ?? { type: '?', case: '?' }
    return `${type} ${name}: ${problem.replace(/^\S+ /, '')}`
  })
  expect(objects.length).toBeGreaterThan(100)
  // A status inside a claim template, where it has no meaning.
  expect(problems).toEqual([
    expect.stringMatching(/^StatefulSet .*"status"' does not exist in type 'Manifest</),
  ])
})
