import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyDefaults, pruneUnknown, validateValue } from '../index.ts'
import type { JsonValue, StructuralSchema } from '../index.ts'

/**
 * The part of the public suite that structural schemas can express, and differences of a real 1.36.
 */
interface Suite {
  readonly leftOut: Readonly<Record<string, readonly string[]>>
  readonly groups: readonly {
    readonly group: string
    readonly schema: StructuralSchema
    readonly tests: readonly {
      readonly case: string
      readonly data: JsonValue
      readonly valid: boolean
      /** Why the server's result is the opposite. */
      readonly serverDiffers?: string
    }[]
  }[]
}

const suite = JSON.parse(
  readFileSync(new URL('../testdata/json-schema-suite.json', import.meta.url), 'utf8'),
) as Suite

/** A write of a custom resource whose field `value` has the schema. */
function isAccepted(schema: StructuralSchema, value: JsonValue): boolean {
  const whole: StructuralSchema = { type: 'object', properties: { value: schema } }
  const pruned = pruneUnknown(whole, { value }, { isResourceRoot: true }).value
  return validateValue(whole, applyDefaults(whole, pruned)).length === 0
}

describe('passes the public suite of JSON schema, draft 4', () => {
  it('contains the cases that a CRD can express', () => {
    expect(suite.groups.flatMap(({ tests }) => tests)).toHaveLength(155)
    expect(Object.values(suite.leftOut).flat()).toHaveLength(39)
  })

  for (const { group, schema, tests } of suite.groups) {
    it.each(tests)(`${group}: $case`, ({ data, valid, serverDiffers }) => {
      expect(isAccepted(schema, data)).toBe(serverDiffers === undefined ? valid : !valid)
    })
  }
})
