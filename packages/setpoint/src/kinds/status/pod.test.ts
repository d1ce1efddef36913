import { expect, test } from 'vitest'
import type { Observed } from './observed.ts'
import { Pod } from './pod.ts'

// Pods as a real API server stored them, reduced to the relevant fields; the names are the states
// that kubectl prints.
const pods: { name: string; words: string; pod: Observed<Pod> }[] = [
  {
    name: 'completed',
    words: 'completed',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Completed',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Succeeded',
      },
    },
  },
  {
    name: 'completed-and-ready',
    words: '1 of 2 containers ready',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Completed',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
          { name: 'side', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'completed-but-running',
    words: 'container web exited with code 0 (Completed)',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'False', type: 'Ready' },
        ],
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Completed',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
          { name: 'side', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'config-error',
    words: 'container web is waiting: CreateContainerConfigError',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: { waiting: { reason: 'CreateContainerConfigError' } },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'crash-loop',
    words: 'container web is waiting: CrashLoopBackOff',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'False', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'creating',
    words: 'container web is waiting: ContainerCreating',
    pod: {
      status: {
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'ContainerCreating' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'err-image',
    words: 'container web is waiting: ErrImagePull',
    pod: {
      status: {
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'ErrImagePull' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'error',
    words: 'failed: container web exited with code 1 (Error)',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 1,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Error',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Failed',
      },
    },
  },
  {
    name: 'evicted',
    words: 'failed: Evicted: m',
    pod: { status: { message: 'm', phase: 'Failed', reason: 'Evicted' } },
  },
  {
    name: 'exit-code',
    words: 'failed: container web exited with code 3',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 3,
                finishedAt: '2025-12-31T23:50:00Z',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Failed',
      },
    },
  },
  { name: 'failed-no-status', words: 'failed', pod: { status: { phase: 'Failed' } } },
  {
    name: 'gated',
    words: 'waiting for scheduling gates: example.com/wait',
    pod: {
      spec: { schedulingGates: [{ name: 'example.com/wait' }] },
      status: {
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-26T20:59:00Z',
            message: 'Scheduling is blocked due to non-empty scheduling gates',
            reason: 'SchedulingGated',
            status: 'False',
            type: 'PodScheduled',
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'gates',
    words: '1 of 1 container ready',
    pod: {
      spec: {
        readinessGates: [
          { conditionType: 'example.com/lb' },
          { conditionType: 'example.com/other' },
        ],
      },
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'example.com/lb' },
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        nominatedNodeName: 'node-2',
        phase: 'Running',
      },
    },
  },
  {
    name: 'half-ready',
    words: 'container side is running but not ready',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'False', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
          { name: 'side', ready: false, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'image-pull',
    words: 'container web is waiting: ImagePullBackOff',
    pod: {
      status: {
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-0',
    words: 'init container a is running, 0 of 2 finished',
    pod: {
      spec: { initContainers: [{ name: 'a' }, { name: 'b' }] },
      status: {
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
        ],
        initContainerStatuses: [
          { name: 'a', ready: false, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
          { name: 'b', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-1',
    words: 'init container b is running, 1 of 2 finished',
    pod: {
      spec: { initContainers: [{ name: 'a' }, { name: 'b' }] },
      status: {
        initContainerStatuses: [
          {
            name: 'a',
            ready: true,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Completed',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
          { name: 'b', ready: false, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-crash',
    words: 'init container a is waiting: CrashLoopBackOff',
    pod: {
      spec: { initContainers: [{ name: 'a' }] },
      status: {
        initContainerStatuses: [
          { name: 'a', ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-error',
    words: 'init container a exited with code 1 (Error)',
    pod: {
      spec: { initContainers: [{ name: 'a' }] },
      status: {
        initContainerStatuses: [
          {
            name: 'a',
            ready: false,
            state: {
              terminated: {
                exitCode: 1,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Error',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-exit',
    words: 'init container a exited with code 5',
    pod: {
      spec: { initContainers: [{ name: 'a' }] },
      status: {
        initContainerStatuses: [
          {
            name: 'a',
            ready: false,
            state: {
              terminated: {
                exitCode: 5,
                finishedAt: '2025-12-31T23:50:00Z',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'init-signal',
    words: 'init container a was ended by signal 15',
    pod: {
      spec: { initContainers: [{ name: 'a' }] },
      status: {
        initContainerStatuses: [
          {
            name: 'a',
            ready: false,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                signal: 15,
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'initialized',
    words: 'container web is waiting: PodInitializing',
    pod: {
      spec: { initContainers: [{ name: 'a' }] },
      status: {
        containerStatuses: [
          { name: 'web', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
        ],
        initContainerStatuses: [
          {
            name: 'a',
            ready: true,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'Completed',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'node-lost',
    words: 'being deleted',
    pod: {
      metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' },
      status: {
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
        reason: 'NodeLost',
      },
    },
  },
  {
    name: 'oom',
    words: 'failed: container web exited with code 137 (OOMKilled)',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 137,
                finishedAt: '2025-12-31T23:50:00Z',
                reason: 'OOMKilled',
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Failed',
      },
    },
  },
  { name: 'pending', words: 'waiting to be scheduled', pod: { status: { phase: 'Pending' } } },
  {
    name: 'restarted-running',
    words: '1 of 1 container ready',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'running',
    words: '1 of 1 container ready',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'scheduled',
    words: 'scheduled, waiting for its containers',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'PodScheduled' },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'sidecar-restarted',
    words: '1 of 1 container ready',
    pod: {
      spec: { initContainers: [{ name: 'side', restartPolicy: 'Always' }] },
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        initContainerStatuses: [
          {
            name: 'side',
            ready: true,
            started: true,
            state: { running: { startedAt: '2025-12-31T23:00:00Z' } },
          },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'sidecar-running',
    words: '1 of 1 container ready',
    pod: {
      spec: { initContainers: [{ name: 'side', restartPolicy: 'Always' }] },
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        initContainerStatuses: [
          {
            name: 'side',
            ready: true,
            started: true,
            state: { running: { startedAt: '2025-12-31T23:00:00Z' } },
          },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'sidecar-starting',
    words: 'init container side is starting',
    pod: {
      spec: { initContainers: [{ name: 'side', restartPolicy: 'Always' }] },
      status: {
        initContainerStatuses: [
          {
            name: 'side',
            ready: false,
            started: false,
            state: { running: { startedAt: '2025-12-31T23:00:00Z' } },
          },
        ],
        phase: 'Pending',
      },
    },
  },
  {
    name: 'signal',
    words: 'failed: container web was ended by signal 9',
    pod: {
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            state: {
              terminated: {
                exitCode: 0,
                finishedAt: '2025-12-31T23:50:00Z',
                signal: 9,
                startedAt: '2025-12-31T22:00:00Z',
              },
            },
          },
        ],
        phase: 'Failed',
      },
    },
  },
  { name: 'succeeded-no-status', words: 'completed', pod: { status: { phase: 'Succeeded' } } },
  {
    name: 'terminating',
    words: 'being deleted',
    pod: {
      metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' },
      status: {
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'terminating-pending',
    words: 'being deleted',
    pod: { metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' }, status: { phase: 'Pending' } },
  },
  {
    name: 'two-restarted',
    words: '2 of 2 containers ready',
    pod: {
      status: {
        conditions: [
          { lastProbeTime: null, lastTransitionTime: null, status: 'True', type: 'Ready' },
        ],
        containerStatuses: [
          { name: 'web', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
          { name: 'side', ready: true, state: { running: { startedAt: '2025-12-31T23:00:00Z' } } },
        ],
        phase: 'Running',
      },
    },
  },
  {
    name: 'unknown',
    words: 'unknown: its node does not report',
    pod: { status: { phase: 'Unknown' } },
  },
]

test.each(pods)('reports the progress of the pod "$name": $words', ({ pod, words }) => {
  expect(Pod.progress(pod)).toBe(words)
})

test('is ready only with a true Ready condition and while not terminating', () => {
  const ready = pods.filter(({ pod }) => Pod.isReady(pod)).map(({ name }) => name)
  expect(ready).toEqual([
    'completed-and-ready',
    'gates',
    'restarted-running',
    'running',
    'sidecar-restarted',
    'sidecar-running',
    'two-restarted',
  ])
})

test('is no longer ready when it is terminating', () => {
  const running = pods.find(({ name }) => name === 'running')?.pod
  const metadata = { deletionTimestamp: '2026-01-01T00:00:30Z' }
  expect(Pod.isReady(running)).toBe(true)
  expect(Pod.isReady({ ...running, metadata })).toBe(false)
  expect(Pod.progress({ ...running, metadata })).toBe('being deleted')
})

test('is not ready before it exists', () => {
  expect(Pod.isReady(undefined)).toBe(false)
  expect(Pod.progress(undefined)).toBe('not created yet')
})

test('repeats the message of the scheduler for an unschedulable pod', () => {
  const pod: Observed<Pod> = {
    status: {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/3 nodes are available: 3 Insufficient cpu.',
        },
      ],
    },
  }
  expect(Pod.progress(pod)).toBe(
    'not scheduled: Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.',
  )
})

test('names the readiness gate that a pod waits for', () => {
  const pod: Observed<Pod> = {
    spec: { readinessGates: [{ conditionType: 'example.com/load-balancer' }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }],
      containerStatuses: [{ name: 'web', ready: true, state: { running: {} } }],
    },
  }
  expect(Pod.progress(pod)).toBe('waiting for readiness gate example.com/load-balancer')
})

test('is not ready by the status of an older spec', () => {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] }
  const metadata = { generation: 2 }
  const stale: Observed<Pod> = { metadata, status: { ...status, observedGeneration: 1 } }
  expect(Pod.isReady(stale)).toBe(false)
  expect(Pod.progress(stale)).toBe('waiting for the kubelet to observe generation 2')
  expect(Pod.isReady({ metadata, status: { ...status, observedGeneration: 2 } })).toBe(true)
  // Older kubelets do not report it.
  expect(Pod.isReady({ metadata, status })).toBe(true)
})

test('does not count containers of a ready pod without container statuses', () => {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] }
  expect(Pod.progress({ status })).toBe('ready')
})
