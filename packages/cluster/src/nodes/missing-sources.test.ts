import type { Container, Volume } from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import type { PodView } from './behaviour/index.ts'
import { envProblem, hasSources, mountProblems, type SourceLookup } from './missing-sources.ts'

const lookup: SourceLookup = {
  configMap: (name) =>
    name === 'map'
      ? ({ metadata: { name }, data: { a: '' }, binaryData: { b: '' } } as never)
      : undefined,
  secret: (name) =>
    name === 'secret' ? ({ metadata: { name }, data: { a: '' } } as never) : undefined,
}

function podOf(container: Partial<Container>, volumes: readonly object[] = []): PodView {
  const containers = [{ name: 'app', ...container }]
  return { metadata: { namespace: 'ns', name: 'web' }, spec: { containers, volumes } } as never
}

const configMapKeyRef = { name: 'map', key: 'a' }
const secretKeyRef = { name: 'secret', key: 'a' }
const from = (...valueFrom: object[]): Partial<Container> => ({
  env: valueFrom.map((one, index) => ({ name: `V${index}`, valueFrom: one })),
})

describe('the environment of a container', () => {
  const rows: [Partial<Container>, string | undefined][] = [
    [{}, undefined],
    [from({ configMapKeyRef }, { secretKeyRef }), undefined],
    [from({ configMapKeyRef: { name: 'x', key: 'a' } }), 'configmap "x" not found'],
    [from({ secretKeyRef: { name: 'x', key: 'a' } }), 'secret "x" not found'],
    [
      from({ configMapKeyRef: { ...configMapKeyRef, key: 'k' } }),
      "couldn't find key k in ConfigMap ns/map",
    ],
    [
      from({ configMapKeyRef: { ...configMapKeyRef, key: 'b' } }),
      "couldn't find key b in ConfigMap ns/map",
    ],
    [
      from({ secretKeyRef: { ...secretKeyRef, key: 'toString' } }),
      "couldn't find key toString in Secret ns/secret",
    ],
    [from({ secretKeyRef: { name: 'x', key: 'a', optional: true } }), undefined],
    [from({ configMapKeyRef: { name: 'map', key: 'k', optional: true } }), undefined],
    [
      { envFrom: [{ configMapRef: { name: 'map' } }, { secretRef: { name: 'secret' } }] },
      undefined,
    ],
    [{ envFrom: [{ configMapRef: { name: 'x' } }] }, 'configmap "x" not found'],
    [{ envFrom: [{ secretRef: { name: 'x', optional: true } }] }, undefined],
    [
      {
        ...from({ secretKeyRef: { name: 'y', key: 'a' } }),
        envFrom: [{ secretRef: { name: 'x' } }],
      },
      'secret "x" not found',
    ],
  ]
  test.each(rows)('%j: %s', (container, problem) => {
    const pod = podOf(container)
    expect(envProblem(pod, container, lookup)).toBe(problem)
    expect(hasSources(pod)).toBe(Object.keys(container).length > 0)
  })
})

describe('the volumes of a pod', () => {
  const rows: [Partial<Volume>, string | undefined][] = [
    [{ configMap: { name: 'map', items: [{ key: 'b', path: 'b' }] } }, undefined],
    [{ secret: { secretName: 'secret' } }, undefined],
    [{ secret: { secretName: 'x', optional: true } }, undefined],
    [{ configMap: { name: 'x' } }, 'configmap "x" not found'],
    [{ secret: { secretName: 'x' } }, 'secret "x" not found'],
    [
      { configMap: { name: 'map', items: [{ key: 'k', path: 'k' }] } },
      'configmap references non-existent config key: k',
    ],
    [
      { secret: { secretName: 'secret', items: [{ key: 'k', path: 'k' }] } },
      'references non-existent secret key: k',
    ],
    [{ projected: { sources: [{ secret: { name: 'x' } }] } }, 'secret "x" not found'],
    [
      { projected: { sources: [{ secret: { name: 'x' } }, { configMap: { name: 'y' } }] } },
      '[secret "x" not found, configmap "y" not found]',
    ],
  ]
  test.each(rows)('%j: %s', (volume, problem) => {
    const pod = podOf({}, [{ name: 'v', ...volume }])
    const message = `MountVolume.SetUp failed for volume "v" : ${problem}`
    expect(mountProblems(pod, lookup)).toEqual(problem === undefined ? [] : [message])
    expect(hasSources(pod)).toBe(true)
  })

  test('do not count if they are empty or for the token of the service account', () => {
    const sources = [{ configMap: { name: 'kube-root-ca.crt' } }]
    const pod = podOf({}, [
      { name: 'tmp', emptyDir: {} },
      { name: 'kube-api-access-abcde', projected: { sources } },
    ])
    expect(hasSources(pod)).toBe(false)
    expect(mountProblems(pod, lookup)).toEqual([])
  })
})
