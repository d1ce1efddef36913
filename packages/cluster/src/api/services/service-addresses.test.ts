import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { replay, type Outcome, type RecordedWrite } from '../../admission/testdata/replay.ts'

const url = new URL('../subresources/testdata/recorded-services.json', import.meta.url)
const writes = JSON.parse(readFileSync(url, 'utf8')) as RecordedWrite[]
const compared = writes.flatMap((write, index) =>
  write.case === undefined ? [] : [{ ...write, index }],
)

describe('the addresses and ports of a service', () => {
  let outcomes: Outcome[] = []

  beforeAll(async () => {
    outcomes = await replay(writes)
  })

  it.each(compared)('are completed or refused like on a real server: $case', (write) => {
    const { index, code, answer } = write
    expect(outcomes[index]).toEqual({ code, answer })
  })
})
