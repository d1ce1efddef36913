import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { type AnyOperator, defineResource, operator } from 'setpoint'
import { nodeHost, virtualHost } from 'setpoint/host'
import { ConfigMap } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { bundleFiles } from '../bundle/index.ts'
import { parseCommand } from '../command/index.ts'
import { scorecardCommand } from '../commands/bundle-command.ts'
import type { ApiObject } from '../kubectl/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { observeExamples } from './observe-examples.ts'
import { runScorecard } from './run-scorecard.ts'
import { scoredBundle, type ScoredBundle } from './scored-bundle.ts'
import { scorecardResults } from './scorecard-tests.ts'

const Note = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string() }),
  status: z.object({ length: z.int32().optional() }),
})

const note: ApiObject = {
  apiVersion: 'example.com/v1',
  kind: 'Note',
  metadata: { name: 'sample' },
  spec: { text: 'hello' },
}

const notes = operator(Note)
  .child('data', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
  .status(({ spec }) => ({ length: spec.text.length }))

function bundleOf(one: AnyOperator, examples: readonly ApiObject[] = [note]): ScoredBundle {
  const project = { folder: '/p', name: 'notes', version: '1.2.3', settings: {} }
  const source = { project, operators: [one] }
  return scoredBundle(bundleFiles({ source, options: {}, examples, icon: undefined }))
}

/** The failed tests, with their errors. */
async function failures(one: AnyOperator, change: (bundle: ScoredBundle) => ScoredBundle) {
  using host = virtualHost({ seed: 1 })
  const bundle = change(bundleOf(one))
  const { examples } = bundle
  const observed = await observeExamples(host, [one], { examples, waitMs: 10_000 })
  const results = scorecardResults(bundle, observed)
  const failed = results.filter(({ state }) => state === 'fail')
  return {
    failed: Object.fromEntries(failed.map(({ name, errors }) => [name, errors])),
    suggestions: results.flatMap(({ suggestions }) => suggestions),
  }
}

const same = (bundle: ScoredBundle): ScoredBundle => bundle

test('an operator with a child, a status and an example passes all tests', async () => {
  expect(await failures(notes, same)).toEqual({ failed: {}, suggestions: [] })
})

test('an operator that does nothing fails, and no kind is declared', async () => {
  const idle = operator(Note).onEvent(async () => undefined)
  expect((await failures(idle, same)).failed).toEqual({
    'basic-check-status': ['Note sample has no status'],
    'basic-check-effect': ['Note sample has no effect: the operators wrote nothing'],
    'olm-crds-have-resources': ['Note has no resources: no kind is declared by its operator'],
  })
})

test('an example that the API server refuses fails the basic tests', async () => {
  const broken = { ...note, spec: { text: 7 } }
  const { failed } = await failures(notes, (bundle) => ({ ...bundle, examples: [broken] }))
  expect(Object.keys(failed)).toEqual([
    'basic-check-spec',
    'basic-check-status',
    'basic-check-effect',
  ])
  expect(failed['basic-check-spec']?.[0]).toContain('the API server refused Note sample')
})

test('fields without a descriptor or a schema are named', async () => {
  const { failed } = await failures(notes, (bundle) => {
    const [owned] = bundle.csv.spec.customresourcedefinitions.owned
    if (owned === undefined) throw new Error('there is no owned CRD')
    const customresourcedefinitions = {
      owned: [{ ...owned, specDescriptors: [], statusDescriptors: [] }],
    }
    const spec = { ...bundle.csv.spec, customresourcedefinitions, version: 'one' }
    return { ...bundle, csv: { ...bundle.csv, spec } }
  })
  expect(failed).toMatchObject({
    'olm-bundle-validation': [
      'one is not a semantic version',
      'the name notes.v1.2.3 does not end with .vone',
    ],
    'olm-spec-descriptors': ['spec.text of Note has no descriptor'],
    'olm-status-descriptors': expect.arrayContaining([
      'status.length of Note has no descriptor',
    ]) as unknown,
  })
})

test('kinds that the operators create without declaring them are suggested', async () => {
  const hidden = operator(Note)
    .child('data', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
    .status(({ spec }) => ({ length: spec.text.length }))
  const { suggestions } = await failures(hidden, (bundle) => {
    const [owned] = bundle.csv.spec.customresourcedefinitions.owned
    if (owned === undefined) throw new Error('there is no owned CRD')
    const customresourcedefinitions = { owned: [{ ...owned, resources: [{ kind: 'Secret' }] }] }
    return {
      ...bundle,
      csv: { ...bundle.csv, spec: { ...bundle.csv.spec, customresourcedefinitions } },
    }
  })
  expect(suggestions).toEqual(['Note owns ConfigMap objects: name the kind by .owns'])
})

test('setpoint scorecard prints a TestList of an example operator', async () => {
  const folder = fileURLToPath(new URL('../../../../operators/01-application', import.meta.url))
  const terminal = new RecordingTerminal()
  const parsed = parseCommand([scorecardCommand], ['scorecard', '--json'])
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const context = { host: nodeHost(), terminal, folder, signal: new AbortController().signal }
  expect(await runScorecard(context, parsed.input)).toBe(0)
  const list = JSON.parse(terminal.text) as { kind: string; items: { status: object }[] }
  expect(list).toMatchObject({
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'TestList',
  })
  expect(list.items.map(({ status }) => status)).toEqual(
    list.items.map(() => ({ results: [expect.objectContaining({ state: 'pass', errors: [] })] })),
  )
  expect(list.items).toHaveLength(8)
})
