import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Endpoint, SliceObject } from './endpoint-rules.ts'
import { planSlices } from './slice-plan.ts'

const ports = [{ name: '', port: 80, protocol: 'TCP' as const }]

const endpoint = (name: string, ready = true): Endpoint => ({
  addresses: [`10.0.0.${name}`],
  conditions: { ready, serving: ready, terminating: false },
  targetRef: { kind: 'Pod', name, uid: name },
})

const slice = (name: string, endpoints: readonly Endpoint[], of = ports): SliceObject =>
  ({ metadata: { name }, addressType: 'IPv4', ports: of, endpoints }) as unknown as SliceObject

const names = (members: readonly Endpoint[]): string[] =>
  members.map(({ targetRef }) => targetRef?.name ?? '')

const fresh = (): boolean => false

describe('planning slices', () => {
  test('leaves correct slices alone', () => {
    const endpoints = [endpoint('1'), endpoint('2')]
    const plan = planSlices([slice('a', endpoints)], [{ ports, endpoints }], fresh)
    expect(plan).toEqual({ write: [], remove: [] })
  })

  test('rewrites a slice when an endpoint changes, and adds new endpoints to it', () => {
    const existing = slice('a', [endpoint('1'), endpoint('2')])
    const endpoints = [endpoint('1', false), endpoint('2'), endpoint('3')]
    const { write, remove } = planSlices([existing], [{ ports, endpoints }], fresh)
    expect([write.map((one) => names(one.endpoints)), remove]).toEqual([[['1', '2', '3']], []])
    expect(write[0]?.existing).toBe(existing)
  })

  test('rewrites a slice that lacks a label', () => {
    const endpoints = [endpoint('1')]
    const existing = slice('a', endpoints)
    expect(planSlices([existing], [{ ports, endpoints }], () => true).write).toHaveLength(1)
  })

  test('keeps an empty slice for a service without endpoints', () => {
    expect(planSlices([], [], fresh).write).toEqual([
      { existing: undefined, ports: [], endpoints: [] },
    ])
    expect(planSlices([slice('a', [], [])], [], fresh)).toEqual({ write: [], remove: [] })
  })

  test('reuses slices of ports that are no longer used', () => {
    const old = slice('a', [endpoint('1')], [{ name: '', port: 1, protocol: 'TCP' }])
    const { write, remove } = planSlices([old], [{ ports, endpoints: [endpoint('1')] }], fresh)
    expect([write[0]?.existing, write[0]?.ports, remove]).toEqual([old, ports, []])
  })

  test('puts at most 100 endpoints into a slice', () => {
    const endpoints = Array.from({ length: 250 }, (_, index) => endpoint(String(index)))
    const { write } = planSlices([], [{ ports, endpoints }], fresh)
    expect(write.map((one) => one.endpoints.length)).toEqual([100, 100, 50])
  })

  test('contains every endpoint exactly once, for any previous slices', () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 300 })
    fc.assert(
      fc.property(some, some, (before, after) => {
        const existing = [0, 1, 2].map((part) =>
          slice(
            `s${part}`,
            before.filter((one) => one % 3 === part).map((one) => endpoint(String(one))),
          ),
        )
        const endpoints = after.map((one) => endpoint(String(one)))
        const { write, remove } = planSlices(existing, [{ ports, endpoints }], fresh)
        const touched = new Set([...write.map((one) => one.existing), ...remove])
        const kept = existing.filter((one) => !touched.has(one))
        const all = [...kept, ...write].flatMap((one) => names(one.endpoints ?? []))
        expect(all.sort()).toEqual(names(endpoints).sort())
      }),
    )
  })
})
