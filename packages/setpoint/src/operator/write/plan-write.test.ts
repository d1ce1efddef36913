import { expect, test } from 'vitest'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { diffObjects } from '../../patch/index.ts'
import type { ChildManifest } from '../manifest/child-manifest.ts'
import { withApplied } from './applied-annotation.ts'
import { type DesiredWrite, firstStep, nextStep, type WriteStep } from './plan-write.ts'
import { overridesPatch } from './server-overrides.ts'

type RefusalCode = Parameters<typeof nextStep>[1]['code']
type NextStep = ReturnType<typeof nextStep>

const owner: ApiResource = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', uid: 'owner-uid', resourceVersion: '1' },
}

const manifest: ChildManifest = {
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'w',
      namespace: 'default',
      annotations: {},
      ownerReferences: [
        {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          name: 'w',
          uid: 'owner-uid',
          controller: true,
        },
      ],
    },
    data: { color: 'red' },
  },
  hash: { content: 'c1', shape: 's1' },
  marks: [],
  generation: 1,
  isCollected: true,
}

const desired: DesiredWrite = {
  owner,
  manifest,
  listTypes: {},
  isCreateOnly: false,
  adopts: false,
  onImmutable: 'report',
}

/** The object as a server has it after a manifest was written. */
function liveOf(
  written: ChildManifest,
  by: 'apply' | 'update' = 'update',
  over: { data?: object; metadata?: object } = {},
): ApiResource {
  const object = withApplied(written, by)
  return {
    ...object,
    ...over,
    metadata: { ...object.metadata, uid: 'u', resourceVersion: '7', ...over.metadata },
  }
}

const otherValue = { ...manifest, hash: { content: 'c0', shape: 's1' } }
const otherShape = { ...manifest, hash: { content: 'c0', shape: 's0' } }
const drifted = liveOf(manifest, 'update', { data: { color: 'blue' } })

function withOverride(live: ApiResource): ApiResource {
  const { merge } = overridesPatch(live, diffObjects(live, manifest.object, {}))
  const { annotations } = (merge as { metadata: { annotations: Record<string, string> } }).metadata
  const { metadata } = live
  return {
    ...live,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  }
}

const unowned = liveOf(otherShape, 'update', { metadata: { ownerReferences: undefined } })
const terminating = liveOf(otherValue, 'update', {
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
})

test.each<[string, ApiResource | undefined, Partial<DesiredWrite>, WriteStep]>([
  ['a missing object is created', undefined, {}, 'create'],
  ['an object as desired is left alone', liveOf(manifest), {}, 'none'],
  ['drift is corrected', drifted, {}, 'edit'],
  ['a field that the server overrides is not sent again', withOverride(drifted), {}, 'none'],
  ['other values of the same fields are edited', liveOf(otherValue), {}, 'edit'],
  ['other fields are applied', liveOf(otherShape, 'apply'), {}, 'apply'],
  [
    'fields of plain writes are taken over before other fields are applied',
    liveOf(otherShape, 'update'),
    {},
    'takeOverFields',
  ],
  [
    'an object without our annotation is taken over',
    { ...liveOf(manifest), metadata: owner.metadata },
    {},
    'takeOverFields',
  ],
  ['a terminating object is left alone', terminating, {}, 'none'],
  [
    'an owned object that is only created is left alone',
    liveOf(otherShape),
    { isCreateOnly: true },
    'none',
  ],
  ['an unowned object that is only created is adopted', unowned, { isCreateOnly: true }, 'adopt'],
])('%s', (...[, live, over, step]) => {
  expect(firstStep(live, { ...desired, ...over }).step).toBe(step)
})

test('an adopted object gets its owner and no other field', () => {
  const { difference } = firstStep(unowned, { ...desired, isCreateOnly: true })
  expect(difference.operations.map(({ path }) => path)).toEqual(['/metadata/ownerReferences'])
})

const either = [true, false]

test.each<[WriteStep, RefusalCode, readonly boolean[], NextStep]>([
  ['create', 'API_ALREADY_EXISTS', either, 'read'],
  ['create', 'API_INVALID', either, 'fail'],
  ['edit', 'API_CONFLICT', either, 'patch'],
  ['edit', 'API_FORBIDDEN', either, 'patch'],
  ['edit', 'API_INVALID', [true], 'replaceLists'],
  ['edit', 'API_INVALID', [false], 'apply'],
  ['patch', 'API_INVALID', [true], 'replaceLists'],
  ['patch', 'API_BAD_REQUEST', [true], 'replaceLists'],
  ['patch', 'API_INVALID', [false], 'apply'],
  ['patch', 'API_CONFLICT', [false], 'apply'],
  ['patch', 'API_BAD_REQUEST', [false], 'apply'],
  ['patch', 'API_FORBIDDEN', either, 'fail'],
  ['takeOverFields', 'API_CONFLICT', either, 'fail'],
  ['apply', 'API_INVALID', either, 'replaceLists'],
  ['apply', 'API_CONFLICT', either, 'fail'],
  ['replaceLists', 'API_INVALID', either, 'failAsBefore'],
  ['replaceLists', 'API_CONFLICT', either, 'fail'],
  ['adopt', 'API_CONFLICT', either, 'fail'],
  ['recreate', 'API_CONFLICT', either, 'fail'],
  ['edit', 'OTHER', either, 'fail'],
])('after %s and %s (names a field: %j) comes %s', (...[step, code, namesField, next]) => {
  for (const names of namesField) {
    expect(nextStep(step, { code, namesField: names }, desired)).toBe(next)
  }
})

test('an immutable field recreates the object only where the author asks for it', () => {
  const refusal = { code: 'API_INVALID', namesField: true } as const
  expect(nextStep('replaceLists', refusal, { onImmutable: 'replace' })).toBe('recreate')
  expect(nextStep('replaceLists', refusal, { onImmutable: 'report' })).toBe('failAsBefore')
})
