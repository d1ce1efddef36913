/**
 * Applies the keywords of a schema to a value, in the order of a real server's validator
 * (kube-openapi) and with its irregularities. Errors are collected, not thrown; equal ones are kept
 * once. When alternatives fail (`anyOf`, `oneOf`), the server reports the errors of the alternative
 * that matched most, so every successful step is counted.
 */
import {
  forbiddenProperty,
  nameIn,
  notInEnum,
  tooFew,
  typeMismatch,
  type Issue,
} from './value-issues.ts'
import { invalid, nilField, required, tooLong, tooMany } from '../field-error.ts'
import { asDouble, goQuote, isInt64 } from '../go/go-print.ts'
import { isJsonObject, jsonEquals, type JsonObject } from '../json-value.ts'
import { isJsonInteger, numberIssues } from './number-keywords.ts'
import { prepare, type PreparedSchema } from '../prepared-schema.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'
import { matches, spend } from '../work-meter.ts'

/** The start of a validation. */
interface ValidationScope {
  /** The prefix of the field of every error; messages do not contain it. */
  readonly prefix: string | undefined
  /** Defaults in a CRD are checked with stricter formats and a laxer int-or-string. */
  readonly isForDefaults: boolean
}

/** What a meter counts for each node of a value. */
const stepsPerNode = 10

/** One validation of one value. Create it, call `check` once, read `issues`. */
export class ValueValidation {
  readonly scope: ValidationScope
  readonly issues: Issue[] = []
  readonly #known = new Set<string>()
  matchCount = 0

  constructor(scope: ValidationScope) {
    this.scope = scope
  }

  check(schema: StructuralSchema, value: JsonValue, path: string): void {
    spend(stepsPerNode)
    const prepared = prepare(schema, this.scope.isForDefaults)
    if (value === null) {
      if (this.#checkNull(prepared, path)) this.matchCount += 1
      this.#checkEnum(schema, value, path)
      return
    }
    if (prepared.types.length > 0 || prepared.format !== undefined) {
      this.#checkType(prepared, value, path)
      this.matchCount += 1
    }
    this.#checkLogic(schema, value, path)
    if (typeof value === 'string') this.#checkString(prepared, value, path)
    if (typeof value === 'number' || typeof value === 'bigint') {
      this.#add(...numberIssues(prepared, asDouble(value), { path, prefix: this.scope.prefix }))
      this.matchCount += 2
    }
    if (Array.isArray(value)) this.#checkList(schema, value, path)
    this.#checkEnum(schema, value, path)
    if (isJsonObject(value)) this.#checkObject(schema, value, path)
    // One for the logic, one for the enum, one for the node itself.
    this.matchCount += 3
  }

  #add(...issues: readonly Issue[]): void {
    for (const issue of issues) {
      if (this.#known.has(issue.key)) continue
      this.#known.add(issue.key)
      this.issues.push(issue)
    }
  }

  #merge(other: ValueValidation): void {
    this.#add(...other.issues)
    this.matchCount += other.matchCount
  }

  #field(path: string): string {
    return nameIn(this.scope.prefix, path)
  }

  #checkNull(prepared: PreparedSchema, path: string): boolean {
    if (prepared.types.length === 0 || prepared.schema.nullable === true) return true
    this.#add(typeMismatch(this.#field(path), path, [prepared.types.join(','), 'null']))
    return false
  }

  #checkType(prepared: PreparedSchema, value: JsonValue, path: string): void {
    const { types, format } = prepared
    const { type, goFormat } = describe(value)
    const isWholeFloat =
      type === 'number' &&
      types.includes('integer') &&
      isJsonInteger(asDouble(value as number | bigint))
    const fits =
      types.includes(type) || isWholeFloat || (type === 'integer' && types.includes('number'))
    const isTextOrList = type === 'string' || type === 'array'
    if (format !== undefined && !isTextOrList && !fits && goFormat !== format) {
      this.#add(typeMismatch(this.#field(path), path, [format, goFormat]))
      return
    }
    // A server does not check the type of strings and lists where a format is given.
    const isNumeric = types.includes('number') || types.includes('integer')
    if (!fits && !(format !== undefined && isTextOrList && !isNumeric)) {
      this.#add(typeMismatch(this.#field(path), path, [types.join(','), type]))
      return
    }
    this.matchCount += 1
  }

  #checkString(prepared: PreparedSchema, value: string, path: string): void {
    const issue = this.#textIssue(prepared, value, path)
    if (issue !== undefined) this.#add(issue)
    this.matchCount += 1
    if (prepared.checkFormat === undefined) return
    if (!prepared.checkFormat(value)) {
      this.#add(typeMismatch(this.#field(path), path, [prepared.format ?? '', value]))
    }
    this.matchCount += 1
  }

  /** The first keyword that fails; the others are not checked. */
  #textIssue(prepared: PreparedSchema, value: string, path: string): Issue | undefined {
    const { minLength, maxLength, pattern } = prepared.schema
    const length = minLength === undefined && maxLength === undefined ? 0 : characterCount(value)
    const field = this.#field(path)
    if (maxLength !== undefined && length > maxLength) {
      return { key: `${path} maxLength ${maxLength}`, error: tooLong(field, maxLength) }
    }
    if (minLength !== undefined && length < minLength) {
      const detail = `${path} in body should be at least ${minLength} chars long`
      return { key: detail, error: invalid(field, value, detail) }
    }
    if (prepared.pattern === undefined) return undefined
    const { regExp, problem } = prepared.pattern
    if (regExp !== undefined && matches(regExp, value)) return undefined
    const shown = problem === undefined ? '' : `, but pattern is invalid: ${problem}`
    const detail = `${path} in body should match '${pattern ?? ''}${shown}'`
    return { key: detail, error: invalid(field, value, detail) }
  }

  #checkEnum(schema: StructuralSchema, value: JsonValue, path: string): void {
    const allowed = schema.enum
    if (allowed === undefined || allowed.length === 0) return
    spend(allowed.length)
    if (allowed.some((entry) => isEnumMember(value, entry))) return
    this.#add(notInEnum(this.#field(path), value, { path, allowed }))
  }

  #checkList(schema: StructuralSchema, items: JsonValue[], path: string): void {
    if (schema.items !== undefined) {
      for (const [index, item] of items.entries())
        this.check(schema.items, item, `${path}[${index}]`)
    }
    const { minItems, maxItems } = schema
    if (minItems !== undefined && items.length < minItems) {
      this.#add(
        tooFew(
          this.#field(path),
          items.length,
          `${path} in body should have at least ${minItems} items`,
        ),
      )
    }
    if (maxItems !== undefined && items.length > maxItems) {
      const error = tooMany(this.#field(path), items.length, maxItems)
      this.#add({ key: `${path} maxItems ${maxItems}`, error })
    }
    this.matchCount += 2
  }

  #checkObject(schema: StructuralSchema, object: JsonObject, path: string): void {
    const keys = Object.keys(object)
    this.#checkSize(schema, keys.length, path)
    const { properties = {}, additionalProperties } = schema
    for (const key of keys) {
      if (additionalProperties === undefined || additionalProperties === true) break
      if (Object.hasOwn(properties, key)) continue
      if (additionalProperties === false) this.#add(forbiddenProperty(this.#field(path), path, key))
      else this.check(additionalProperties, object[key] as JsonValue, `${path}.${key}`)
    }
    for (const [key, property] of Object.entries(properties)) {
      if (!Object.hasOwn(object, key)) continue
      this.check(property, object[key] as JsonValue, path === '' ? key : `${path}.${key}`)
    }
    for (const key of schema.required ?? []) {
      if (Object.hasOwn(object, key)) continue
      const name = `${path}.${key}`
      this.#add({ key: `${name} required`, error: required(this.#field(name)) })
    }
    this.matchCount += 1
  }

  #checkSize(schema: StructuralSchema, size: number, path: string): void {
    const { minProperties, maxProperties } = schema
    if (minProperties !== undefined && size < minProperties) {
      const detail = `${path} in body should have at least ${minProperties} properties`
      this.#add(tooFew(this.#field(path), size, detail))
    }
    if (maxProperties !== undefined && size > maxProperties) {
      const error = tooMany(this.#field(path), size, maxProperties)
      this.#add({ key: `${path} maxProperties ${maxProperties}`, error })
    }
  }

  #checkLogic(schema: StructuralSchema, value: JsonValue, path: string): void {
    const { anyOf = [], oneOf = [], allOf = [], not } = schema
    if (anyOf.length > 0) this.#checkAnyOf(anyOf, value, path)
    if (oneOf.length > 0) this.#checkOneOf(oneOf, value, path)
    if (allOf.length > 0) this.#checkAllOf(allOf, value, path)
    if (not !== undefined && this.#attempt(not, value, path).issues.length === 0) {
      this.#addUnplaced(`${goQuote(path)} must not validate the schema (not)`)
    }
    this.matchCount += 1
  }

  #attempt(schema: StructuralSchema, value: JsonValue, path: string): ValueValidation {
    const attempt = new ValueValidation(this.scope)
    attempt.check(schema, value, path)
    return attempt
  }

  /** An error without a field. */
  #addUnplaced(detail: string): void {
    this.#add({ key: detail, error: invalid(this.scope.prefix ?? nilField, '', detail) })
  }

  #checkAnyOf(schemas: readonly StructuralSchema[], value: JsonValue, path: string): void {
    let best: ValueValidation | undefined
    for (const schema of schemas) {
      const attempt = this.#attempt(schema, value, path)
      const isValid = attempt.issues.length === 0
      if (isValid || best === undefined || attempt.matchCount > best.matchCount) best = attempt
      if (isValid) break
    }
    if (best === undefined) return
    if (best.issues.length > 0) {
      this.#addUnplaced(`${goQuote(path)} must validate at least one schema (anyOf)`)
    }
    this.#merge(best)
  }

  #checkOneOf(schemas: readonly StructuralSchema[], value: JsonValue, path: string): void {
    const attempts = schemas.map((schema) => this.#attempt(schema, value, path))
    const [firstValid, ...otherValid] = attempts.filter((attempt) => attempt.issues.length === 0)
    if (firstValid !== undefined && otherValid.length === 0) return this.#merge(firstValid)
    const found =
      firstValid === undefined
        ? 'Found none valid'
        : `Found ${otherValid.length + 1} valid alternatives`
    this.#addUnplaced(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`)
    if (firstValid !== undefined) return
    const best = attempts.reduce((a, b) => (b.matchCount > a.matchCount ? b : a))
    this.#merge(best)
  }

  #checkAllOf(schemas: readonly StructuralSchema[], value: JsonValue, path: string): void {
    const attempts = schemas.map((schema) => this.#attempt(schema, value, path))
    for (const attempt of attempts) this.#merge(attempt)
    const failures = attempts.filter((attempt) => attempt.issues.length > 0).length
    if (failures === 0) return
    const none = failures === attempts.length ? '. None validated' : ''
    this.#addUnplaced(`${goQuote(path)} must validate all the schemas (allOf)${none}`)
  }
}

/** The JSON type of a value, and Go's name of its number type. */
function describe(value: JsonValue): { readonly type: string; readonly goFormat: string } {
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isInt64(asDouble(value))
      ? { type: 'integer', goFormat: 'int64' }
      : { type: 'number', goFormat: 'float64' }
  }
  return { type: Array.isArray(value) ? 'array' : typeof value, goFormat: '' }
}

/**
 * Go converts the value to the type of the enum's entry before it compares: a fraction is cut off
 * for an integer entry, and an integer becomes the character with that code for a string entry.
 * Null never matches, even where it is listed.
 */
function isEnumMember(value: JsonValue, entry: JsonValue): boolean {
  if (value === null || entry === null) return false
  if (typeof value === 'number') {
    if (typeof entry === 'number') return (isInt64(entry) ? Math.trunc(value) : value) === entry
    return typeof entry === 'string' && isInt64(value) && entry === characterOf(value)
  }
  return typeof value === 'object' ? jsonEquals(value, entry) : value === entry
}

function characterOf(code: number): string {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
