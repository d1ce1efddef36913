import { readFileSync } from 'node:fs'
import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../status/index.ts'
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from './index.ts'

interface RecordedCase {
  readonly name: string
  readonly kind: string
  readonly type: string
  readonly patch: JsonValue
  readonly code: number
  readonly answer: JsonObject
}

type LiveObjects = Readonly<Record<string, { definition: string; object: JsonObject }>>

const file = new URL('testdata/cases.jsonl', import.meta.url)
const [firstLine = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
const live = JSON.parse(firstLine) as LiveObjects
const cases = lines.map((line) => JSON.parse(line) as RecordedCase)

function applyPatch({ kind, type, patch }: RecordedCase): JsonObject {
  const target = live[kind]
  if (target === undefined) throw new Error(kind)
  if (type === 'json-patch') return applyJsonPatch(target.object, patch)
  if (type === 'merge-patch') return applyMergePatch(target.object, patch)
  return applyStrategicMergePatch(target.object, patch as JsonObject, target.definition)
}

/** Fields that the server sets after a patch. */
const defaulted = new Set([
  'imagePullPolicy',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'resources',
  'protocol',
  'targetPort',
  'apiVersion',
  'requests',
  'defaultMode',
  'type',
  'rollingUpdate',
  'status',
  'generation',
  'minReadySeconds',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
])

/** Where the answer differs from the patched object with defaults; empty if it does not. */
function differences(patched: JsonValue, answer: JsonValue | undefined, path: string): string[] {
  if (isJsonObject(patched)) {
    if (!isJsonObject(answer)) {
      return Object.keys(patched).length === 0 && answer === undefined ? [] : [path]
    }
    const own = Object.entries(patched).filter(([, value]) => value !== null)
    const found = own.flatMap(([name, value]) => {
      if (name === 'generation' || name === 'resourceVersion' || name === 'status') return []
      return differences(value, answer[name], `${path}.${name}`)
    })
    const names = new Set(Object.keys(patched))
    const extra = Object.keys(answer).filter((name) => !names.has(name) && !defaulted.has(name))
    return [...found, ...extra.map((name) => `${path}.${name} is left`)]
  }
  if (Array.isArray(patched)) {
    if (!Array.isArray(answer)) return patched.length === 0 ? [] : [path]
    if (answer.length !== patched.length) return [`${path} has ${patched.length} items`]
    return patched.flatMap((item, index) => differences(item, answer[index], `${path}[${index}]`))
  }
  return jsonEquals(patched, answer) ? [] : [path]
}

/** Errors of later steps: decoding, naming and validation. */
function isRefusedLater({ answer }: RecordedCase): boolean {
  const message = typeof answer['message'] === 'string' ? answer['message'] : ''
  return message.includes(' is invalid: ') || message.startsWith('the name of the object')
}

for (const type of new Set(cases.map((item) => item.type))) {
  describe(`recorded from a server: ${type}`, () => {
    for (const recorded of cases.filter((item) => item.type === type && item.code !== 0)) {
      it(recorded.name, () => {
        const before = JSON.stringify([live, recorded.patch])
        let patched: JsonObject | undefined
        let refusal: JsonValue | undefined
        try {
          patched = applyPatch(recorded)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          refusal = JSON.parse(JSON.stringify(error.status)) as JsonValue
        }
        expect(JSON.stringify([live, recorded.patch])).toBe(before)
        if (recorded.code < 300) {
          expect(refusal).toBeUndefined()
          expect(differences(patched ?? {}, recorded.answer, '')).toEqual([])
        } else if (isRefusedLater(recorded)) expect(refusal).toBeUndefined()
        else expect(refusal).toEqual({ ...recorded.answer, metadata: {} })
      })
    }
  })
}
