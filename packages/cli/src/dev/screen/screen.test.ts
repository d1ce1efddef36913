import type { Style } from '../../command/index.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, afterKey, type DevState, startingState } from './dev-state.ts'
import { screenOf } from './screen.ts'
import type { DevEvent } from '../view.ts'

const tagged = (text: string): string => `\u001b[1m${text}\u001b[22m`
const coloured: Style = {
  bold: tagged,
  dim: tagged,
  red: tagged,
  green: tagged,
  yellow: tagged,
  cyan: tagged,
}
const same = (text: string): string => text
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

const kind = {
  group: 'example.com',
  version: 'v1',
  apiVersion: 'example.com/v1',
  kind: 'Website',
  plural: 'websites',
  scope: 'Namespaced',
  subresources: ['status'],
} as const

test('removes control sequences from the output of operators', () => {
  const line = { level: 'output', text: 'one\u001b[2Jtwo\u001b[31m\rthree\u0007\tfour' } as const
  const state = after(startingState, { is: 'line', line })
  const text = screenOf(state, { columns: 80, rows: 24, style: plain }).join('\n')
  expect(text).toContain('onetwo three four')
})

const events: readonly DevEvent[] = [
  {
    is: 'cluster',
    cluster: {
      title: 'https://127.0.0.1:6443',
      kubeconfig: 'k',
      hasOperators: true,
      commands: ['export KUBECONFIG=k'],
    },
  },
  {
    is: 'loaded',
    operators: [{ name: 'websites.example.com', kind, isApi: false, children: [], policies: [] }],
  },
  { is: 'working' },
  {
    is: 'object',
    object: {
      kind: 'Website',
      key: 'default/shop',
      conditions: [{ type: 'Ready', status: 'False', reason: 'RollingOut', message: '1 of 2' }],
      isTerminating: false,
    },
  },
  {
    is: 'run',
    run: {
      operator: 'websites.example.com',
      key: 'default/shop',
      result: 'failed',
      reasons: ['Website default/shop added'],
      durationMs: 12.3,
      error: { message: 'no such key', at: 'src/website.ts:12:7' },
    },
  },
  { is: 'line', line: { level: 'info', text: 'hello' } },
]

const stateOf = (shown: readonly DevEvent[]): DevState =>
  shown.reduce((state, event) => after(state, event, '12:00:01'), startingState)

test('shows the cluster, the objects, the reconciles with their reasons, and errors with their location', () => {
  expect(screenOf(stateOf(events), { columns: 100, rows: 30, style: plain })).toEqual([
    'setpoint dev  https://127.0.0.1:6443',
    '  export KUBECONFIG=k',
    '● working  websites.example.com  1 reconcile',
    '',
    'Failed: default/shop  12:00:01',
    '  no such key',
    '  at src/website.ts:12:7',
    '',
    'Objects',
    '  Website default/shop  Ready=False (RollingOut) 1 of 2',
    '',
    'Reconciles',
    '  12:00:01 ✗ default/shop  failed  12 ms  Website default/shop added',
    '',
    'Log',
    '  12:00:01 hello',
    '',
    '↑↓ select   enter details   r reload   a apply samples   q quit',
  ])
})

test.each([
  [
    { is: 'simulated', steps: 6, faults: 19, allFaults: 144, stories: [] },
    '  no findings: 19 of 144 faults in 6 steps; `setpoint sim` tries everything',
  ],
  [
    {
      is: 'simulated',
      steps: 6,
      faults: 9,
      allFaults: 9,
      stories: ['O2: wrong\n  a user', 'O5: left'],
    },
    '  O2: wrong\n    a user\n  and 1 more finding\n  `setpoint sim` writes plans and tests',
  ],
  [{ is: 'not-simulated', why: 'no sample' }, '  not simulated: no sample'],
] as const)('shows the simulation %j until the next reload', (result, text) => {
  const state = stateOf([...events, { is: 'sim', result }])
  const shown = screenOf(state, { columns: 100, rows: 40, style: plain }).join('\n')
  expect(shown).toContain(`\nSimulation\n${text}\n`)
  const reloaded = after(state, { is: 'reload', why: 'a.ts' })
  expect(screenOf(reloaded, { columns: 100, rows: 40, style: plain })).not.toContain('Simulation')
})

const small = { columns: 80, rows: 24, style: plain }

const refusal =
  'apply of Deployment default/shop was refused: Deployment.apps "shop" is invalid: spec.template.spec.containers[0].image: Required value'

/** A run of the object `default/shop`. */
function runEvent(error: string | undefined): DevEvent {
  return {
    is: 'run',
    run: {
      operator: 'websites.example.com',
      key: 'default/shop',
      result: error === undefined ? 'done' : 'failed',
      reasons: ['retry'],
      durationMs: 33,
      error: error === undefined ? undefined : { message: error, at: undefined },
    },
  }
}

const objectEvent = (name: string, message = ''): DevEvent => ({
  is: 'object',
  object: {
    kind: 'Website',
    key: `default/${name}`,
    conditions: [{ type: 'Ready', status: 'False', reason: 'ReconcileFailed', message }],
    isTerminating: false,
  },
})

const many = Array.from({ length: 9 }, (_, index) => objectEvent(`site-${index}`, refusal))
const logged = Array.from({ length: 50 }, (_, index): DevEvent => ({
  is: 'line',
  line: { level: 'info', text: `line ${index}` },
}))

test('shows the newest failure completely at 80x24, the wrong field first, and keeps the log', () => {
  const state = stateOf([...events, ...many, ...logged, runEvent('older'), runEvent(refusal)])
  const lines = screenOf(state, small)
  const at = lines.indexOf('Failed: default/shop  12:00:01')
  expect(lines.slice(at + 1, at + 4)).toEqual([
    '  spec.template.spec.containers[0].image: Required value (apply of Deployment',
    '  default/shop was refused: Deployment.apps "shop" is invalid)',
    '',
  ])
  expect(lines).toContain('Log')
  expect(lines.join('\n')).toContain('line 49')
  expect(lines.at(-1)).toContain('q quit')
  expect(lines.find((line) => line.includes('default/site-0'))).toContain('spec.template.spec')
})

test('a failure disappears when the object is reconciled', () => {
  const state = stateOf([...events, runEvent(refusal), runEvent(undefined)])
  expect(screenOf(state, small).join('\n')).not.toContain('Failed:')
})

test('the export line is never cut: it continues on the next line as in a shell', () => {
  const path = `/projects/${'project/'.repeat(15)}.setpoint/kubeconfig`
  const command = `export KUBECONFIG=${path}`
  const cluster = { title: '', kubeconfig: path, commands: [command], hasOperators: true }
  const lines = screenOf(stateOf([{ is: 'cluster', cluster }]), small)
  const end = lines.findIndex((line) => line.startsWith('●'))
  expect(lines.slice(1, end).join('\n').replaceAll('\\\n', '')).toBe(command)
})

test('a cluster without operators says what it is, and offers no reload', () => {
  const cluster = { title: 'https://a', kubeconfig: 'k', commands: [], hasOperators: false }
  expect(screenOf(stateOf([{ is: 'cluster', cluster }]), small)).toEqual([
    'setpoint dev  https://a',
    '● a cluster without operators (--cluster-only)',
    '',
    'a apply samples   q quit',
  ])
})

const press = (state: DevState, ...pressed: string[]): DevState => pressed.reduce(afterKey, state)
const [down, up, enter, escape, pageUp] = ['\u001b[B', '\u001b[A', '\r', '\u001b', '\u001b[5~']

test('a selected object is shown with its conditions, children, Events and reconciles', () => {
  const selected = press(stateOf([...many, ...events, runEvent(refusal)]), up)
  expect(screenOf(selected, small).join('\n')).toContain('› Website default/shop')
  const opened = {
    ...press(selected, enter),
    details: {
      of: 'Website default/shop',
      children: ['Deployment shop  Available=False'],
      events: ['12:00:01 Warning ReconcileFailed  no such key'],
    },
  }
  const text = screenOf(opened, { ...small, rows: 40 }).join('\n')
  for (const shown of [
    'Ready=False (RollingOut)\n    1 of 2',
    'Children\n  Deployment shop  Available=False',
    'Events\n  12:00:01 Warning ReconcileFailed  no such key',
    '12:00:01 failed  33 ms  retry\n    spec.template.spec.containers[0].image: Required value',
  ]) {
    expect(text).toContain(shown)
  }
  expect(text).not.toContain('site-1')
  expect(screenOf(press(opened, down), { ...small, rows: 12 })[3]).toBe('Website default/shop')
  expect(screenOf(press(opened, escape), small).join('\n')).toContain('Objects')
})

test('the log scrolls back', () => {
  const state = stateOf([...events, ...logged])
  expect(screenOf(state, small).join('\n')).toContain('line 49')
  const scrolled = screenOf(press(state, pageUp), small).join('\n')
  expect(scrolled).toContain('line 39')
  expect(scrolled).not.toContain('line 49')
})

test('shows where sources failed to load, and that the previous operators keep running', () => {
  const error = { message: 'Unexpected "*"', at: 'src/website.ts:9:31' }
  const screen = screenOf(stateOf([...events, { is: 'failed', error, isOldWorking: true }]), {
    columns: 100,
    rows: 30,
    style: plain,
  })
  expect(screen).toContain('Unexpected "*"')
  expect(screen).toContain('  at src/website.ts:9:31')
  expect(screen).toContain('  the previous operators keep running; save a file to try again')
})

test('removes a deleted object', () => {
  const state = stateOf([...events, { is: 'gone', kind: 'Website', key: 'default/shop' }])
  expect(screenOf(state, { columns: 100, rows: 30, style: plain })).not.toContain('Objects')
})

test('never has more rows or columns than the terminal', () => {
  const event = fc.constantFrom(...events)
  const size = fc.integer({ min: 1, max: 60 })
  const shownEvents = fc.array(event, { maxLength: 200 })
  const keys = fc.array(fc.constantFrom(down, up, enter, escape, pageUp), { maxLength: 8 })
  fc.assert(
    fc.property(shownEvents, keys, fc.tuple(size, size), (shown, pressed, [columns, rows]) => {
      const state = press(stateOf(shown), ...pressed)
      const screen = screenOf(state, { columns, rows, style: coloured })
      // Splits at the escape, because eslint forbids control characters in regular expressions.
      const width = (line: string): number =>
        line
          .split('\u001b[')
          .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('m') + 1)))
          .join('').length
      expect(Math.max(...screen.map(width))).toBeLessThanOrEqual(columns)
      expect(screen.length).toBeLessThanOrEqual(rows)
    }),
  )
})
