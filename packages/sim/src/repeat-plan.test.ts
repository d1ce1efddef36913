import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { Deployment, Secret } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import {
  type Finding,
  type Plan,
  type PlanFile,
  planFileOf,
  planFileText,
  type Program,
  readPlanFile,
  repeatPlan,
  simulate,
  timelineText,
} from './index.ts'
import { controlLoop } from './testdata/control-loop.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ size: z.int32().min(0).max(2).default(1) }),
})
const sample = { metadata: { name: 'oak' }, spec: {} }

/** Checks only the first of two Secrets. */
const halfDone = controlLoop(Shop, async ({ metadata: { name } }, client) => {
  if ((await client.find(Secret, name)) !== undefined) return
  await client.create(Secret, { metadata: { name } })
  await client.create(Secret, { metadata: { name: `${name}-ca` } })
})

async function firstFinding(program: Program, isIt: (finding: Finding) => boolean) {
  const { findings } = await simulate(program, { resource: Shop, samples: sample, inert: ['spec'] })
  const finding = findings.find(isIt)
  if (finding === undefined) throw new Error('there is no such finding')
  return readPlanFile(planFileText(planFileOf(finding)))
}

test('a repeated plan has the same timeline each time: users, the fault, the program', async () => {
  const found = await firstFinding(halfDone, ({ plan }) => plan.faults[0]?.type === 'crash-after')
  const first = await repeatPlan(halfDone, found, { resource: Shop })
  expect(first.finding).toMatchObject(found.found)
  expect(timelineText(first.timeline)).toMatchInlineSnapshot(`
    "A run: the process crashes after its write 1, without its answer
      -90.0 s  process 1 of the program starts
        0.0 s  a user does: create oak
        0.0 s  the user creates example.com/shops default/oak
       10.0 s  FAULT: the process crashes after its write 1, without its answer
       10.0 s  the program creates /secrets default/oak (write 1, src/repeat-plan.test.ts:30)
       10.0 s  process 1 crashes
       12.0 s  process 2 of the program starts"
  `)
  expect(await repeatPlan(halfDone, found, { resource: Shop })).toEqual(first)
})

test('a plan of a program without the problem is no longer found', async () => {
  const found = await firstFinding(halfDone, ({ plan }) => plan.faults.length > 0)
  const fixed = operator(Shop).child('tls', Secret, () => ({}))
  const { report, finding, timeline } = await repeatPlan([fixed], found)
  expect([report.findings, finding]).toEqual([[], undefined])
  expect(timelineText(timeline)).toContain('a user does: create oak')
})

const web = operator(Shop).child('web', Deployment, ({ spec, metadata: { name } }) => {
  if (spec.size === 0) throw new TypeError('no size')
  return {
    spec: {
      replicas: spec.size,
      selector: { matchLabels: { name } },
      template: {
        metadata: { labels: { name } },
        spec: { containers: [{ name: 'web', image: 'shop' }] },
      },
    },
  }
})

const file: PlanFile = {
  format: 'setpoint-sim-plan',
  version: 1,
  seed: 1,
  resource: { group: 'example.com', plural: 'shops' },
  samples: [sample],
  steps: [
    { do: 'create', name: 'create oak', object: sample },
    { do: 'set', name: 'scale', object: 'oak', field: 'spec.size', spec: { size: 2 } },
    { do: 'set', name: 'to 0', object: 'oak', field: 'spec.size', spec: { size: 0 } },
    { do: 'set', name: 'too much', object: 'oak', field: 'spec.size', spec: { size: 9 } },
  ],
  declared: {},
  plan: { step: 0, faults: [] },
  found: { oracle: 'O1', problem: '', details: [] },
}

async function timelineOf(plan: Plan): Promise<string> {
  return timelineText((await repeatPlan([web], { ...file, plan })).timeline)
}

test('the timeline shows what other controllers and other clients change', async () => {
  const text = await timelineOf({ step: 1, faults: [{ type: 'conflict', write: 1 }] })
  expect(text).toMatchInlineSnapshot(`
    "A run from the state after 1 step: another client changes the object before write 1
      -90.0 s  process 1 of the program starts
        0.0 s  a user does: scale
        0.0 s  the user changes example.com/shops default/oak
                 spec.size: 1 -> 2
        0.0 s  FAULT: another client changes the object before write 1
        0.0 s  the program's update apps/deployments default/oak is refused: 409 (write 1)
        0.0 s  the program changes apps/deployments default/oak (write 2)
                 spec.replicas: 1 -> 2
        0.0 s  another controller changes apps/replicasets default/oak-7dffbb6c7f
                 spec.replicas: 1 -> 2
        0.0 s  kube-controller-manager creates /pods default/oak-7dffbb6c7f-fw52d
        0.0 s  kube-controller-manager changes apps/deployments default/oak
                 status.conditions[Available].status: "True" -> "False"
                 status.conditions[Available].reason: "MinimumReplicasAvailable" -> "MinimumReplicasUnavailable"
                 status.unavailableReplicas: nothing -> 1
        0.0 s  another controller changes /pods default/oak-7dffbb6c7f-fw52d
                 status.conditions[PodScheduled].type: nothing -> "PodScheduled"
                 status.conditions[PodScheduled].status: nothing -> "True"
        0.0 s  kube-controller-manager changes apps/replicasets default/oak-7dffbb6c7f
                 status.replicas: 1 -> 2
                 status.fullyLabeledReplicas: 1 -> 2
        0.0 s  kubelet changes /pods default/oak-7dffbb6c7f-fw52d
                 status.phase: "Pending" -> "Running"
                 status.conditions[PodReadyToStartContainers].type: nothing -> "PodReadyToStartContainers"
                 status.conditions[PodReadyToStartContainers].status: nothing -> "True"
                 status.conditions[Initialized].type: nothing -> "Initialized"
                 status.conditions[Initialized].status: nothing -> "True"
                 status.conditions[Ready].type: nothing -> "Ready"
                 and 15 more fields
        0.0 s  another controller changes apps/deployments default/oak
                 status.replicas: 1 -> 2
                 status.updatedReplicas: 1 -> 2
        0.0 s  another controller changes apps/replicasets default/oak-7dffbb6c7f
                 status.readyReplicas: 1 -> 2
                 status.availableReplicas: 1 -> 2
        0.0 s  kube-controller-manager changes apps/deployments default/oak
                 status.readyReplicas: 1 -> 2
                 status.availableReplicas: 1 -> 2
                 status.unavailableReplicas: 1 -> nothing
                 status.conditions[Available].status: "False" -> "True"
                 status.conditions[Available].reason: "MinimumReplicasUnavailable" -> "MinimumReplicasAvailable""
  `)
})

test('the timeline shows errors, and refusals of the API server', async () => {
  expect(await timelineOf({ step: 2, faults: [] })).toMatch(
    /ERROR: .* TypeError: no size, and \d+ more times until/,
  )
  expect(await timelineOf({ step: 3, faults: [] })).toContain('the API server refuses it')
})
