import type { Style } from '../command/index.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, type DevState, startingState } from './dev-state.ts'
import { screenOf } from './screen.ts'
import type { DevEvent } from './view.ts'

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
      commands: ['export KUBECONFIG=k'],
    },
  },
  { is: 'loaded', operators: [{ name: 'websites.example.com', kind }] },
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

const stateOf = (shown: readonly DevEvent[]): DevState => shown.reduce(after, startingState)

test('shows the cluster, the objects, the reconciles with their reasons, and errors with their location', () => {
  expect(screenOf(stateOf(events), { columns: 100, rows: 30, style: plain })).toEqual([
    'setpoint dev  https://127.0.0.1:6443',
    '  export KUBECONFIG=k',
    '● working  websites.example.com  1 reconcile',
    '',
    'Objects',
    '  Website default/shop  Ready=False (RollingOut) 1 of 2',
    '',
    'Reconciles',
    '  ✗ default/shop  failed  12 ms  Website default/shop added',
    '    no such key at src/website.ts:12:7',
    '',
    'Log',
    '  hello',
    '',
    'r reload   a apply samples   q quit',
  ])
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
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), size, size, (shown, columns, rows) => {
      const screen = screenOf(stateOf(shown), { columns, rows, style: coloured })
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
