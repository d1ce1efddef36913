import { expectTypeOf, test } from 'vitest'
import type {
  ClusterRole,
  ConfigMap,
  DaemonSet,
  Deployment,
  InferResource,
  Manifest,
  Namespace,
  Observed,
  Role,
  StoredMetadata,
  TokenReview,
} from './index.ts'

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
}

test("infers the type of a kind's objects", () => {
  expectTypeOf<InferResource<typeof Deployment>>().toEqualTypeOf<Deployment>()
  expectTypeOf<Deployment['apiVersion']>().toEqualTypeOf<'apps/v1'>()
  expectTypeOf<Deployment['metadata']>().toEqualTypeOf<StoredMetadata<'Namespaced'>>()
})

test('has an identity and, for a namespaced kind, a namespace on objects that were read', () => {
  expectTypeOf<Deployment['metadata']['namespace']>().toEqualTypeOf<string>()
  expectTypeOf<Deployment['metadata']['uid']>().toEqualTypeOf<string>()
  expectTypeOf<Namespace['metadata']['namespace']>().toEqualTypeOf<undefined>()
  expectTypeOf<TokenReview['metadata']['uid']>().toEqualTypeOf<string | undefined>()
})

test('requires a name and the fields that must not be empty in a manifest', () => {
  const deployment: Manifest<Deployment> = {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  }
  const namespace: Manifest<Namespace> = { metadata: { name: 'team' } }
  const configMap: Manifest<ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'team' },
    data: { level: 'debug' },
  }
  const review: Manifest<TokenReview> = { spec: { token: 'secret' } }
  // @ts-expect-error a Deployment requires a spec
  const noSpec: Manifest<Deployment> = { metadata: { name: 'web' } }
  const generated: Manifest<ConfigMap> = {
    metadata: { generateName: 'settings-', finalizers: ['example.com/keep'] as const },
  }
  const twoNames: Manifest<ConfigMap> = {
    // @ts-expect-error a name is given or generated
    metadata: { name: 'settings', generateName: 'settings-' },
  }
  // @ts-expect-error an object needs a name
  const noName: Manifest<ConfigMap> = { metadata: {} }
  // @ts-expect-error a namespace is not in a namespace
  const nested: Manifest<Namespace> = { metadata: { name: 'team', namespace: 'other' } }
  // @ts-expect-error the kind has a fixed name
  const misnamed: Manifest<ConfigMap> = { kind: 'Secret', metadata: { name: 'settings' } }
  const withStatus: Manifest<Deployment> = {
    ...deployment,
    // @ts-expect-error a manifest has no status
    status: {},
  }
  const misspelt: Manifest<Deployment> = {
    metadata: { name: 'web' },
    // @ts-expect-error no such field
    spec: { selector: {}, template, replcias: 2 },
  }
  const all = [
    generated,
    twoNames,
    namespace,
    configMap,
    review,
    noSpec,
    noName,
    nested,
    misnamed,
    withStatus,
    misspelt,
  ]
  expectTypeOf(all).toBeArray()
})

test('accepts read-only lists in a manifest', () => {
  const rules: readonly { readonly verbs: readonly string[] }[] = []
  expectTypeOf({ metadata: { name: 'reader' }, rules }).toExtend<Manifest<ClusterRole>>()
  expectTypeOf(rules).toExtend<Manifest<Role>['rules']>()
})

test('accepts read-only and partial objects of the right kind in status helpers', () => {
  type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
  expectTypeOf<DeepReadonly<Deployment>>().toExtend<Observed<Deployment>>()
  expectTypeOf<Deployment>().toExtend<Observed<Deployment>>()
  expectTypeOf<DaemonSet>().not.toExtend<Observed<Deployment>>()
})
