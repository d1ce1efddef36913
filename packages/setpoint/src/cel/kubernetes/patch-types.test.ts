import { describe, expect, test } from 'vitest'
import { celEnvironment } from '../environment.ts'
import { jsonPatchFunctions } from '../library/kubernetes-functions.ts'
import { CelMessage } from '../values/cel-message.ts'
import { printType } from '../types/cel-type.ts'
import { patchJson, patchTypes, typeNameProblems } from './patch-types.ts'

const environment = celEnvironment({ messageTypes: patchTypes, functions: jsonPatchFunctions })

function evaluated(source: string) {
  const compiled = environment.compile(source)
  if (!compiled.ok) throw new Error(compiled.message)
  const { value = null, error, cost } = compiled.program.evaluate({})
  if (error !== undefined) throw new Error(error)
  return { value, cost, type: printType(compiled.program.outputType) }
}

describe('object literals', () => {
  test.each([
    ['Object{}', {}],
    ['Object{spec: Object.spec{replicas: 3}}', { spec: { replicas: 3 } }],
    ['Object{l: [Object.l{name: "a", args: ["-g"]}]}', { l: [{ name: 'a', args: ['-g'] }] }],
    ['Object{annotations: {"foo": "bar"}}', { annotations: { foo: 'bar' } }],
    ['Object{?a: optional.none(), ?b: optional.of(1)}', { b: 1 }],
    ['Object{?spec: optional.ofNonZeroValue(Object.spec{})}', {}],
    ['Object{at: timestamp("2024-01-02T03:04:05Z")}', { at: '2024-01-02T03:04:05Z' }],
    ['JSONPatch{op: "add", path: "/a"}', { op: 'add', path: '/a' }],
    ['JSONPatch{op: "add", value: b"ab"}', { op: 'add', value: 'YWI=' }],
  ])('%s', (source, json) => {
    expect(patchJson(evaluated(source).value)).toEqual(json)
  })

  test('fields can be read, and an absent one is null', () => {
    expect(evaluated('Object{list: [1, 2, 3]}.list.sum()').value).toBe(6n)
    expect(evaluated('Object{}.missing == null').value).toBe(true)
    expect(evaluated('has(Object{}.missing)').value).toBe(false)
    expect(evaluated('has(Object{a: 1}.a)').value).toBe(true)
  })

  test('two are equal if they have the same type and fields', () => {
    expect(evaluated('Object{a: 1 + 2} == Object{a: 3}').value).toBe(true)
    expect(evaluated('Object{a: 1} == Object{b: 1}').value).toBe(false)
    expect(evaluated('Object.a{} == dyn(Object.b{})').value).toBe(false)
  })

  test('a literal costs 40', () => {
    expect(evaluated('Object{spec: Object.spec{}}').cost).toBe(80)
  })

  test('a type that is not declared is an error', () => {
    expect(() => evaluated('Other{}')).toThrow("undeclared reference to 'Other'")
    expect(() => evaluated('JSONPatch{op: 1}')).toThrow(
      "expected type of field 'op' is 'string' but provided type is 'int'",
    )
  })

  test('the names of types are the paths of their fields', () => {
    const { value } = evaluated('Object{spec: Object.spec{a: [Object.spec.b{}], m: {"k": 1}}}')
    expect(value).toBeInstanceOf(CelMessage)
    expect(typeNameProblems(value)).toEqual([
      'unexpected type name "Object.spec.b", expected "Object.spec.a", which matches field name path from root Object type',
    ])
  })
})
