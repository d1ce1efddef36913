import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Answer } from './conformance-case.ts'

/** The answers of a real server, by the name of the case. */
export type RecordedAnswers = ReadonlyMap<string, readonly Answer[]>

function fileOf(name: string): URL {
  return new URL(`recorded/${name}.jsonl`, import.meta.url)
}

/** Reads the answers for the cases of one file, one line per case. */
export function readRecorded(name: string): RecordedAnswers {
  const file = fileOf(name)
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => JSON.parse(line) as [string, Answer[]]))
}

/** Writes one line per case, so that a diff shows the changed cases. */
export function writeRecorded(name: string, answers: RecordedAnswers): void {
  const lines = [...answers].map((entry) => `${JSON.stringify(entry)}\n`)
  writeFileSync(fileOf(name), lines.join(''))
}
