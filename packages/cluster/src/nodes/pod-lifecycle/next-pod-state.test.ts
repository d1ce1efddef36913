import type { Container, Pod, PodSpec, PodStatus } from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import { type PodBehaviour, PodBehaviours } from '../behaviour/index.ts'
import { nextPodState } from './next-pod-state.ts'

const beginMs = Date.UTC(2030, 0, 1)

function podOf(spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u-1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      generation: 1,
      ...metadata,
    },
    spec: { restartPolicy: 'Always', containers: [container('app')], nodeName: 'n1', ...spec },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  }
}

function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: 'nginx', imagePullPolicy: 'IfNotPresent', ...more }
}

/** A pod with its clock: `at` advances it to a time and computes its state whenever it asked to. */
class Life {
  pod: Pod
  readonly events: string[] = []
  readonly statuses: PodStatus[] = []
  canBeRemoved = false
  wakeAtMs: number | undefined = 0
  readonly #recorded = new Set<string>()
  readonly #behaviours = new PodBehaviours()

  constructor(pod: Pod, behaviour: PodBehaviour = {}) {
    this.pod = pod
    this.behave(behaviour)
    this.compute(0)
  }

  behave(behaviour: PodBehaviour): void {
    this.#behaviours.behave({}, behaviour)
  }

  compute(elapsedMs: number): void {
    const state = nextPodState({
      pod: this.pod,
      behaviourOf: this.#behaviours.of(this.pod),
      nowMs: beginMs + elapsedMs,
      hostIP: '172.18.0.2',
      podIP: '10.244.0.2',
    })
    for (const { reason, message, fieldPath = '', isRecordedOnce } of state.events) {
      const key = `${fieldPath} ${reason}`
      if (isRecordedOnce === true && this.#recorded.has(key)) continue
      if (isRecordedOnce === true) this.#recorded.add(key)
      this.events.push(`${reason}: ${message}`)
    }
    if (JSON.stringify(state.status) !== JSON.stringify(this.pod.status)) {
      this.statuses.push(state.status)
    }
    this.pod = { ...this.pod, status: state.status }
    this.canBeRemoved = state.canBeRemoved
    this.wakeAtMs = state.wakeAtMs === undefined ? undefined : state.wakeAtMs - beginMs
  }

  at(elapsedMs: number): string {
    while (this.wakeAtMs !== undefined && this.wakeAtMs < elapsedMs) this.compute(this.wakeAtMs)
    this.compute(elapsedMs)
    return this.text
  }

  delete(elapsedMs: number, graceSeconds = 30): void {
    const deletionTimestamp = new Date(beginMs + elapsedMs + graceSeconds * 1000).toISOString()
    const deletionGracePeriodSeconds = graceSeconds
    const metadata = { ...this.pod.metadata, deletionTimestamp, deletionGracePeriodSeconds }
    this.pod = { ...this.pod, metadata }
    this.compute(elapsedMs)
  }

  /** `Running Ready app=running/1`, with the number of restarts. */
  get text(): string {
    const { phase, conditions = [], ...rest } = this.pod.status ?? {}
    const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
    const statuses = [...(rest.initContainerStatuses ?? []), ...(rest.containerStatuses ?? [])]
    return [
      `${phase}${isReady ? ' Ready' : ''}`,
      ...statuses.map(({ name, state = {}, restartCount }) => {
        const { running, waiting, terminated } = state
        const what = running ? 'running' : (waiting?.reason ?? `exit ${terminated?.exitCode}`)
        return `${name}=${what}/${restartCount}`
      }),
    ].join(' ')
  }

  condition(conditionType: string): string {
    const { conditions = [] } = this.pod.status ?? {}
    const found = conditions.find(({ type }) => type === conditionType)
    return [found?.status, found?.reason, found?.message].filter(Boolean).join(' ')
  }
}

test('runs a pod without a behaviour and makes it ready immediately, with the status of a kubelet', () => {
  const life = new Life(podOf())
  expect(life.text).toBe('Running Ready app=running/0')
  expect(life.wakeAtMs).toBeUndefined()
  expect(life.events).toEqual([
    'Pulled: Container image "nginx" already present on machine and can be accessed by the pod',
    'Created: Container created',
    'Started: Container started',
  ])
  const time = '2030-01-01T00:00:00Z'
  const condition = (type: string): object => ({
    type,
    status: 'True',
    observedGeneration: 1,
    lastProbeTime: null,
    lastTransitionTime: time,
  })
  expect(life.pod.status).toEqual({
    phase: 'Running',
    qosClass: 'BestEffort',
    observedGeneration: 1,
    startTime: time,
    hostIP: '172.18.0.2',
    hostIPs: [{ ip: '172.18.0.2' }],
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    resources: {},
    conditions: [
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
    ].map(condition),
    containerStatuses: [
      {
        name: 'app',
        ready: true,
        started: true,
        restartCount: 0,
        image: 'docker.io/library/nginx:latest',
        imageID: expect.stringMatching(
          /^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/,
        ) as unknown,
        containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/) as unknown,
        state: { running: { startedAt: time } },
        lastState: {},
        resources: {},
        user: { linux: { uid: 0, gid: 0, supplementalGroups: [0] } },
      },
    ],
  })
})

test('changes nothing when it is computed again', () => {
  const life = new Life(podOf(), { readyAfter: 1500 })
  for (const elapsedMs of [100, 1400, 1600, 1600, 90_000]) life.compute(elapsedMs)
  expect(life.statuses).toHaveLength(2)
})

describe('readiness of a container', () => {
  const rows: [PodBehaviour, Record<number, string>][] = [
    [{ readyAfter: 2500 }, { 2499: 'Running app=running/0', 2500: 'Running Ready app=running/0' }],
    [{ neverReady: true }, { 900_000: 'Running app=running/0' }],
    [
      { unready: [{ from: 1000, to: 3000 }, { from: 9000 }] },
      {
        999: 'Running Ready app=running/0',
        1000: 'Running app=running/0',
        3000: 'Running Ready app=running/0',
        9000: 'Running app=running/0',
        90_000: 'Running app=running/0',
      },
    ],
    [
      { pullTime: 4000, startedAfter: 3000, readyAfter: 1000 },
      {
        3999: 'Pending app=ContainerCreating/0',
        4000: 'Running app=running/0',
        6999: 'Running app=running/0',
        7000: 'Running Ready app=running/0',
      },
    ],
  ]
  test.each(rows)('%j', (behaviour, times) => {
    const life = new Life(podOf(), behaviour)
    const seen = Object.keys(times).map((at) => [at, life.at(Number(at))])
    expect(Object.fromEntries(seen)).toEqual(times)
  })
})

test('lists unready containers in the conditions', () => {
  const containers = [container('b'), container('a'), container('c')]
  const life = new Life(podOf({ containers }), {
    containers: { a: { neverReady: true }, b: { neverReady: true } },
  })
  expect(life.text).toBe('Running a=running/0 b=running/0 c=running/0')
  expect(life.condition('Ready')).toBe(
    'False ContainersNotReady containers with unready status: [b a]',
  )
  expect(life.condition('ContainersReady')).toBe(life.condition('Ready'))
})

test('backs off restarts of a failing container up to five minutes, and resets after it ran for ten', () => {
  const life = new Life(podOf(), { exits: { code: 1 } })
  const starts: number[] = []
  let seen = 1
  while (starts.length < 9) {
    const atMs = life.wakeAtMs ?? NaN
    life.compute(atMs)
    const { restartCount = 0 } = life.pod.status?.containerStatuses?.[0] ?? {}
    if (restartCount > seen) starts.push(atMs / 1000)
    seen = restartCount
  }
  expect(starts).toEqual([10, 30, 70, 150, 310, 610, 910, 1210, 1510])
  const [status] = life.pod.status?.containerStatuses ?? []
  expect(status?.state).toEqual({
    waiting: {
      reason: 'CrashLoopBackOff',
      message: 'back-off 5m0s restarting failed container=app pod=web_default(u-1)',
    },
  })
  expect(life.condition('Ready')).toBe(
    'False ContainersNotReady containers with unready status: [app]',
  )
  life.behave({ exits: { code: 1, after: 601_000 } })
  expect(life.at(1_810_000)).toBe('Running Ready app=running/11')
  expect(life.at(1_810_000 + 601_000)).toBe('Running Ready app=running/12')
  life.behave({ exits: { code: 1, after: 1000 } })
  life.at(1_810_000 + 602_000)
  expect(life.text).toBe('Running app=CrashLoopBackOff/12')
  expect(life.pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain('back-off 10s')
})

test('keeps the last termination of a container that fails twice and then works', () => {
  const life = new Life(podOf(), { exits: [{ code: 3, message: 'no config' }, { code: 4 }] })
  expect(life.text).toBe('Running app=CrashLoopBackOff/1')
  expect(life.at(10_000)).toBe('Running Ready app=running/2')
  const [status] = life.pod.status?.containerStatuses ?? []
  expect(status?.lastState?.terminated).toMatchObject({ exitCode: 4, reason: 'Error' })
  expect(life.wakeAtMs).toBeUndefined()
  expect(life.events.filter((event) => event.startsWith('BackOff'))).toEqual([
    'BackOff: Back-off restarting failed container app in pod web_default(u-1)',
  ])
})

describe('pods that finish', () => {
  const rows: [NonNullable<PodSpec['restartPolicy']>, PodBehaviour, string][] = [
    ['Never', {}, 'Succeeded app=exit 0/0'],
    ['OnFailure', {}, 'Succeeded app=exit 0/0'],
    ['Never', { exits: { code: 2 } }, 'Failed app=exit 2/0'],
    ['Never', { exits: 'never' }, 'Running Ready app=running/0'],
    ['OnFailure', { exits: { code: 2 } }, 'Running app=CrashLoopBackOff/1'],
    ['OnFailure', { exits: [{ code: 2 }] }, 'Succeeded app=exit 0/1'],
    ['Always', { exits: { code: 0 } }, 'Running app=CrashLoopBackOff/1'],
  ]
  test.each(rows)('restartPolicy %s with %j', (restartPolicy, behaviour, text) => {
    expect(new Life(podOf({ restartPolicy }), behaviour).text).toBe(text)
  })

  test('report their success in the conditions', () => {
    const good = new Life(podOf({ restartPolicy: 'Never' }))
    const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady']
    expect(types.map((type) => good.condition(type))).toEqual([
      'False',
      'True PodCompleted',
      'False PodCompleted',
      'False PodCompleted',
    ])
    const bad = new Life(podOf({ restartPolicy: 'Never' }), { exits: { code: 1 } })
    expect(types.map((type) => bad.condition(type))).toEqual([
      'False',
      'True',
      'False PodFailed',
      'False PodFailed',
    ])
    expect(bad.pod.status?.containerStatuses?.[0]?.state?.terminated?.reason).toBe('Error')
  })

  test('apply restart rules of a container before the policy of the pod', () => {
    const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } }
    const containers = [container('app', { restartPolicy: 'Never', restartPolicyRules: [rule] })]
    const life = new Life(podOf({ restartPolicy: 'Never', containers }), { exits: [{ code: 42 }] })
    expect(life.text).toBe('Succeeded app=exit 0/1')
  })
})

describe('init containers', () => {
  const initContainers = [container('first'), container('second')]

  test('run one after the other before the other containers', () => {
    const life = new Life(podOf({ initContainers }), {
      containers: { first: { exits: { code: 0, after: 5000 } }, second: { pullTime: 2000 } },
    })
    expect(life.text).toBe('Pending first=running/0 second=PodInitializing/0 app=PodInitializing/0')
    expect(life.condition('Initialized')).toBe(
      'False ContainersNotInitialized containers with incomplete status: [first second]',
    )
    expect(life.at(5000)).toBe(
      'Pending first=exit 0/0 second=PodInitializing/0 app=PodInitializing/0',
    )
    expect(life.at(7000)).toBe('Running Ready first=exit 0/0 second=exit 0/0 app=running/0')
    expect(life.condition('Initialized')).toBe('True')
    expect(life.events.filter((event) => event.startsWith('Pull'))).toEqual([
      'Pulled: Container image "nginx" already present on machine and can be accessed by the pod',
      'Pulling: Pulling image "nginx"',
      'Pulled: Successfully pulled image "nginx" in 2s (2s including waiting). Image size: 10485760 bytes.',
      'Pulled: Container image "nginx" already present on machine and can be accessed by the pod',
    ])
  })

  test.each([
    ['Never', 'Failed first=exit 1/0 second=PodInitializing/0 app=PodInitializing/0'],
    ['Always', 'Pending first=CrashLoopBackOff/1 second=PodInitializing/0 app=PodInitializing/0'],
  ] as const)('that fail with restartPolicy %s', (restartPolicy, text) => {
    const behaviour = { containers: { first: { exits: { code: 1 } } } }
    expect(new Life(podOf({ initContainers, restartPolicy }), behaviour).text).toBe(text)
  })

  test('start sidecars before the other containers and stop them after', () => {
    const sidecars = [container('proxy', { restartPolicy: 'Always' }), container('setup')]
    const life = new Life(podOf({ initContainers: sidecars, restartPolicy: 'Never' }), {
      exits: { code: 0, after: 8000 },
      containers: { proxy: { startedAfter: 3000, terminationTime: 2000 } },
    })
    expect(life.text).toBe('Pending proxy=running/0 setup=PodInitializing/0 app=PodInitializing/0')
    expect(life.at(3000)).toBe('Running Ready proxy=running/0 setup=exit 0/0 app=running/0')
    expect(life.at(11_000)).toBe('Running proxy=running/0 setup=exit 0/0 app=exit 0/0')
    expect(life.at(13_000)).toBe('Succeeded proxy=exit 143/0 setup=exit 0/0 app=exit 0/0')
    expect(life.events.at(-1)).toBe('Killing: Stopping container proxy')
  })

  test('restart sidecars while the other containers run', () => {
    const proxy = container('proxy', { restartPolicy: 'Always' })
    const life = new Life(podOf({ initContainers: [proxy] }), {
      containers: { proxy: { exits: [{ code: 1, after: 4000 }, { code: 1 }] } },
    })
    expect(life.at(4000)).toBe('Running proxy=CrashLoopBackOff/1 app=running/0')
    expect(life.at(14_000)).toBe('Running Ready proxy=running/2 app=running/0')
  })
})

describe('images', () => {
  test('retry failed pulls with a growing backoff', () => {
    const life = new Life(podOf(), { pullError: 'not found' })
    const seen = [0, 4999, 5000, 9999, 10_000, 15_000, 29_999, 30_000, 69_999, 70_000]
    const reasons = seen.map((at) => life.at(at).replace('Pending app=', ''))
    const [shown, waiting] = ['ErrImagePull/0', 'ImagePullBackOff/0']
    expect(reasons).toEqual([
      shown,
      shown,
      waiting,
      waiting,
      shown,
      waiting,
      waiting,
      shown,
      waiting,
      shown,
    ])
    expect(life.events.slice(0, 5)).toEqual([
      'Pulling: Pulling image "nginx"',
      'Failed: Failed to pull image "nginx": not found',
      'Failed: Error: ErrImagePull',
      'BackOff: Back-off pulling image "nginx"',
      'Failed: Error: ImagePullBackOff',
    ])
    life.at(80_000)
    expect(life.pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'Back-off pulling image "nginx": ErrImagePull: not found',
    )
  })

  test('are pulled with imagePullPolicy Always', () => {
    const life = new Life(podOf({ containers: [container('app', { imagePullPolicy: 'Always' })] }))
    expect(life.events.slice(0, 2)).toEqual([
      'Pulling: Pulling image "nginx"',
      'Pulled: Successfully pulled image "nginx" in 0s (0s including waiting). Image size: 10485760 bytes.',
    ])
  })
})

test('reports a create error in the container status', () => {
  const life = new Life(podOf(), { createError: 'configmap "x" not found' })
  expect(life.at(60_000)).toBe('Pending app=CreateContainerConfigError/0')
  expect(life.events).toEqual([
    expect.stringContaining('Pulled: '),
    'Failed: Error: configmap "x" not found',
  ])
})

test('records a failed liveness probe before the restart', () => {
  const life = new Life(podOf(), { exits: [{ code: 137, after: 6000, failedProbe: 'liveness' }] })
  expect(life.at(6000)).toBe('Running Ready app=running/1')
  expect(life.events.slice(3, 5)).toEqual([
    'Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500',
    'Killing: Container app failed liveness probe, will be restarted',
  ])
})

test('fails a pod after its active deadline', () => {
  const life = new Life(podOf({ activeDeadlineSeconds: 20 }))
  expect(life.at(19_999)).toBe('Running Ready app=running/0')
  expect(life.at(20_000)).toBe('Failed app=exit 143/0')
  expect(life.pod.status).toMatchObject({
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  })
  expect(life.events.slice(3)).toEqual([
    'Killing: Stopping container app',
    'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
  ])
})

describe('deletion', () => {
  const rows: [PodBehaviour, number, string][] = [
    [{}, 0, 'Failed app=exit 143/0'],
    [{ terminationExitCode: 0 }, 0, 'Succeeded app=exit 0/0'],
    [{ terminationTime: 4000 }, 4000, 'Failed app=exit 143/0'],
    [{ terminationTime: 90_000 }, 30_000, 'Failed app=exit 137/0'],
    [{ exits: { code: 1 } }, 0, 'Failed app=exit 1/1'],
    [{ pullTime: 60_000 }, 0, 'Failed app=exit 137/0'],
  ]
  test.each(rows)('with %j takes %d ms', (behaviour, takesMs, text) => {
    const life = new Life(podOf(), behaviour)
    life.delete(2000)
    if (takesMs > 0) {
      life.at(2000 + takesMs - 1)
      expect(life.text).toBe('Running Ready app=running/0')
      expect(life.canBeRemoved).toBe(false)
    }
    expect(life.at(2000 + takesMs)).toBe(text)
    expect(life.canBeRemoved).toBe(true)
    expect(life.condition('Ready')).toMatch(/^False/)
    const killing = life.events.filter((event) => event.startsWith('Killing'))
    expect(killing).toHaveLength(
      life.statuses[0]?.phase === 'Running' && !('exits' in behaviour) ? 1 : 0,
    )
  })

  test('only removes a finished pod', () => {
    const life = new Life(podOf({ restartPolicy: 'Never' }))
    life.delete(1000)
    expect([life.text, life.canBeRemoved]).toEqual(['Succeeded app=exit 0/0', true])
  })

  test('does not remove a pod that finalizers keep', () => {
    const life = new Life(podOf())
    life.delete(1000, 0)
    expect([life.text, life.canBeRemoved]).toEqual(['Failed app=exit 143/0', false])
  })
})

test('respects readiness gates', () => {
  const life = new Life(podOf({ readinessGates: [{ conditionType: 'example.com/lb' }] }))
  expect(life.condition('Ready')).toBe(
    'False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/lb" does not exist.',
  )
  expect(life.condition('ContainersReady')).toBe('True')
  const gate = (status: string): void => {
    const conditions = (life.pod.status?.conditions ?? []).filter(({ type }) => !type.includes('/'))
    conditions.push({ type: 'example.com/lb', status })
    life.pod = { ...life.pod, status: { ...life.pod.status, conditions } }
    life.compute(5000)
  }
  gate('False')
  expect(life.condition('Ready')).toBe(
    'False ReadinessGatesNotReady the status of pod readiness gate "example.com/lb" is not "True", but False',
  )
  gate('True')
  expect(life.condition('Ready')).toBe('True')
})

test("runs ephemeral containers without changing the pod's state", () => {
  const life = new Life(podOf())
  const debug = { name: 'debug', image: 'busybox' }
  life.pod = { ...life.pod, spec: { ...life.pod.spec, ephemeralContainers: [debug] } }
  expect(life.at(3000)).toBe('Running Ready app=running/0')
  expect(life.pod.status?.ephemeralContainerStatuses?.[0]).toMatchObject({
    name: 'debug',
    ready: false,
    state: { running: { startedAt: '2030-01-01T00:00:03Z' } },
  })
})
