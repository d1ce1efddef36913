/** zod's strings with their formats and patterns, for an API server. */
import * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { goPattern } from './go-pattern.ts'
import { checksOf, rejectCheck, rejectCoercion, wholeLength } from './zod-checks.ts'
import { reject, type Place } from './zod-place.ts'

type StringSchema = core.$ZodString | core.$ZodTemplateLiteral
type FormatDef = core.$ZodCheckStringFormatDef

/** A string format on a server: a format that it checks, a pattern, or both. */
interface ServerFormat {
  readonly format?: string
  readonly pattern?: RegExp
}

export function convertString(schema: StringSchema, place: Place): StructuralSchema {
  if ('coerce' in schema._zod.def && schema._zod.def.coerce === true) return rejectCoercion(place)
  const minLengths: number[] = []
  const maxLengths: number[] = []
  const formats: ServerFormat[] = []
  if (schema._zod.def.type === 'template_literal') formats.push({ pattern: schema._zod.pattern })
  for (const check of checksOf(schema)) {
    const { def } = check._zod
    if (def.check === 'min_length') minLengths.push(wholeLength(def.minimum, place))
    else if (def.check === 'max_length') maxLengths.push(wholeLength(def.maximum, place))
    else if (def.check === 'length_equals') {
      minLengths.push(wholeLength(def.length, place))
      maxLengths.push(wholeLength(def.length, place))
    } else if (def.check === 'string_format') formats.push(serverFormat(def, place))
    else rejectCheck(check, place)
  }
  const format = formats.find((candidate) => candidate.format !== undefined)?.format
  const [pattern, ...morePatterns] = formats.flatMap((candidate) =>
    candidate.pattern === undefined ? [] : serverPattern(candidate.pattern, place),
  )
  return {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(minLengths.length === 0 ? {} : { minLength: Math.max(...minLengths) }),
    ...(maxLengths.length === 0 ? {} : { maxLength: Math.min(...maxLengths) }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(morePatterns.length === 0
      ? {}
      : { allOf: morePatterns.map((other) => ({ pattern: other })) }),
  }
}

function serverPattern(regExp: RegExp, place: Place): string[] {
  const result = goPattern(regExp)
  if ('pattern' in result) return [result.pattern]
  reject(
    place,
    `API servers match with Go's RE2, which refuses ${String(regExp)}: ${result.reason}`,
    'write a pattern without it, or a rule(...)',
  )
  return []
}

/**
 * Uses the server's own check of a format where there is one; zod's pattern is added where zod is
 * stricter, so that both accept the same strings.
 */
function serverFormat(def: FormatDef, place: Place): ServerFormat {
  const pattern = def.pattern === undefined ? {} : { pattern: def.pattern }
  switch (def.format) {
    case 'email':
    case 'date':
    case 'ipv4':
    case 'uuid':
      return { format: def.format, ...pattern }
    case 'guid':
      return { format: 'uuid', ...pattern }
    case 'base64':
      return { pattern: core.regexes.base64 }
    case 'base64url':
      return { pattern: core.regexes.base64url }
    case 'datetime':
      return dateTimeFormat(def as core.$ZodISODateTimeDef)
    case 'ipv6':
    case 'hostname':
      // zod's patterns for these use lookaheads, which RE2 does not have.
      return { format: def.format }
    case 'url':
      return urlFormat(def as core.$ZodURLDef, place)
    case 'duration':
      reject(
        place,
        'Kubernetes writes durations as 1h30m, not as ISO 8601',
        "use duration() from 'setpoint'",
      )
      return {}
    default:
      if (def.pattern === undefined) {
        reject(
          place,
          `a server does not know the format "${def.format}"`,
          'use z.string().regex(...)',
        )
      }
      return pattern
  }
}

function urlFormat(def: core.$ZodURLDef, place: Place): ServerFormat {
  if (def.protocol !== undefined || def.hostname !== undefined) {
    reject(
      place,
      'a server checks that a text is a URL, but neither its protocol nor its host',
      'write z.string().regex(/^https:.../), or z.url() with a rule(...)',
    )
  }
  return { format: 'uri' }
}

function dateTimeFormat(def: core.$ZodISODateTimeDef): ServerFormat {
  const isPlain = !def.local && def.precision === null
  if (!isPlain) return def.pattern === undefined ? {} : { pattern: def.pattern }
  // The server's format checks the calendar; the pattern only restricts notation and time zone.
  const zone = def.offset ? '(Z|[+-]\\d{2}:\\d{2})' : 'Z'
  const seconds = `\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?`
  return {
    format: 'date-time',
    pattern: new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${seconds}${zone}$`),
  }
}
