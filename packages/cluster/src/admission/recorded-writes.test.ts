import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  readWrites,
  replay,
  replaySummaries,
  summaryOf,
  type Outcome,
  type RecordedWrite,
} from './testdata/replay.ts'

const url = new URL('./testdata/recorded-writes.json', import.meta.url)
const writes = JSON.parse(readFileSync(url, 'utf8')) as RecordedWrite[]
const compared = writes.flatMap((write, index) =>
  write.case === undefined ? [] : [{ ...write, index }],
)

describe('limit ranges, growing claims and runtime classes', () => {
  let outcomes: Outcome[] = []

  beforeAll(async () => {
    outcomes = await replay(writes)
  })

  it.each(compared)('are enforced like on a real server: $case', ({ index, code, answer }) => {
    expect(outcomes[index]).toEqual({ code, answer })
  })
})

describe.each(['pod-security-writes.jsonl', 'quota-writes.jsonl', 'small-writes.jsonl'])(
  'the recording %s',
  (name) => {
    const recorded = readWrites(new URL(`testdata/${name}`, import.meta.url))
    const named = recorded.flatMap((write, index) =>
      write.case === undefined ? [] : [{ ...write, index }],
    )
    let outcomes: object[] = []

    beforeAll(async () => {
      outcomes = await replaySummaries(recorded)
    })

    it.each(named)('$case', ({ index, ...write }) => {
      expect(outcomes[index]).toEqual(summaryOf(write))
    })
  },
)
