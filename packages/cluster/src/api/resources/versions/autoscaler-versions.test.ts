import { beforeAll, describe, expect, it } from 'vitest'
import { readWrites, replaySummaries, summaryOf } from '../../../admission/testdata/replay.ts'

const file = new URL('../testdata/autoscaler-writes.jsonl', import.meta.url)

describe('autoscalers have the same form in both versions as on a real server', () => {
  const writes = readWrites(file)
  const cases = writes.map((write, index) => ({ ...write, index }))
  let outcomes: object[] = []

  beforeAll(async () => {
    outcomes = await replaySummaries(writes)
  })

  it.each(cases)('$index: $case', ({ index, ...write }) => {
    expect(outcomes[index]).toEqual(summaryOf(write))
  })
})
