/**
 * Checks the types of the options, for callers without TypeScript. All later code relies on them.
 */
import type { LooseResourceOptions } from './loose-options.ts'
import type { Problem } from './problem.ts'

/** The required type of a value. */
interface Shape {
  readonly is: (value: unknown) => boolean
  readonly instead: string
  readonly isRequired?: true
}

type Shapes = Readonly<Record<string, Shape>>

const word = { is: (value: unknown) => typeof value === 'string', instead: "write a text: '...'" }
const texts = {
  is: (value: unknown) => Array.isArray(value) && value.every(word.is),
  instead: "write a list of texts: ['...']",
}
const flag = {
  is: (value: unknown) => typeof value === 'boolean',
  instead: 'write true or false',
}
const conversion = {
  is: (value: unknown) => typeof value === 'function',
  instead: 'write a function: ({ spec }) => ({ spec: { ... } })',
  isRequired: true,
} as const
const columns = { is: isRecord, instead: "write columns by header: { Size: '.spec.size' }" }
/** Schemas are checked elsewhere. */
const schema = { is: () => true, instead: '' }

const resourceShapes: { readonly [Name in keyof Required<LooseResourceOptions>]: Shape } = {
  group: { ...word, isRequired: true },
  version: { ...word, isRequired: true },
  kind: { ...word, isRequired: true },
  plural: word,
  singular: word,
  shortNames: texts,
  categories: texts,
  scope: {
    is: (value) => value === 'Namespaced' || value === 'Cluster',
    instead: "write 'Namespaced' or 'Cluster'",
  },
  description: word,
  spec: schema,
  status: schema,
  conditions: { ...texts, instead: "write a list of their types: ['Ready']" },
  runbooks: { ...texts, instead: "write a list of their names: ['upgrade']" },
  columns,
  scale: { is: isRecord, instead: 'write { specReplicasPath, statusReplicasPath }' },
  selectableFields: { ...texts, instead: "write a list of paths: ['.spec.size']" },
  rules: { is: Array.isArray, instead: "write a list: [rule('...')]" },
  versions: { is: isRecord, instead: 'write versions by name: { v1beta1: { spec, up, down } }' },
}

const versionShapes: Shapes = {
  spec: schema,
  status: schema,
  served: flag,
  storage: flag,
  deprecated: {
    is: (value) => flag.is(value) || word.is(value),
    instead: 'write true, or the warning that clients see',
  },
  columns,
  lossless: flag,
  up: conversion,
  down: conversion,
}

const columnShapes: Shapes = {
  jsonPath: { ...word, isRequired: true },
  type: word,
  format: word,
  description: word,
  priority: { is: Number.isInteger, instead: 'write 0, or 1 for `-o wide`' },
}

const scaleShapes: Shapes = {
  specReplicasPath: { ...word, isRequired: true },
  statusReplicasPath: { ...word, isRequired: true },
  labelSelectorPath: word,
}

/** Values of a wrong type, and unknown options. */
export function shapeProblems(options: LooseResourceOptions): Problem[] {
  if (!isRecord(options)) {
    const instead = 'write defineResource({ group, version, kind, spec })'
    return [{ path: 'options', reason: `${shown(options)} is not an object`, instead }]
  }
  const { scale, versions } = options
  return [
    ...problemsOf('', options, resourceShapes),
    ...columnProblems('columns', options.columns),
    ...(isRecord(scale) ? problemsOf('scale.', scale, scaleShapes) : []),
    ...Object.entries(isRecord(versions) ? versions : {}).flatMap(([name, version]) =>
      versionProblems(`versions.${name}`, version),
    ),
  ]
}

function versionProblems(path: string, version: unknown): Problem[] {
  if (!isRecord(version)) {
    const instead = 'write { spec, up, down }'
    return [{ path, reason: `${shown(version)} is not a version`, instead }]
  }
  return [
    ...problemsOf(`${path}.`, version, versionShapes),
    ...columnProblems(`${path}.columns`, version['columns']),
  ]
}

function columnProblems(path: string, given: unknown): Problem[] {
  return Object.entries(isRecord(given) ? given : {}).flatMap(([header, column]) => {
    if (word.is(column)) return []
    if (isRecord(column)) return problemsOf(`${path}.${header}.`, column, columnShapes)
    const reason = `${shown(column)} is not a column`
    return [{ path: `${path}.${header}`, reason, instead: "write its path: '.spec.size'" }]
  })
}

/** The problems of single values; `undefined` counts as omitted. */
function problemsOf(prefix: string, values: object, shapes: Shapes): Problem[] {
  const given = values as Readonly<Record<string, unknown>>
  const wrong = Object.entries(shapes).flatMap(([name, { is, instead, isRequired }]): Problem[] => {
    const value = given[name]
    if (value === undefined ? isRequired !== true : is(value)) return []
    const reason = value === undefined ? 'is missing' : `${shown(value)} is not valid here`
    return [{ path: `${prefix}${name}`, reason, instead }]
  })
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(shapes, name))
  return [
    ...wrong,
    ...unknown.map((name) => ({
      path: `${prefix}${name}`,
      reason: 'there is no such option',
      instead: `use one of ${Object.keys(shapes).join(', ')}`,
    })),
  ]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const charactersMax = 60

/** A value in a form that its author recognises. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if ('_zod' in Object(value)) return 'a zod schema'
  const text = jsonOf(value)
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}...`
}

function jsonOf(value: unknown): string {
  try {
    const json = JSON.stringify(value) as string | undefined
    return json ?? String(value)
  } catch {
    return 'this'
  }
}
