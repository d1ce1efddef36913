import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FieldError, JsonValue, StructuralSchema } from '../../schema/index.ts'
import { checkRules } from './check-rules.ts'
import { validateRules } from './validate-rules.ts'

// Recorded from the packages of k8s.io/apiextensions-apiserver 0.36.3, which a real server runs.
interface Recorded {
  readonly id: string
  readonly crdSchema?: StructuralSchema
  readonly schema?: StructuralSchema
  readonly object?: JsonValue
  readonly oldObject?: JsonValue
  readonly budget?: number
  readonly errors: readonly string[]
  readonly warnings?: readonly string[]
  readonly rest?: number
}

function read(name: string): Recorded[] {
  return readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

const recorded = read('rules.jsonl')

/** Errors as recorded. The server visits fields in a random order, so that they are sorted. */
function sorted(errors: readonly FieldError[]): string[] {
  return errors.map(({ type, field, message }) => `${type}|${field}|${message}`).sort()
}

test('rules of a CRD are refused with the errors of a real server', () => {
  const path = 'spec.validation.openAPIV3Schema'
  for (const { id, crdSchema, errors } of recorded) {
    if (crdSchema === undefined) continue
    expect([id, sorted(checkRules(crdSchema, path))]).toEqual([id, errors])
  }
})

test('objects that break rules have the errors, warnings and costs of a real server', () => {
  for (const { id, schema, object = null, oldObject, budget, ...answer } of recorded) {
    if (schema === undefined) continue
    const { errors, warnings, budgetLeft } = validateRules(schema, object, {
      ...(oldObject !== undefined && { oldObject }),
      ...(budget !== undefined && { costBudget: budget }),
    })
    const found = { errors: sorted(errors), rest: budgetLeft }
    const all = warnings.length === 0 ? found : { ...found, warnings: [...warnings].sort() }
    expect([id, all]).toEqual([id, answer])
  }
})

test('a real control plane answers requests with the same errors', () => {
  for (const { id, crdSchema, schema, object = null, oldObject, errors } of read(
    'server-rules.jsonl',
  )) {
    const found =
      crdSchema === undefined
        ? validateRules(schema ?? {}, object, oldObject === undefined ? {} : { oldObject }).errors
        : checkRules(crdSchema, 'spec.validation.openAPIV3Schema')
    expect([id, sorted(found)]).toEqual([id, errors])
  }
})

test('the compiled rules of a schema are kept', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { x: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.x > 1' }],
  }
  const { errors } = validateRules(schema, { x: 1 })
  expect(errors.map(({ message }) => message)).toEqual(['Invalid value: failed rule: self.x > 1'])
  expect(validateRules(schema, { x: 2 }).errors).toEqual([])
})
