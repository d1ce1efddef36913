import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from 'setpoint/schema'

/** The normalised results of a scenario. Equal objects are written once with their count. */
export type Entry =
  | {
      readonly read: string
      readonly kind: string
      readonly times: number
      readonly object: JsonObject
    }
  | { readonly answer: string; readonly code: number; readonly body: JsonValue }
  | { readonly event: JsonObject; readonly times: number | 'repeated' }

/** The entries by the name of the scenario. */
type Recordings = ReadonlyMap<string, readonly Entry[]>

function fileOf(subject: string): URL {
  return new URL(`recorded/${subject}.jsonl`, import.meta.url)
}

/** Reads the recordings of a real control plane for a subject. */
export function readRecordings(subject: string): Recordings {
  const file = fileOf(subject)
  const found = new Map<string, Entry[]>()
  if (!existsSync(file)) return found
  let entries: Entry[] = []
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const value = JSON.parse(line) as Entry | { readonly scenario: string }
    if ('scenario' in value) found.set(value.scenario, (entries = []))
    else entries.push(value)
  }
  return found
}

/** Writes recordings with one line for each object, so that diffs show the changed object. */
export function writeRecordings(subject: string, recordings: Recordings): void {
  const lines = [...recordings].flatMap(([scenario, entries]) => [{ scenario }, ...entries])
  writeFileSync(fileOf(subject), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
