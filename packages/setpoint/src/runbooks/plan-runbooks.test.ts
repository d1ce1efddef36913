import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunbookStatus } from '../definition/index.ts'
import type { Observation } from './advance-step.ts'
import { planRunbooks, type RunbookStatuses } from './plan-runbooks.ts'
import type { RunbookDeclaration, StepNode, WhileRunning } from './step-node.ts'

const leaf = (name: string): StepNode => ({
  is: 'code',
  name,
  retry: { retries: 1, backoff: '10s' },
  run: async () => undefined,
})

const runbook = (name: string, more: Partial<RunbookDeclaration> = {}): RunbookDeclaration => ({
  name,
  triggers: [{ on: 'change', paths: ['spec.version'] }],
  steps: [leaf('a'), { is: 'parallel', name: 'p', steps: [leaf('b'), leaf('c')] }],
  whileRunning: 'queue',
  historyMax: 3,
  parse: () => undefined,
  ...more,
})

const policies: readonly WhileRunning[] = ['queue', 'restart', 'refuse']

/** What happens between two reconciles. */
const happening = fc.oneof(
  fc.record({ set: fc.constantFrom('1', '2', '3') }),
  fc.record({ request: fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.nat(99)) }),
  fc.record({ passMs: fc.constantFrom(1000, 60_000) }),
  fc.record({ end: fc.tuple(fc.constantFrom('done', 'failed'), fc.nat(9)) }),
  fc.constant({ restart: true }),
  fc.constant({ cancel: true }),
)

/** A process that reconciles one object, and the functions of steps that it runs. */
class Model {
  readonly runbooks: readonly RunbookDeclaration[]
  statuses: RunbookStatuses = {}
  annotations: Record<string, string> = {}
  version = '1'
  nowMs = Date.parse('2030-01-01T00:00:00Z')
  readonly working = new Map<string, Observation>()
  readonly begun: string[] = []

  constructor(runbooks: readonly RunbookDeclaration[]) {
    this.runbooks = runbooks
  }

  reconcile(): void {
    const name = (book: string, { run = 0 }: RunbookStatus, step: string): string =>
      `${book}/${run}/${step}`
    const metadata = { creationTimestamp: '2030-01-01T00:00:00Z', annotations: this.annotations }
    const object = { metadata, spec: { version: this.version } }
    const plan = planRunbooks(this.runbooks, object, {
      before: this.statuses,
      look: {
        nowMs: this.nowMs,
        observe: (book, { id }, { run, status }) =>
          this.working.get(name(book.name, run, `${id}/${status.attempts ?? 1}`)) ?? { is: 'idle' },
      },
    })
    this.statuses = JSON.parse(JSON.stringify(plan.statuses)) as RunbookStatuses
    for (const { runbook: book, run, step, attempt } of plan.begun) {
      const begun = name(book.name, run, `${step.id}/${attempt}`)
      this.begun.push(begun)
      this.working.set(begun, { is: 'working' })
    }
  }

  get running(): string[] {
    return Object.keys(this.statuses).filter((name) => this.statuses[name]?.state === 'Running')
  }
}

test('whatever happens, one run is in progress, and no attempt begins twice', () => {
  fc.assert(
    fc.property(
      fc.tuple(...['x', 'y', 'z'].map(() => fc.constantFrom(...policies))),
      fc.boolean(),
      fc.array(happening, { maxLength: 60 }),
      ([x, y, z], hasRescue, happenings) => {
        const model = new Model([
          runbook('x', { whileRunning: x ?? 'queue', ...(hasRescue ? { onFailure: 'z' } : {}) }),
          runbook('y', { whileRunning: y ?? 'queue', triggers: [{ on: 'create' }] }),
          runbook('z', { whileRunning: z ?? 'queue', triggers: [] }),
        ])
        model.reconcile()
        for (const each of happenings) {
          if ('set' in each) model.version = each.set
          if ('request' in each)
            model.annotations[`runbooks.setpoint.dev/${each.request[0]}`] = String(each.request[1])
          if ('passMs' in each) model.nowMs += each.passMs
          if ('restart' in each) model.working.clear()
          if ('cancel' in each) {
            const [name = ''] = model.running
            model.annotations['runbooks.setpoint.dev/cancel.run'] =
              `${name}/${model.statuses[name]?.run ?? 0}`
          }
          if ('end' in each) {
            const [result, at] = each.end
            const names = [...model.working.keys()]
            const name = names[at % Math.max(1, names.length)]
            const ended: Observation =
              result === 'done' ? { is: 'done' } : { is: 'failed', error: new Error('broken') }
            if (name !== undefined) model.working.set(name, ended)
          }
          model.reconcile()
          expect(model.running.length).toBeLessThanOrEqual(1)
          for (const { state, steps = [], history = [] } of Object.values(model.statuses)) {
            const isOver = state !== 'Running'
            const left = steps.filter((step) => ['Running', 'Retrying'].includes(step.state))
            if (isOver) expect(left).toEqual([])
            expect(history.length).toBeLessThanOrEqual(3)
          }
        }
        expect(new Set(model.begun).size).toBe(model.begun.length)
        // Without a disturbance everything ends.
        for (let round = 0; round < 100; round += 1) {
          for (const name of model.working.keys()) model.working.set(name, { is: 'done' })
          model.nowMs += 60_000
          model.reconcile()
        }
        expect(model.running).toEqual([])
        expect(
          Object.values(model.statuses).filter(({ waiting }) => waiting !== undefined),
        ).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('a second reconcile without a change decides nothing', () => {
  const model = new Model([runbook('x', { triggers: [{ on: 'create' }] })])
  model.reconcile()
  const before = model.statuses
  model.reconcile()
  expect(model.statuses).toEqual(before)
  expect(model.begun).toEqual(['x/1/a/1'])
})

test('an operator with other steps continues a run with them', () => {
  const model = new Model([runbook('x', { triggers: [{ on: 'create' }] })])
  model.reconcile()
  const other = new Model([runbook('x', { steps: [leaf('new'), leaf('a')] })])
  other.statuses = model.statuses
  other.reconcile()
  expect(other.statuses['x']?.steps?.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'new Running',
    'a Running',
  ])
})
