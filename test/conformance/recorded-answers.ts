import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Answer } from './conformance-case.ts'

/** What a real server answered, by the name of the case. */
export type RecordedAnswers = ReadonlyMap<string, readonly Answer[]>

function fileOf(name: string): URL {
  return new URL(`recorded/${name}.jsonl`, import.meta.url)
}

/** Reads the answers to the cases of one file; there is a line for each case. */
export function readRecorded(name: string): RecordedAnswers {
  const file = fileOf(name)
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => JSON.parse(line) as [string, Answer[]]))
}

/** Writes them, a line for each case, so that a change shows as the case it belongs to. */
export function writeRecorded(name: string, answers: RecordedAnswers): void {
  const lines = [...answers].map((entry) => `${JSON.stringify(entry)}\n`)
  writeFileSync(fileOf(name), lines.join(''))
}
